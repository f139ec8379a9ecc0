"""Lists the edges of a networkx graph with their weights."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets.checks import IntArray
from datasets.edge_lists import are_weights
from datasets.errors import DataError, short
from datasets.options import IGNORED, TableOptions
from datasets.tables.table import described

if TYPE_CHECKING:
    import networkx as nx

log = logging.getLogger(__name__)

WEIGHT = "weight"


def networkx_edges(
    name: str,
    graph: nx.Graph,
    *,
    weight: str | None = None,
    directed: bool = False,
    default: float | None = None,
) -> tuple[IntArray, np.ndarray | None]:
    """Lists the edges as pairs of positions of nodes, with repeated edges and self-loops.

    Args:
        name: Name of the graph in messages.
        graph: A networkx graph.
        weight: Edge attribute with the weight; by default `weight`, if there is one. `none` ignores
            weights.
        directed: Whether directions count. Then each edge of an undirected graph is listed in both
            directions.
        default: Weight of an edge without the attribute; None refuses such an edge.

    Returns:
        int64 `[k, 2]`, and the weights float64 `[k]`, or None.

    Raises:
        DataError: No edge has the named attribute, or a weight is invalid.
    """
    index = {node: i for i, node in enumerate(graph)}
    edges = list(graph.edges(data=True))
    pairs = np.array([(index[u], index[v]) for u, v, _ in edges], np.int64).reshape(-1, 2)
    attribute = _attribute(name, edges, weight)
    weights = None if attribute is None else _weights(name, edges, attribute, default)
    if graph.is_directed() and not directed:
        log.info("%s: directions of edges are not used; the graph is read as undirected", name)
    if directed and not graph.is_directed():
        pairs = np.concatenate([pairs, pairs[:, ::-1]])
        weights = None if weights is None else np.concatenate([weights, weights])
    return pairs, weights


def _attribute(name: str, edges: list[Any], weight: str | None) -> Any:
    """The edge attribute with the weights, or None."""
    keys = list(dict.fromkeys(key for *_, attributes in edges for key in attributes))
    names = {str(key): key for key in keys}
    found = TableOptions(weight=weight).weight_in(names)
    if weight == IGNORED:
        if found is not None:
            log.info("%s: the weights of edges in %s are ignored", name, short(found))
        return None
    if weight and found is None:
        raise DataError(
            f"{name}: no edge has the attribute {short(weight)!r} for its weight; the attributes "
            f"are {described(list(names)) or 'none'}."
        )
    if found is not None and not weight:
        log.info("%s: the attribute %s has the weights of edges", name, short(found))
    return None if found is None else names[found]


def _weights(name: str, edges: list[Any], attribute: Any, default: float | None) -> np.ndarray:
    written = [attributes.get(attribute, default) for *_, attributes in edges]
    values = np.array([_number(value) for value in written])
    bad = np.flatnonzero(~are_weights(values))
    if len(bad):
        source, target, _ = edges[bad[0]]
        value = written[bad[0]]
        said = "is missing" if value is None else f"is {short(repr(value), 100)}"
        raise DataError(
            f"{name}: the weight of the edge from {short(source, 100)!r} to "
            f"{short(target, 100)!r} {said}, not a positive, finite float32; correct such weights "
            f"({len(bad):,} in all), or ignore all weights with the option weight=none."
        )
    return values


def _number(value: Any) -> float:
    """The number in an attribute; NaN if it is none."""
    try:
        # Text is refused: networkx would fail on it, too, and True is no weight.
        return float("nan") if isinstance(value, (str, bytes, bool)) else float(value)
    except (TypeError, ValueError, OverflowError):
        return float("nan")
