"""Graphs from and to networkx, and so from every format that networkx reads."""

from __future__ import annotations

import collections
import logging
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

import numpy as np
import scipy.sparse as sp

from datasets.checks import SPLITS, UNKNOWN, canonical_edges, split_name
from datasets.class_index import written_labels
from datasets.errors import DataError, few, short
from datasets.graph import Graph
from datasets.memory import check_fits
from datasets.paths import readable_name
from datasets.structural import structural_features

if TYPE_CHECKING:
    import networkx as nx

log = logging.getLogger(__name__)

VECTOR = "x"
_ENTRY = 100  # bytes of an attribute of a node, at least


def from_networkx(
    graph: nx.Graph,
    *,
    features: str | Sequence[str] | None = None,
    label: str = "label",
    split: str = "split",
    name: str | None = None,
) -> Graph:
    """A `Graph` from any networkx graph.

    Directions, edge weights, parallel edges and self-loops are dropped. Node names become
    `node_ids`.

    Args:
        graph: A networkx graph, directed or not.
        features: The node attribute that holds a number or a vector, or several that hold a number
            each. By default `x` where it holds vectors, else every attribute that is a number on
            each node; where there is none, the edges make the features (`structural_features`).
        label: Node attribute with the class; a node without it (or with None or "") is unlabelled.
        split: Node attribute with `train`, `val` or `test`, where there is one.
        name: What to call the graph; its networkx name otherwise.
    """
    if not hasattr(graph, "nodes"):
        raise DataError(f"A networkx graph is needed, but this is {type(graph).__name__}.")
    name = str(name or graph.name or "graph")
    ids = list(graph)
    if not ids:
        raise DataError(f"{name}: the graph is empty: it has no nodes.")
    attributes = [graph.nodes[node] for node in ids]
    labels, class_names = written_labels(name, [_written(row.get(label)) for row in attributes])
    if not class_names:
        raise DataError(
            f"{name}: no node has the attribute {label!r}; say with `label` which one holds the "
            "class."
        )
    parts = _parts(name, graph, ids, split)
    _log_unused(name, graph)
    index = {node: i for i, node in enumerate(ids)}
    edges = canonical_edges([(index[u], index[v]) for u, v in graph.edges()], len(ids), name)
    wanted = features or _feature_attributes(name, attributes, {label, split})
    if wanted:
        matrix, columns = _matrix(name, attributes, ids, wanted)
    else:
        found, columns = structural_features(name, edges, len(ids))
        matrix = found.toarray()
    return Graph(
        name=name,
        num_nodes=len(ids),
        num_classes=len(class_names),
        features=sp.csr_array(matrix),
        edges=edges,
        labels=labels,
        class_names=class_names,
        node_ids=np.array([str(node) for node in ids]),
        # An attribute that holds a vector gives no names to its entries.
        feature_names=columns if len(columns) == matrix.shape[1] else None,
        **{part: np.flatnonzero([found == part for found in parts]) for part in SPLITS},
    )


def _parts(name: str, graph: nx.Graph, ids: list[Any], split: str) -> list[str | None]:
    """The part of the split that each node is in."""
    parts = [split_name(graph.nodes[node].get(split)) for node in ids]
    if None in parts:
        node = ids[parts.index(None)]
        raise DataError(
            f"{name}: the attribute {split!r} of node {short(node)} is "
            f"{short(repr(graph.nodes[node][split]))}; it "
            "must be train, val or test."
        )
    return parts


def _log_unused(name: str, graph: nx.Graph) -> None:
    """Says what of the graph is not used."""
    if graph.is_directed():
        log.info("%s: edges have no direction here, so an arc joins both ways", name)
    if any("weight" in attributes for *_, attributes in graph.edges(data=True)):
        log.info("%s: edges count alike, so their weights are not used", name)


def to_networkx(graph: Graph) -> nx.Graph:
    """A `networkx.Graph` whose nodes have `x` (list of floats), `label` and `split` where they have
    one.
    """
    import networkx as nx

    ids = range(graph.num_nodes) if graph.node_ids is None else graph.node_ids.tolist()
    result: nx.Graph = nx.Graph(name=graph.name)
    for node, row, c in zip(ids, graph.features.toarray(), graph.labels, strict=True):
        result.add_node(node, **{VECTOR: row.tolist()})
        if c != UNKNOWN:
            result.nodes[node]["label"] = graph.class_names[c]
    for split in SPLITS:
        for i in getattr(graph, split):
            result.nodes[ids[i]]["split"] = split
    result.add_edges_from((ids[u], ids[v]) for u, v in graph.edges.tolist())
    return result


def read_graphml(path: Path) -> Graph:
    """The graph in a GraphML file: attributes `label` and `split`, every other number a feature."""
    import networkx as nx

    try:
        _check_defaults(path)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            graph = nx.read_graphml(path)
    except (DataError, MemoryError, OSError):
        raise
    except Exception as error:  # networkx and its XML parser raise many kinds
        raise DataError(f"{path} cannot be read as GraphML ({short(error)}).") from None
    for text in sorted({short(warning.message) for warning in caught}):
        log.info("%s: %s", path, text)
    return from_networkx(graph, name=readable_name(path.stem))


def _check_defaults(path: Path) -> None:
    """Refuses defaults for more nodes than memory holds: networkx gives each node each of them."""
    content = path.read_bytes()
    if b"default" not in content:
        return
    counts: collections.Counter[str] = collections.Counter()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, _: counts.update([name.rsplit(" ", 1)[-1]])
    parser.Parse(content, True)
    elements = counts["node"] + counts["edge"]
    check_fits(f"{path}, with a default for each node,", counts["default"] * elements * _ENTRY)


def _matrix(
    name: str,
    attributes: list[dict[str, Any]],
    ids: list[Any],
    wanted: str | Sequence[str],
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The features, and the attributes that they are from."""
    columns = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for column in columns:
        lacking = [node for node, row in zip(ids, attributes, strict=True) if column not in row]
        if lacking:
            raise DataError(f"{name}: node {few(lacking)} lacks the feature attribute {column!r}.")
    try:
        rows = [
            np.concatenate([np.atleast_1d(row[column]) for column in columns]) for row in attributes
        ]
        return np.array(rows, dtype=np.float32), columns
    except (ValueError, TypeError, OverflowError):
        raise DataError(
            f"{name}: the feature attributes {few(columns)} must be numbers, or vectors of one "
            "length on all nodes."
        ) from None


def _feature_attributes(
    name: str, attributes: list[dict[str, Any]], taken: set[str]
) -> str | list[str]:
    """The attributes to use when none are named."""
    vectors = all(isinstance(row.get(VECTOR), (list, tuple, np.ndarray)) for row in attributes)
    return VECTOR if vectors else _numeric(name, attributes, taken)


def _numeric(name: str, attributes: list[dict[str, Any]], taken: set[str]) -> list[str]:
    """Attributes that hold a number on every node, in the order of their first mention."""
    keys = dict.fromkeys(key for row in attributes for key in row if key not in taken)
    chosen = [key for key in keys if all(_is_number(row.get(key)) for row in attributes)]
    left_out = [key for key in keys if key not in chosen]
    if chosen and left_out:
        log.warning("%s: no number on some node, so no feature: %s", name, few(left_out, 10))
    return chosen


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _written(label: Any) -> str:
    """A label as text; None and NaN are unknown."""
    return "" if label is None or label != label else str(label).strip()
