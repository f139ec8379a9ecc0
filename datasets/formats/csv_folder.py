"""A graph in a folder of CSV files (UTF-8, a header line each).

- `edges.csv`: `source,target`. Either direction, repeated edges and self-loops are cleaned up;
  further columns (weights, say) are not used, and a message says so.
- `features.csv`: dense, `node,<name>,<name>,…` with a number in each cell; or sparse, exactly
  `node,feature,value`, in any order. Without it, or any column in it, the edges make the
  features, see `structural.py`.
- `labels.csv`: `node,label`; an empty label is unknown, and so is that of a node not listed; -1 is
  a class like any other.
- `split.csv`, optional: `node,split`, with `train`, `val` or `test`.

Ids and labels are any text. A dense `features.csv` lists the nodes; with a sparse one, or none, the
nodes are all that `labels.csv`, `features.csv` and `edges.csv` mention, in that order.
"""

from __future__ import annotations

import logging
from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from datasets.checks import MAX_NAME, SPLITS, UNKNOWN, IntArray, canonical_edges, split_name
from datasets.class_index import LabelCheck, class_index, labels_among
from datasets.errors import DataError, few, short
from datasets.formats.csv_table import Table
from datasets.graph import Graph
from datasets.paths import readable_name
from datasets.structural import structural_features

log = logging.getLogger(__name__)

EDGES, FEATURES, LABELS, SPLIT = "edges.csv", "features.csv", "labels.csv", "split.csv"
TRIPLETS = ["node", "feature", "value"]


def read(folder: Path, class_names: Sequence[str] | None = None) -> Graph:
    """The graph in `folder`.

    Args:
        folder: Where the files are.
        class_names: The classes, where they are known: then no node need be labelled.
    """
    edges = Table(folder / EDGES, ["source", "target"])
    labels = None
    if class_names is None or _is_there(folder / LABELS):
        labels = Table(folder / LABELS, ["node", "label"])
    features = Table(folder / FEATURES, ["node"]) if _is_there(folder / FEATURES) else None
    nodes = _Nodes()
    check = LabelCheck() if class_names is None else None
    if features is None or set(features.header) == set(TRIPLETS):
        written = _read_labels(labels, nodes, check) if labels else {}
        found = _read_triplets(features, nodes) if features else None
        pairs = _read_edges(edges, nodes)
        nodes.listed_in = f"{LABELS}, {FEATURES} or {EDGES}" if features else f"{LABELS} or {EDGES}"
    else:
        found = _read_dense(features, nodes)
        if not nodes.index:
            raise DataError(f"{folder}: the graph is empty: {FEATURES} lists no node.")
        nodes.listed_in = FEATURES
        written = _read_labels(labels, nodes, check) if labels else {}
        pairs = _read_edges(edges, nodes)
    num_nodes = len(nodes.index)
    canonical = canonical_edges(pairs, num_nodes, str(folder))
    if found is None or not found[1]:  # no file, or one that only lists the nodes
        found = structural_features(str(folder), canonical, num_nodes)
    matrix, names = found
    matrix.resize((num_nodes, matrix.shape[1]))  # type: ignore[arg-type]  # the stubs' slip
    index, classes = labels_among(
        str(folder / LABELS), [written.get(node, "") for node in range(num_nodes)], class_names
    )
    if not classes:
        raise DataError(f"{folder / LABELS} labels no node; at least one label must be known.")
    return Graph(
        name=readable_name(folder.resolve().name),
        num_nodes=num_nodes,
        num_classes=len(classes),
        features=matrix,
        edges=canonical,
        labels=index,
        class_names=classes,
        node_ids=np.array(list(nodes.index)),
        feature_names=names,
        **_read_split(folder / SPLIT, nodes, index),
    )


def _is_there(path: Path) -> bool:
    """Whether there is something, be it a link that leads nowhere."""
    return path.exists() or path.is_symlink()


