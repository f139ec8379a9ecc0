"""Makes the normalised adjacency from edges."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import tensorflow as tf

Count: TypeAlias = "int | tf.Tensor"


def normalized_adjacency(
    edges: Any, num_nodes: Count, dtype: tf.DType = tf.float32
) -> tf.SparseTensor:
    """Makes the normalised adjacency with self-loops, `Â = D^-½ (A + I) D^-½`.

    The result is symmetric: either direction of an edge stands for both. Repeated edges and
    self-loops in `edges` count once.

    Args:
        edges: Pairs of node indices `[m, 2]`, as an array, a tensor or nested lists.
        num_nodes: Number of nodes `n`, as an `int` or an integer tensor.
        dtype: Type of the values of the result.

    Returns:
        A `tf.SparseTensor` `[n, n]` in row-major order.

    Raises:
        ValueError: The edges are not integers of the shape `[m, 2]`.
        tf.errors.InvalidArgumentError: An edge ends outside `0 … n-1`.

    >>> import tensorflow as tf
    >>> from mixhop_tf import normalized_adjacency
    >>> dense = tf.sparse.to_dense(normalized_adjacency([[0, 1]], num_nodes=3))
    >>> dense.numpy().round(2).tolist()
    [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    """
    rows, columns, n = distinct_pairs(edges, num_nodes)
    degrees = row_counts(rows, n)
    # Double precision, because float32's rsqrt has errors in its last digits.
    values = 1.0 / tf.sqrt(tf.gather(degrees, rows) * tf.gather(degrees, columns))
    indices = tf.stack([rows, columns], axis=1)
    return tf.SparseTensor(indices, tf.cast(values, dtype), tf.stack([n, n]))


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
