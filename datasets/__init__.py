"""Loads the graphs of the paper, and your own, with one function.

>>> sorted(NAMES)[:3]
['citeseer', 'cora', 'pubmed']
"""

from datasets.catalog import NAMES, load
from datasets.edge_lists import canonical_edges, merged_edges
from datasets.errors import DataError
from datasets.frames import from_tables
from datasets.graph import Graph
from datasets.recipes.recipe import Recipe
from datasets.splits import random_split, stratified_split, thirds_split
from datasets.synthetic import generate

__all__ = [
    "NAMES",
    "DataError",
    "Graph",
    "Recipe",
    "canonical_edges",
    "from_tables",
    "generate",
    "load",
    "merged_edges",
    "random_split",
    "stratified_split",
    "thirds_split",
]
