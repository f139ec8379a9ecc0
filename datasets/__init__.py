"""Every graph of the paper, and yours, behind one function.

>>> sorted(NAMES)[:3]
['citeseer', 'cora', 'pubmed']
"""

from datasets.catalog import NAMES, load
from datasets.checks import canonical_edges
from datasets.errors import DataError
from datasets.graph import Graph
from datasets.splits import random_split, stratified_split, thirds_split
from datasets.synthetic import generate

__all__ = [
    "NAMES",
    "DataError",
    "Graph",
    "canonical_edges",
    "generate",
    "load",
    "random_split",
    "stratified_split",
    "thirds_split",
]
