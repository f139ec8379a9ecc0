"""Computes attention over the edges of a graph, without a dense `n×n` matrix.

Products with sparse incidence matrices `[e, n]` bring the nodes' values to the edges. `tf.gather`
would do the same, but its gradient is many times slower on the CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf


def incidence(
    nodes: tf.Tensor, num_nodes: tf.Tensor, dtype: tf.DType = tf.float32
) -> tf.SparseTensor:
    """Makes the sparse `[e, n]` whose row for each edge has a one in the column of its node."""
    count = tf.shape(nodes, tf.int64)[0]
    indices = tf.stack([tf.range(count), nodes], axis=1)
    return tf.SparseTensor(indices, tf.ones([count], dtype), tf.stack([count, num_nodes]))


def neighbourhood_softmax(scores: tf.Tensor, sources: tf.SparseTensor) -> tf.Tensor:
    """Computes `exp(e_ij) / Σ_j exp(e_ij)` over the neighbours `j` of each node `i`.

    Args:
        scores: Scores of the edges `e_ij`, `[e, heads]`.
        sources: The `incidence` of the first nodes `i` of the edges, in ascending order.

    Returns:
        The coefficients `[e, heads]`.
    """
    nodes = sources.indices[:, 1]
    to_edges = tf.sparse.sparse_dense_matmul
    # Subtracting the largest score leaves the result unchanged and avoids overflow.
    largest = tf.stop_gradient(tf.math.segment_max(scores, nodes))
    largest = _padded(largest, sources)
    powers = tf.exp(scores - to_edges(sources, largest))
    sums = _padded(tf.math.segment_sum(powers, nodes), sources)
    return powers * to_edges(sources, tf.math.divide_no_nan(tf.ones([], sums.dtype), sums))


def _padded(values: tf.Tensor, sources: tf.SparseTensor) -> tf.Tensor:
    """Adds rows of zeros for the last nodes, which may have no edge."""
    missing = sources.dense_shape[1] - tf.shape(values, tf.int64)[0]
    return tf.pad(values, [[0, missing], [0, 0]])


def attend(adjacency: tf.SparseTensor, attention: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """Computes `y_i = Σ_j α_ij z_j` for each head.

    Args:
        adjacency: `tf.SparseTensor` `[n, n]`, whose values are ignored.
        attention: Coefficients `α`, `[e, heads]`, in the order of the adjacency's indices.
        values: Values `z`, `[n, heads·d]`, one head after the other.

    Returns:
        The weighted sums `[n, heads·d]`.
    """
    heads = attention.shape[1]
    rows, columns = adjacency.indices[:, 0], adjacency.indices[:, 1]

    @tf.custom_gradient
    def product(attention: tf.Tensor, values: tf.Tensor) -> Any:
        weights = [adjacency.with_values(each) for each in tf.unstack(attention, axis=1)]

        def gradient(upstream: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            # TensorFlow's own gradient takes twice as long, because it gathers head by head.
            products = tf.gather(upstream, rows) * tf.gather(values, columns)
            by_head = tf.reshape(products, [-1, heads, values.shape[1] // heads])
            return tf.reduce_sum(by_head, axis=2), multiply(weights, upstream, adjoint_a=True)

        return multiply(weights, values), gradient

    def multiply(
        weights: Sequence[tf.SparseTensor], dense: tf.Tensor, **options: bool
    ) -> tf.Tensor:
        parts = zip(weights, tf.split(dense, heads, axis=1), strict=True)
        return tf.concat([tf.sparse.sparse_dense_matmul(a, z, **options) for a, z in parts], axis=1)

    return product(attention, values)
