"""Reads a graph from tables: CSV, Parquet, Feather and Arrow files, and lists of edges.

In a folder, these names have a meaning (each file starts with a header line):

- `edges.csv` has the columns `source,target`, and may have `weight`. Repeated edges and self-loops
  are cleaned up. Other columns are not used, and a message says so.
- `features.csv` is optional. It is dense, with the column `node` and a column for each feature, or
  sparse, exactly `node,feature,value` in any order. Without it, or if it has only the column
  `node`, features are computed from the edges (see `structural.py`).
- `labels.csv` has the columns `node,label`. A label is unknown if it is empty or if the node is not
  listed. The label -1 is a class like any other. Labels may be a column of `features.csv` instead.
- `split.csv` is optional. It has the columns `node,split`, with `train`, `val` or `test`.

Files with other names, and columns with other names, are found by `TableOptions`, and by the usual
names of columns. `datasets/recipes` decides what the columns of a dense table become.

Ids and labels may be any text. A dense table lists all nodes. Otherwise the nodes are those in the
labels, the features and the edges, in that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from datasets.errors import DataError, few
from datasets.graph import Graph
from datasets.options import TableOptions
from datasets.paths import readable_name, user_path
from datasets.tables import files
from datasets.tables.build import build
from datasets.tables.roles import Found, edges_role, labels_role, nodes_role, split_role
from datasets.tables.sources import TRIPLETS, Role, Sources, Wishes
from datasets.tables.table import Table

EDGES, FEATURES, LABELS, SPLIT = "edges.csv", "features.csv", "labels.csv", "split.csv"
_ROLES = {"features": "nodes"} | {name: name for name in ("edges", "nodes", "labels", "split")}


def read(path: Path, options: TableOptions, wishes: Wishes) -> Graph:
    """Reads the graph in a folder, or the one that a file belongs to.

    Args:
        path: A folder, or a table of nodes or edges.
        options: Names of columns and files.
        wishes: Which columns are features, and how.

    Returns:
        The graph.

    Raises:
        DataError: A file is missing or invalid; the message names the file and the line.
    """
    folder = path if path.is_dir() else path.parent
    found = found_files(path, folder, options)
    edges = [edges_role(each, options) for each in found.edges]
    table = files.read(found.nodes, options, ["node"]) if found.nodes else None
    return build(sources_of(path, found, edges, table, options, wishes.class_names), wishes)


def found_files(path: Path, folder: Path, options: TableOptions) -> Found:
    """Finds which file has which role.

    Raises:
        DataError: No file has edges, or several could have the nodes.
    """
    found = Found()
    if options.nodes:
        found.nodes = _file(options.nodes, folder)
    if options.edges:
        found.edges = [_file(name, folder) for name in options.edges]
    if not path.is_dir():
        if not found.nodes and found.edges:
            found.nodes = path
        elif not found.edges:
            found.edges = [path]
        elif found.nodes != path and path not in found.edges:
            raise DataError(f"{path} has no role beside the nodes and edges that you name.")
        return found
    tables = sorted(each for each in folder.iterdir() if files.is_table(each))
    for each in tables:
        role = _ROLES.get(each.stem.lower())
        if role == "edges" and not options.edges:
            found.edges.append(each)
        elif role == "nodes" and not options.nodes:
            if found.nodes:
                raise DataError(
                    f"{folder}: {found.nodes.name} and {each.name} could both list the nodes; name "
                    "one with the option nodes."
                )
            found.nodes = each
        elif role in ("labels", "split"):
            setattr(found, role, each)
    if not (options.nodes and options.edges):
        _by_columns(folder, tables, found, options)
    if not found.edges:
        raise DataError(
            f"{folder / EDGES} is missing or not a file; write it, with the header line "
            "source,target, or name the file with the option edges, or its columns with the "
            "options source and target."
        )
    return found


def _by_columns(folder: Path, tables: Sequence[Path], found: Found, options: TableOptions) -> None:
    """Finds tables of edges and nodes by their columns where no name tells them."""
    others = [each for each in tables if each not in found.all()]
    if not others or (found.edges and (found.nodes or found.labels)):
        return
    headers = {each: files.header(each, options) for each in others}
    if not found.edges:
        found.edges = [
            each for each, names in headers.items() if names is None or options.ends(names)
        ]
    if found.nodes or found.labels:
        return
    listing = [
        each
        for each, names in headers.items()
        if each not in found.edges and names is not None and options.id_in(names)
    ]
    labelled = [each for each in listing if options.label_in(headers[each] or ())]
    chosen = labelled or listing
    if len(chosen) > 1:
        raise DataError(
            f"{folder}: {few([each.name for each in chosen], 5)} could all list the nodes; name "
            "one with the option nodes."
        )
    found.nodes = chosen[0] if chosen else None


def _file(name: str, folder: Path) -> Path:
    """A file that the user names, relative to the folder of the graph or to the current one."""
    path = user_path(name)
    for each in (folder / path, path):
        if each.is_file():
            return each
    raise DataError(f"{name} is not a file in {folder} or here; name an existing file.")


def sources_of(
    path: Path,
    found: Found,
    edges: Sequence[Role],
    table: Table | None,
    options: TableOptions,
    class_names: Sequence[str] | None,
) -> Sources:
    """Finds the role of each table.

    Args:
        path: A folder, or a table.
        found: Which file has which role.
        edges: The tables of edges.
        table: The table of nodes.
        options: Names of columns.
        class_names: The classes, if they are known.

    Raises:
        DataError: A table lacks a column.
    """
    folder = path if path.is_dir() else path.parent
    nodes = triplets = None
    if table is not None:
        if set(table.columns) == set(TRIPLETS):
            triplets = table
        else:
            nodes = nodes_role(
                table,
                options,
                needs_label=not found.labels and class_names is None,
                has_labels=bool(found.labels),
            )
    labels = labels_role(found.labels, options) if found.labels else None
    if labels is None and class_names is None and (nodes is None or not nodes.other):
        raise DataError(
            f"{folder / LABELS} is missing or not a file; write it, with the header line "
            "node,label, or name the column that holds the class with the option label."
        )
    split = split_role(found.split, options) if found.split else own_split(nodes)
    taken = {nodes.id, nodes.other} if nodes else set()
    classic = found.nodes is not None and found.nodes.stem.lower() == "features"
    return Sources(
        where=str(path),
        name=readable_name(path.resolve().name if path.is_dir() else path.stem),
        edges=edges,
        nodes=nodes,
        lists_all=nodes is not None and (classic or bool(nodes.table.without(taken))),
        triplets=triplets,
        labels=labels,
        split=split,
    )


def own_split(nodes: Role | None) -> Role | None:
    """The column `split` of a table of nodes, if it holds splits."""
    if nodes is None or "split" not in nodes.table.columns:
        return None
    from datasets.checks import split_name
    from datasets.recipes.cells import words_of

    words = words_of(nodes.table, "split").values
    is_split = all(split_name(word) is not None for word in words)
    return Role(nodes.table, nodes.id, "split") if is_split else None
