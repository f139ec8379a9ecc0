"""Converts graphs from and to networkx."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from datasets.checks import SPLITS, UNKNOWN, canonical_edges, split_name
from datasets.class_index import written_labels
from datasets.errors import DataError, few, short
from datasets.graph import Graph
from datasets.stand_ins import with_stand_ins
from datasets.structural import SPECTRAL

if TYPE_CHECKING:
    import networkx as nx

log = logging.getLogger(__name__)

VECTOR = "x"


def from_networkx(
    graph: nx.Graph,
    *,
    features: str | Sequence[str] | None = None,
    label: str = "label",
    split: str = "split",
    name: str | None = None,
    stand_ins: str = SPECTRAL,
) -> Graph:
    """Makes a `Graph` from any networkx graph.

    Directions, edge weights, parallel edges and self-loops are dropped. Node names become
    `node_ids`.

    Args:
        graph: A networkx graph, directed or not.
        features: A node attribute that holds a number or a vector, or several attributes that hold
            a number each. The default is `x` if it holds vectors, else every attribute that is a
            number on each node. If there is none, features are computed from the edges
            (`structural_features`).
        label: Node attribute with the class. A node without it, or with None or "", is unlabelled.
        split: Node attribute with `train`, `val` or `test`. It is optional.
        name: Name of the graph. The default is its networkx name.
        stand_ins: Features of a graph without any, `spectral` or `local`.

    Returns:
        The graph.

    Raises:
        DataError: No node has a label, or an attribute is invalid.
    """
    if not hasattr(graph, "nodes"):
        raise DataError(
            f"from_networkx needs a networkx graph, but received {type(graph).__name__}."
        )
    name = str(name or graph.name or "graph")
    ids = list(graph)
    if not ids:
        raise DataError(f"{name}: the graph is empty: it has no nodes.")
    attributes = [graph.nodes[node] for node in ids]
    labels, class_names = written_labels(name, [_written(row.get(label)) for row in attributes])
    if not class_names:
        raise DataError(
            f"{name}: no node has the attribute {label!r}; name the attribute that holds the class "
            "with `label`."
        )
    parts = _parts(name, graph, ids, split)
    _log_unused(name, graph)
    index = {node: i for i, node in enumerate(ids)}
    edges = canonical_edges([(index[u], index[v]) for u, v in graph.edges()], len(ids), name)
    wanted = features or _feature_attributes(name, attributes, {label, split})
    matrix: np.ndarray = np.empty((len(ids), 0), np.float32)
    columns: tuple[str, ...] = ()
    if wanted:
        matrix, columns = _matrix(name, attributes, ids, wanted)
    result = Graph(
        name=name,
        num_nodes=len(ids),
        num_classes=len(class_names),
        features=sp.csr_array(matrix),
        edges=edges,
        labels=labels,
        class_names=class_names,
        node_ids=np.array([str(node) for node in ids]),
        # The entries of a vector have no names.
        feature_names=columns if len(columns) == matrix.shape[1] else None,
        **{part: np.flatnonzero([found == part for found in parts]) for part in SPLITS},  # type: ignore[arg-type]
    )
    return result if wanted else with_stand_ins(result, name, stand_ins)


def _parts(name: str, graph: nx.Graph, ids: list[Any], split: str) -> list[str | None]:
    """Lists the part of the split that each node is in."""
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
    """Logs which parts of the graph are not used."""
    if graph.is_directed():
        log.info("%s: edges are undirected here, so their directions are not used", name)
    if any("weight" in attributes for *_, attributes in graph.edges(data=True)):
        log.info("%s: edges are unweighted here, so their weights are not used", name)


def to_networkx(graph: Graph) -> nx.Graph:
    """Makes a `networkx.Graph`.

    Each node has the attribute `x`, a list of floats. Labelled nodes also have `label`, and nodes
    in a split have `split`.
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


def _matrix(
    name: str,
    attributes: list[dict[str, Any]],
    ids: list[Any],
    wanted: str | Sequence[str],
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Makes the features, and lists the attributes that they come from."""
    columns = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for column in columns:
        lacking = [node for node, row in zip(ids, attributes, strict=True) if column not in row]
        if lacking:
            raise DataError(
                f"{name}: node {few(lacking)} lacks the feature attribute {column!r}; add it, or "
                "name other attributes with `features`."
            )
    try:
        rows = [
            np.concatenate([np.atleast_1d(row[column]) for column in columns]) for row in attributes
        ]
        return np.array(rows, dtype=np.float32), columns
    except (ValueError, TypeError, OverflowError):
        raise DataError(
            f"{name}: the feature attributes {few(columns)} must be numbers, or vectors of the "
            "same length on all nodes."
        ) from None


def _feature_attributes(
    name: str, attributes: list[dict[str, Any]], taken: set[str]
) -> str | list[str]:
    """Selects the attributes to use if the caller names none."""
    vectors = all(isinstance(row.get(VECTOR), (list, tuple, np.ndarray)) for row in attributes)
    return VECTOR if vectors else _numeric(name, attributes, taken)


def _numeric(name: str, attributes: list[dict[str, Any]], taken: set[str]) -> list[str]:
    """Lists the attributes that are a number on every node, in order of appearance."""
    keys = dict.fromkeys(key for row in attributes for key in row if key not in taken)
    chosen = [key for key in keys if all(_is_number(row.get(key)) for row in attributes)]
    left_out = [key for key in keys if key not in chosen]
    if chosen and left_out:
        log.warning(
            "%s: some attributes are not a number on every node, so they are not features: %s",
            name,
            few(left_out, 10),
        )
    return chosen


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _written(label: Any) -> str:
    """Converts a label to text; None and NaN become `""`, which means unknown."""
    return "" if label is None or label != label else str(label).strip()
