"""Makes a `Graph` from data frames and other tables in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from datasets.errors import DataError
from datasets.formats.table_folder import own_split
from datasets.graph import Graph
from datasets.options import TableOptions
from datasets.recipes.recipe import Recipe
from datasets.tables.arrow_file import of_frame
from datasets.tables.build import build
from datasets.tables.roles import edges_in, nodes_role
from datasets.tables.sources import Sources, Wishes


def from_tables(
    nodes: Any,
    edges: Any,
    *,
    label: str | None = None,
    id: str | None = None,  # noqa: A002 - the name of the flag
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    directed: bool = False,
    ignore: Sequence[str] = (),
    features: Sequence[str] = (),
    stand_ins: str = "spectral",
    class_names: Sequence[str] | None = None,
    recipe: Recipe | None = None,
    name: str = "graph",
) -> Graph:
    """Makes a graph from a table of nodes and one or more tables of edges.

    A table is a pandas or polars data frame, an Arrow table, or a dictionary of columns. Its
    columns become features as in `datasets.load`; `Graph.recipe` tells how.

    Args:
        nodes: A row for each node: its id, its class, and columns that become features.
        edges: A row for each edge; a list of tables is united.
        label: Column of `nodes` with the class.
        id: Column of `nodes` with the id; by default `node` or `id`.
        source: Column of `edges` with one end; by default `source`, `from`, `src`, ….
        target: Column of `edges` with the other end.
        weight: Column of `edges` with the weight; by default `weight`, if there is one. `none`
            ignores weights. Weights of repeated edges add up.
        directed: Whether edges keep their direction, from `source` to `target`.
        ignore: Columns that are not features.
        features: The only columns that are features; by default all others.
        stand_ins: Features of a graph without any: `spectral` or `local`.
        class_names: The classes, if they are known; then the nodes need no labels.
        recipe: How a trained model makes its features.
        name: Name of the graph.

    Returns:
        The graph, without a split unless `nodes` has a column `split`.

    Raises:
        DataError: A table is invalid; the message names the rows.

    Examples:
        >>> people = {"id": ["a", "b", "c"], "age": [30, None, 50], "label": ["x", "y", "y"]}
        >>> graph = from_tables(people, {"from": ["a", "b"], "to": ["b", "c"]})
        >>> graph.feature_names, graph.features.toarray().tolist()
        (('age', 'age missing'), [[30.0, 0.0], [40.0, 1.0], [50.0, 0.0]])
    """
    options = TableOptions(label=label, id=id, source=source, target=target, weight=weight)
    parts = list(edges) if isinstance(edges, (list, tuple)) else [edges]
    if not parts:
        raise DataError("from_tables needs a table of edges; an empty one will do.")
    role = nodes_role(of_frame(nodes, "nodes"), options, needs_label=class_names is None)
    if not role.other and class_names is None:
        raise DataError(
            "The table of nodes has no column `label`; name the column that holds the class with "
            "`label`."
        )
    sources = Sources(
        where=name,
        name=name,
        edges=[edges_in(of_frame(part, "edges"), options) for part in parts],
        nodes=role,
        lists_all=bool(role.table.without({role.id, role.other})),
        split=own_split(role),
    )
    wishes = Wishes(
        ignore=tuple(ignore),
        features=tuple(features),
        stand_ins=stand_ins,
        class_names=class_names,
        recipe=recipe,
        directed=directed,
    )
    return build(sources, wishes)
