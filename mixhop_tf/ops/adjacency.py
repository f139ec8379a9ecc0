"""Makes the normalised adjacency from edges."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import tensorflow as tf

from mixhop_tf.layer_spec import DIRECTIONS, NORMALIZATIONS, AdjacencySpec

Count: TypeAlias = "int | tf.Tensor"

_ONE_WAY = DIRECTIONS[:-1]  # `both` needs two adjacencies


def normalized_adjacency(
    edges: Any,
    num_nodes: Count,
    dtype: tf.DType = tf.float32,
    *,
    weights: Any = None,
    direction: str = "undirected",
    normalization: str = "symmetric",
    self_loops: bool = True,
) -> tf.SparseTensor:
    """Makes the normalised adjacency with self-loops, `Â = D^-½ (A + I) D^-½`.

    By default the result is symmetric: either direction of an edge stands for both. Repeated edges
    count once, or their weights add up. Self-loops in `edges` are ignored.

    Args:
        edges: Pairs of node indices `[m, 2]`, as an array, a tensor or nested lists. If directions
            matter, an edge leads from its first node to its second.
        num_nodes: Number of nodes `n`, as an `int` or an integer tensor.
        dtype: Type of the values of the result.
        weights: Positive weight of each edge `[m]`; by default all are 1. The self-loops of `I`
            have the weight 1.
        direction: Which neighbours a row reads: `undirected`, `in` for the nodes that point to the
            row's node, or `out` for the nodes that it points to.
        normalization: `symmetric` divides by the square roots of the sums of row and column, `row`
            by the sum of the row, `none` by nothing.
        self_loops: Whether to add `I`.

    Returns:
        A `tf.SparseTensor` `[n, n]` in row-major order.

    Raises:
        ValueError: The edges are not integers of the shape `[m, 2]`, the weights do not fit, or an
            option is unknown.
        tf.errors.InvalidArgumentError: An edge ends outside `0 … n-1`, or a weight is not a
            positive number.

    >>> import tensorflow as tf
    >>> from mixhop_tf import normalized_adjacency
    >>> dense = tf.sparse.to_dense(normalized_adjacency([[0, 1]], num_nodes=3))
    >>> dense.numpy().round(2).tolist()
    [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    >>> options = {"direction": "in", "normalization": "row"}
    >>> dense = tf.sparse.to_dense(normalized_adjacency([[0, 1]], 2, weights=[3.0], **options))
    >>> dense.numpy().tolist()
    [[1.0, 0.0], [0.75, 0.25]]
    """
    for name, value, choices in (
        ("direction", direction, _ONE_WAY),
        ("normalization", normalization, NORMALIZATIONS),
    ):
        if value not in choices:
            raise ValueError(f"`{name}` must be one of {choices}. Received: {name}={value!r}")
    if weights is None and direction == "undirected" and self_loops:
        rows, columns, n = distinct_pairs(edges, num_nodes)
        entries = None
        row_sums = column_sums = row_counts(rows, n)
    else:
        rows, columns, entries, n = weighted_entries(
            edges, num_nodes, weights, direction, self_loops
        )
        row_sums = _sums(entries, rows, n)
        column_sums = row_sums if direction == "undirected" else _sums(entries, columns, n)
    values = tf.ones_like(rows, tf.float64) if entries is None else entries
    # Double precision, because float32's rsqrt has errors in its last digits.
    if normalization == "symmetric":
        values = values / tf.sqrt(tf.gather(row_sums, rows) * tf.gather(column_sums, columns))
    elif normalization == "row":
        values = values / tf.gather(row_sums, rows)
    indices = tf.stack([rows, columns], axis=1)
    return tf.SparseTensor(indices, tf.cast(values, dtype), tf.stack([n, n]))


def spec_adjacencies(
    spec: AdjacencySpec, edges: Any, num_nodes: Count, dtype: tf.DType, weights: Any = None
) -> list[tf.SparseTensor]:
    """Makes the adjacencies that a specification asks for: one, or two for the direction `both`.

    The other arguments are those of `normalized_adjacency`.
    """
    directions = ("in", "out") if spec.direction == "both" else (spec.direction,)
    return [
        normalized_adjacency(
            edges,
            num_nodes,
            dtype,
            weights=weights,
            direction=direction,
            normalization=spec.normalization,
            self_loops=spec.self_loops,
        )
        for direction in directions
    ]


def weighted_entries(
    edges: Any, num_nodes: Count, weights: Any, direction: str, self_loops: bool
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor]:
    """Finds the entries of `A`, or of `A + I`, each once and in row-major order.

    Returns:
        The rows and the columns as int64, the values as float64, and the number of nodes.
    """
    n = tf.cast(num_nodes, tf.int64)
    edges = in_range("edges: an end is no node", edge_pairs(edges), n)
    values = None if weights is None else _positive(weights, edges)
    kept = edges[:, 0] != edges[:, 1]
    first, second = tf.unstack(tf.boolean_mask(edges, kept), axis=1)
    values = tf.ones_like(first, tf.float64) if values is None else tf.boolean_mask(values, kept)
    keys = {"in": [second * n + first], "out": [first * n + second]}.get(
        direction, [first * n + second, second * n + first]
    )
    key, value = tf.concat(keys, axis=0), tf.concat([values] * len(keys), axis=0)
    if self_loops:
        key = tf.concat([key, tf.range(n) * (n + 1)], axis=0)
        value = tf.concat([value, tf.ones([n], tf.float64)], axis=0)
    order = tf.argsort(key, stable=True)
    key, value = tf.gather(key, order), tf.gather(value, order)
    is_new = tf.concat([tf.ones_like(key[:1], tf.bool), key[1:] != key[:-1]], axis=0)
    if weights is None:
        key, value = tf.boolean_mask(key, is_new), tf.boolean_mask(value, is_new)
    else:
        places = tf.cumsum(tf.cast(is_new, tf.int32)) - 1
        key, value = tf.boolean_mask(key, is_new), tf.math.segment_sum(value, places)
    return key // n, key % n, value, n


def _positive(weights: Any, edges: tf.Tensor) -> tf.Tensor:
    """Returns the weights as float64 `[m]` after a check that they are positive numbers."""
    if not tf.is_tensor(weights):
        weights = np.asarray(weights, np.float64)
    weights = tf.cast(weights, tf.float64)
    if weights.shape.rank != 1:
        raise ValueError(
            f"`weights` must have the shape [m], one for each edge. Received: shape={weights.shape}"
        )
    checks = [
        tf.debugging.assert_equal(
            tf.size(weights), tf.shape(edges)[0], "weights: one is needed for each edge"
        ),
        tf.debugging.assert_all_finite(weights, "weights: not finite"),
        tf.debugging.assert_positive(weights, "weights: not positive"),
    ]
    with tf.control_dependencies([check for check in checks if check is not None]):
        return tf.identity(weights)


def _sums(values: tf.Tensor, places: tf.Tensor, n: tf.Tensor) -> tf.Tensor:
    """Adds up the values of each row or column."""
    return tf.math.unsorted_segment_sum(values, places, n)


def distinct_pairs(edges: Any, num_nodes: Count) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Finds the entries of `A + I`, each once and in row-major order.

    Returns:
        The rows, the columns and the number of nodes, as int64 tensors.
    """
    n = tf.cast(num_nodes, tf.int64)
    edges = in_range("edges: an end is no node", edge_pairs(edges), n)
    loops = tf.range(n) * (n + 1)
    keys = tf.concat([edges[:, 0] * n + edges[:, 1], edges[:, 1] * n + edges[:, 0], loops], axis=0)
    keys = tf.sort(keys)
    # The keys are sorted, so one comparison with the neighbours replaces `tf.unique`.
    first = tf.ones_like(keys[:1], tf.bool)
    keys = tf.boolean_mask(keys, tf.concat([first, keys[1:] != keys[:-1]], axis=0))
    return keys // n, keys % n, n


def row_counts(rows: tf.Tensor, num_rows: Count) -> tf.Tensor:
    """Counts how often each row occurs, in double precision."""
    return tf.math.bincount(
        tf.cast(rows, tf.int32), minlength=tf.cast(num_rows, tf.int32), dtype=tf.float64
    )


def in_range(message: str, values: tf.Tensor, stop: Count) -> tf.Tensor:
    """Returns the values after a check that they are in `0 … stop-1`."""
    checks = [
        tf.debugging.assert_non_negative(values, f"{message}: negative"),
        tf.debugging.assert_less(values, tf.cast(stop, values.dtype), f"{message}: too large"),
    ]
    # In eager mode a check that fails has raised, and the others are None.
    with tf.control_dependencies([check for check in checks if check is not None]):
        return tf.identity(values)


def edge_pairs(edges: Any) -> tf.Tensor:
    """Converts edges to an int64 tensor `[m, 2]`, or raises a `ValueError`."""
    if not tf.is_tensor(edges):
        edges = np.asarray(edges)
        if not edges.size:
            edges = np.empty((0, 2), np.int64)
        edges = tf.convert_to_tensor(edges)
    if not edges.dtype.is_integer or edges.shape.rank != 2 or edges.shape[1] != 2:
        raise ValueError(
            "`edges` must be integers of shape [m, 2], one row for each edge. "
            f"Received: shape={edges.shape}, dtype={edges.dtype.name}"
        )
    return tf.cast(edges, tf.int64)
