"""Cleans up lists of edges, with weights and directions or without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from datasets.checks import IntArray, integers, positive
from datasets.errors import DataError, short

Weights = NDArray[np.float32]


def canonical_edges(edges: ArrayLike, num_nodes: int, name: str = "the graph") -> IntArray:
    """Cleans up a list of undirected edges for `Graph`.

    In the result every edge has `u < v` and appears once. The edges are sorted, and self-loops are
    dropped.

    Args:
        edges: Integers `[k, 2]`, in either direction; repeated edges and self-loops are allowed.
        num_nodes: Number of nodes.
        name: Name of the graph in error messages.

    Returns:
        int64 `[m, 2]`.

    Raises:
        DataError: An index lies outside `0 … num_nodes-1`.

    Examples:
        >>> canonical_edges([[1, 0], [0, 1], [2, 2], [1, 2]], num_nodes=3).tolist()
        [[0, 1], [1, 2]]
    """
    return merged_edges(edges, num_nodes, name)[0]


def merged_edges(
    edges: ArrayLike,
    num_nodes: int,
    name: str = "the graph",
    *,
    weights: ArrayLike | None = None,
    directed: bool = False,
    node_ids: Sequence[str] | NDArray[np.str_] | None = None,
) -> tuple[IntArray, Weights | None]:
    """Cleans up a list of edges; the weights of repeated edges add up.

    The edges of the result are sorted, each appears once, and self-loops are dropped. An undirected
    edge has `u < v`; a directed one keeps its order, so that `(u, v)` and `(v, u)` are two edges.

    Args:
        edges: Integers `[k, 2]`; repeated edges and self-loops are allowed.
        num_nodes: Number of nodes.
        name: Name of the graph in error messages.
        weights: Positive numbers `[k]`, or None.
        directed: Whether the order of the two ends counts.
        node_ids: Names of the nodes in error messages; by default their numbers.

    Returns:
        int64 `[m, 2]`, and float32 `[m]`, or None without weights.

    Raises:
        DataError: An index lies outside `0 … num_nodes-1`, or a weight is not a positive float32.

    Examples:
        >>> pairs, weights = merged_edges([[1, 0], [0, 1], [2, 2]], 3, weights=[0.5, 2, 1])
        >>> pairs.tolist(), weights.tolist()
        ([[0, 1]], [2.5])
        >>> merged_edges([[1, 0], [0, 1], [2, 2]], 3, directed=True)[0].tolist()
        [[0, 1], [1, 0]]
    """
    pairs = _edge_pairs(name, edges, positive(name, "nodes", num_nodes))
    first, second = pairs[:, 0], pairs[:, 1]
    if weights is None and (first != second if directed else first < second).all():
        keys = first * num_nodes + second
        if (keys[1:] > keys[:-1]).all():  # often, since graphs keep them so
            return np.array(pairs, order="C"), None
    if not directed:
        first, second = np.minimum(first, second), np.maximum(first, second)
    keys, proper = first * num_nodes + second, first != second
    if weights is None:
        keys = keys[proper]
        keys.sort()
        keys = keys[_is_first(keys)]
        return _pairs_of(keys, num_nodes), None
    values = checked_weights(name, weights, pairs, node_ids)[proper]
    keys = keys[proper]
    order = np.argsort(keys, kind="stable")  # so that sums are the same on every machine
    keys = keys[order]
    starts = np.flatnonzero(_is_first(keys))
    merged = _pairs_of(keys[starts], num_nodes)
    sums = np.add.reduceat(values[order], starts) if len(starts) else values
    # Each weight is valid, but float32 may not hold a sum.
    return merged, checked_weights(name, sums, merged, node_ids).astype(np.float32)


def checked_edges(
    name: str, edges: Any, weights: Any, directed: bool, num_nodes: int
) -> tuple[IntArray, Weights | None]:
    """Sorts the edges of a `Graph`, with their weights; refuses self-loops and repeated edges."""
    pairs = _edge_pairs(name, edges, num_nodes)
    merged, sums = merged_edges(pairs, num_nodes, name, weights=weights, directed=directed)
    if len(merged) != len(pairs):
        helper = "canonical_edges" if weights is None and not directed else "merged_edges"
        raise DataError(
            f"{name}: `edges` holds {len(pairs) - len(merged):,} self-loops or repeated edges; "
            f"clean it up with datasets.{helper} first."
        )
    merged.flags.writeable = False
    if sums is not None:
        sums.flags.writeable = False
    return merged, sums


def are_weights(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Which numbers can be weights: those that are positive and finite as float32."""
    with np.errstate(over="ignore", invalid="ignore"):
        single = values.astype(np.float32)
    return np.isfinite(single) & (single > 0)


def checked_weights(
    name: str,
    weights: Any,
    pairs: IntArray,
    node_ids: Sequence[str] | NDArray[np.str_] | None = None,
) -> NDArray[np.float64]:
    """Converts to float64 `[k]`; refuses numbers that cannot be weights, naming the first edge."""
    try:
        values = np.asarray(weights)
        if values.size == 0:
            values = values.astype(np.float64)
        if values.dtype.kind not in "biuf":
            raise TypeError
    except (ValueError, TypeError):
        raise DataError(f"{name}: the weights of edges must be numbers.") from None
    if values.shape != (len(pairs),):
        raise DataError(
            f"{name}: there must be one weight for each of the {len(pairs):,} edges, but the shape "
            f"of the weights is {list(values.shape)}."
        )
    bad = np.flatnonzero(~are_weights(values))
    if len(bad):
        ends = pairs[bad[0]].tolist()
        first, second = ends if node_ids is None else (repr(short(node_ids[i], 100)) for i in ends)
        raise DataError(
            f"{name}: the weight of the edge from {first} to {second} is {values[bad[0]]}, not a "
            f"positive, finite float32; correct such weights ({len(bad):,} in all), or ignore all "
            "weights with the option weight=none."
        )
    return values.astype(np.float64)


def _is_first(keys: IntArray) -> NDArray[np.bool_]:
    """Marks the first of equal keys."""
    return np.diff(keys, prepend=-1) != 0  # np.unique, which hashes, takes 70 times as long


def _pairs_of(keys: IntArray, num_nodes: int) -> IntArray:
    first = keys // num_nodes
    return np.stack([first, keys - first * num_nodes], axis=1)


def _edge_pairs(name: str, edges: Any, num_nodes: int) -> IntArray:
    pairs = integers(name, "edges", edges)
    if pairs.size == 0:
        pairs = pairs.reshape(0, 2)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise DataError(
            f"{name}: `edges` must have the shape [m, 2], one row per edge, but it is "
            f"{list(pairs.shape)}."
        )
    if pairs.size and (pairs.min() < 0 or pairs.max() >= num_nodes):
        outside = np.flatnonzero(((pairs < 0) | (pairs >= num_nodes)).any(axis=1))
        row = int(outside[0])
        raise DataError(
            f"{name}: edge {row} joins {pairs[row, 0]} and {pairs[row, 1]}, but nodes are numbered "
            f"from 0 to {num_nodes - 1}; correct or remove such edges ({len(outside):,} in all)."
        )
    return pairs
