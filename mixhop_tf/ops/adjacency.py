"""The normalised adjacency, from edges."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import tensorflow as tf

Count: TypeAlias = "int | tf.Tensor"


def normalized_adjacency(
    edges: Any, num_nodes: Count, dtype: tf.DType = tf.float32
) -> tf.SparseTensor:
    """The symmetrically normalised adjacency with self-loops, `Â = D^-½ (A + I) D^-½`.

    Either direction of an edge stands for both. Repeated edges and self-loops in `edges` count
    once.

    Args:
        edges: Integers `[m, 2]`: an array, a tensor or nested lists.
        num_nodes: Number of nodes `n`, a Python or a tensor integer.
        dtype: Type of the values.

    Returns:
        A `tf.SparseTensor` `[n, n]` in row-major order.

    >>> import tensorflow as tf
    >>> from mixhop_tf import normalized_adjacency
    >>> dense = tf.sparse.to_dense(normalized_adjacency([[0, 1]], num_nodes=3))
    >>> dense.numpy().round(2).tolist()
    [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    """
    rows, columns, n = distinct_pairs(edges, num_nodes)
    degrees = row_counts(rows, n)
    # In double precision: float32's rsqrt is off by some units in the last place.
    values = 1.0 / tf.sqrt(tf.gather(degrees, rows) * tf.gather(degrees, columns))
    indices = tf.stack([rows, columns], axis=1)
    return tf.SparseTensor(indices, tf.cast(values, dtype), tf.stack([n, n]))


def distinct_pairs(edges: Any, num_nodes: Count) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Rows and columns of `A + I`, each entry once, in row-major order; and the number of nodes."""
    n = tf.cast(num_nodes, tf.int64)
    edges = in_range("edges: an end is no node", edge_pairs(edges), n)
    loops = tf.range(n) * (n + 1)
    keys = tf.concat([edges[:, 0] * n + edges[:, 1], edges[:, 1] * n + edges[:, 0], loops], axis=0)
    keys = tf.sort(keys)
    # Not tf.unique: sorted keys are compared with their neighbours in one pass.
    first = tf.ones_like(keys[:1], tf.bool)
    keys = tf.boolean_mask(keys, tf.concat([first, keys[1:] != keys[:-1]], axis=0))
    return keys // n, keys % n, n


def row_counts(rows: tf.Tensor, num_rows: Count) -> tf.Tensor:
    """How often each row occurs, in double precision."""
    return tf.math.bincount(
        tf.cast(rows, tf.int32), minlength=tf.cast(num_rows, tf.int32), dtype=tf.float64
    )


def in_range(message: str, values: tf.Tensor, stop: Count) -> tf.Tensor:
    """The values after a check that they lie in `0 … stop-1`: nothing computes with others."""
    checks = [
        tf.debugging.assert_non_negative(values, f"{message}: negative"),
        tf.debugging.assert_less(values, tf.cast(stop, values.dtype), f"{message}: too large"),
    ]
    # In eager mode the checks have raised by now and are None.
    with tf.control_dependencies([check for check in checks if check is not None]):
        return tf.identity(values)


def edge_pairs(edges: Any) -> tf.Tensor:
    """Edges as an int64 tensor `[m, 2]`; other shapes and types raise a `ValueError`."""
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
