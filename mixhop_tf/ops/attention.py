"""Attention over the edges of a graph, without any dense `n×n` matrix.

Products with sparse incidence matrices `[e, n]` bring the nodes' values to the edges. Their
gradient is another such product. The gradient of `tf.gather` is many times slower on the CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf


def incidence(
    nodes: tf.Tensor, num_nodes: tf.Tensor, dtype: tf.DType = tf.float32
) -> tf.SparseTensor:
    """The sparse `[e, n]` with a one in each row, in the column of that edge's node."""
    count = tf.shape(nodes, tf.int64)[0]
    indices = tf.stack([tf.range(count), nodes], axis=1)
    return tf.SparseTensor(indices, tf.ones([count], dtype), tf.stack([count, num_nodes]))


def neighbourhood_softmax(scores: tf.Tensor, sources: tf.SparseTensor) -> tf.Tensor:
    """`exp(e_ij) / Σ_j exp(e_ij)` over the neighbours `j` of each node `i`.

    Args:
        scores: `e`, `[e, heads]`.
        sources: `incidence` of the edges' first nodes `i`, which ascend.
    """
    nodes = sources.indices[:, 1]
    to_edges = tf.sparse.sparse_dense_matmul
    # The result is the same without the largest score, and no exponential is too large.
    largest = tf.stop_gradient(tf.math.segment_max(scores, nodes))
    largest = _padded(largest, sources)
    powers = tf.exp(scores - to_edges(sources, largest))
    sums = _padded(tf.math.segment_sum(powers, nodes), sources)
    return powers * to_edges(sources, tf.math.divide_no_nan(tf.ones([], sums.dtype), sums))


def _padded(values: tf.Tensor, sources: tf.SparseTensor) -> tf.Tensor:
    """The values with a row for each node: the last nodes may have no edge."""
    missing = sources.dense_shape[1] - tf.shape(values, tf.int64)[0]
    return tf.pad(values, [[0, missing], [0, 0]])


def attend(adjacency: tf.SparseTensor, attention: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """`y_i = Σ_j α_ij z_j`, head by head.

    Args:
        adjacency: `tf.SparseTensor` `[n, n]`; only its indices count.
        attention: `α`, `[e, heads]`, in the order of the indices.
        values: `z`, `[n, heads·d]`, head after head.

    Returns:
        `[n, heads·d]`.
    """
    heads = attention.shape[1]
    rows, columns = adjacency.indices[:, 0], adjacency.indices[:, 1]

    @tf.custom_gradient
    def product(attention: tf.Tensor, values: tf.Tensor) -> Any:
        weights = [adjacency.with_values(each) for each in tf.unstack(attention, axis=1)]

        def gradient(upstream: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            # TensorFlow's gradient takes twice as long: it gathers the values head by head.
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
