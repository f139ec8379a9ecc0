"""The tables of a graph, and what the user wants from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from datasets.recipes.recipe import Recipe
from datasets.tables.table import Table

TRIPLETS = ["node", "feature", "value"]


@dataclasses.dataclass(frozen=True)
class Role:
    """A table, and the names of the columns that have a meaning.

    Args:
        table: The table.
        id: Column with the ids of nodes. For edges, the column with one end.
        other: For edges, the other end; for labels, the label; for splits, the split.
        weight: For edges, the weight; empty if all count alike.
    """

    table: Table
    id: str
    other: str = ""
    weight: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sources:
    """The tables of a graph.

    Args:
        where: Name of the whole in messages: a folder.
        name: Name of the graph.
        edges: Tables of edges; their edges are united.
        nodes: A table with a row for each node, whose other columns become features. Its label
            column is `other`.
        lists_all: Whether `nodes` lists all nodes, so that edges of others are refused.
        triplets: Sparse features, `node,feature,value`.
        labels: A table of labels.
        split: A table of splits.
    """

    where: str
    name: str
    edges: Sequence[Role]
    nodes: Role | None = None
    lists_all: bool = False
    triplets: Table | None = None
    labels: Role | None = None
    split: Role | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the user wants from the tables.

    Args:
        ignore: Columns to leave out.
        features: The only columns to use; empty for all.
        stand_ins: What stands in for missing features.
        class_names: The classes, if they are known; then the graph needs no labels.
        recipe: How a trained model makes its features.
        directed: Whether the graph keeps the directions of edges.
    """

    ignore: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    stand_ins: str = "spectral"
    class_names: Sequence[str] | None = None
    recipe: Recipe | None = None
    directed: bool = False