class _Nodes:
    """Node ids in the order of their first mention; once `listed_in` is set, others are refused."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}
        self.listed_in: str | None = None

    def find(self, table: Table, line: int, node: str) -> int:
        if node in self.index:
            return self.index[node]
        if not node:
            raise table.error(line, "the node id is empty")
        if len(node) > MAX_NAME:
            raise table.error(
                line, f"the node id {node[:40]!r}… is longer than {MAX_NAME:,} characters"
            )
        if self.listed_in is not None:
            raise table.error(
                line, f"node {node!r} is not in {self.listed_in}; add it there or remove this line"
            )
        if not node.isprintable():
            raise table.error(
                line, f"the node id {node!r} holds a character that cannot be seen; remove it"
            )
        return self.index.setdefault(node, len(self.index))


def _read_edges(table: Table, nodes: _Nodes) -> IntArray:
    others = [column for column in table.header if column not in ("source", "target")]
    unused = [column or "a column without a name" for column in others]
    if unused:
        log.info("%s: edges count alike, so %s is not used", table.path, few(unused))
    ends = array("q")
    for line, cells in table.columns("source", "target"):
        ends.extend(nodes.find(table, line, cell) for cell in cells)
    return np.frombuffer(ends, np.int64).reshape(-1, 2) if ends else np.empty((0, 2), np.int64)


def _read_labels(table: Table, nodes: _Nodes, check: LabelCheck | None) -> dict[int, str]:
    """Node to its label; a node may be listed once."""
    words: dict[int, str] = {}
    for line, (name, word) in table.columns("node", "label"):
        node = nodes.find(table, line, name)
        if node in words:
            raise table.error(line, f"duplicate node id {name!r}: its label was given above")
        complaint = check.complaint(word) if check else None
        if complaint:
            raise table.error(line, complaint)
        words[node] = word
    return words


def _read_split(path: Path, nodes: _Nodes, labels: IntArray) -> dict[str, IntArray]:
    if not _is_there(path):
        return {split: np.empty(0, np.int64) for split in SPLITS}
    parts: dict[str, list[int]] = {split: [] for split in SPLITS}
    table = Table(path, ["node", "split"])
    seen: dict[int, str] = {}
    for line, (name, word) in table.columns("node", "split"):
        node = nodes.find(table, line, name)
        part = split_name(word)
        if part is None:
            raise table.error(line, f"{short(word)!r} is no split; write train, val or test")
        if node in seen:
            raise table.error(
                line,
                f"the splits overlap: node {name!r} is in {seen[node]!r} and {word!r}; list it "
                "once",
            )
        if labels[node] == UNKNOWN:
            raise table.error(
                line, f"the label of node {name!r} is unknown; label it or remove this line"
            )
        seen[node] = word
        if part:
            parts[part].append(node)
    return {split: np.array(members, np.int64) for split, members in parts.items()}


def _read_dense(table: Table, nodes: _Nodes) -> tuple[sp.csr_array, tuple[str, ...]]:
    key = table.header.index("node")
    names = table.header[:key] + table.header[key + 1 :]
    if "" in names:
        raise table.error(
            table.header_line,
            f"column {table.header.index('') + 1} has no name; name it, or leave it out",
        )
    values, lines = array("d"), array("q")
    for line, cells in table.rows():
        name = cells.pop(key)
        if nodes.find(table, line, name) != len(lines):
            raise table.error(line, f"duplicate node id {name!r}")
        try:
            values.extend(map(_number, cells))
        except ValueError:
            raise _not_a_number(table, line, names, cells) from None
        lines.append(line)
    dense = _finite(table, values, lines, width=len(names))
    return sp.csr_array(dense.reshape(len(lines), len(names))), tuple(names)


def _read_triplets(table: Table, nodes: _Nodes) -> tuple[sp.csr_array, tuple[str, ...]]:
    rows, values, lines = array("q"), array("d"), array("q")
    words: list[str] = []
    seen: set[tuple[int, str]] = set()
    for line, (name, feature, value) in table.columns(*TRIPLETS):
        node = nodes.find(table, line, name)
        if not feature:
            raise table.error(line, "the feature is empty")
        if (node, feature) in seen:
            raise table.error(line, f"feature {short(feature)!r} of node {name!r} was given above")
        seen.add((node, feature))
        try:
            values.append(_number(value))
        except ValueError:
            raise _not_a_number(table, line, ["value"], [value]) from None
        rows.append(node)
        words.append(feature)
        lines.append(line)
    columns, features = class_index(words)
    data = _finite(table, values, lines, width=1)
    shape = len(nodes.index), len(features)
    return sp.csr_array((data, (np.array(rows), columns)), shape=shape), features


def _number(cell: str) -> float:
    if "_" in cell:  # Python reads 1_0 as 10; people who write it mean something else
        raise ValueError
    return float(cell)


def _not_a_number(table: Table, line: int, names: list[str], cells: list[str]) -> DataError:
    for name, cell in zip(names, cells, strict=True):
        try:
            _number(cell)
        except ValueError:
            return table.error(line, f"{short(cell)!r} in column {short(name)!r} is not a number")
    raise AssertionError("every cell is a number")


def _finite(table: Table, values: array[float], lines: array[int], width: int) -> np.ndarray:
    with np.errstate(over="ignore"):
        data = np.array(values, dtype=np.float32)
    bad = np.flatnonzero(~np.isfinite(data))
    if len(bad):
        raise table.error(
            lines[int(bad[0]) // width],
            f"{values[int(bad[0])]} is not a finite float32; replace or remove it",
        )
    return data
