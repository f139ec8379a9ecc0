"""Converts graphs from and to networkx."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from datasets.checks import SPLITS, UNKNOWN, split_name
from datasets.class_index import written_labels
from datasets.edge_lists import merged_edges
from datasets.errors import DataError, few, short
from datasets.formats.networkx_edges import networkx_edges
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
    weight: str | None = None,
    directed: bool = False,
) -> Graph:
    """Makes a `Graph` from any networkx graph.

    Parallel edges are united, and their weights add up. Self-loops are dropped. Node names become
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
        weight: Edge attribute with the weight; by default `weight`, if there is one. `none` ignores
            weights.
        directed: Whether edges keep their direction. An edge of an undirected networkx graph then
            counts in both directions.

    Returns:
        The graph.

    Raises:
        DataError: No node has a label, or an attribute is invalid or missing.
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
    texts = [str(node) for node in ids]
    pairs, listed = networkx_edges(name, graph, weight=weight or None, directed=directed)
    edges, weights = merged_edges(
        pairs, len(ids), name, weights=listed, directed=directed, node_ids=texts
    )
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
        edge_weights=weights,
        directed=directed,
        labels=labels,
        class_names=class_names,
        node_ids=np.array(texts),
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


def to_networkx(graph: Graph) -> nx.Graph:
    """Makes a `networkx.Graph`, or a `DiGraph` of a directed graph.

    Each node has the attribute `x`, a list of floats. Labelled nodes also have `label`, and nodes
    in a split have `split`. If the graph has weights, each edge has `weight`.
    """
    import networkx as nx

    ids = range(graph.num_nodes) if graph.node_ids is None else graph.node_ids.tolist()
    kind = nx.DiGraph if graph.directed else nx.Graph
    result: nx.Graph = kind(name=graph.name)
    for node, row, c in zip(ids, graph.features.toarray(), graph.labels, strict=True):
        result.add_node(node, **{VECTOR: row.tolist()})
        if c != UNKNOWN:
            result.nodes[node]["label"] = graph.class_names[c]
    for split in SPLITS:
        for i in getattr(graph, split):
            result.nodes[ids[i]]["split"] = split
    pairs = [(ids[u], ids[v]) for u, v in graph.edges.tolist()]
    if graph.edge_weights is None:
        result.add_edges_from(pairs)
    else:
        weights = graph.edge_weights.tolist()
        result.add_weighted_edges_from((*p, w) for p, w in zip(pairs, weights, strict=True))
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
