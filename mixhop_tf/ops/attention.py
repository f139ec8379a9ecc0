"""Computes attention over the edges of a graph, without a dense `n×n` matrix.

Products with sparse incidence matrices `[e, n]` bring the nodes' values to the edges. `tf.gather`
would do the same, but its gradient is many times slower on the CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.ops.sparse import column_blocks, sparse_matmul


def incidence(
    nodes: tf.Tensor, num_nodes: tf.Tensor, dtype: tf.DType = tf.float32
) -> tf.SparseTensor:
    """Makes the sparse `[e, n]` whose row for each edge has a one in the column of its node."""
    count = tf.shape(nodes, tf.int64)[0]
    indices = tf.stack([tf.range(count), nodes], axis=1)
    return tf.SparseTensor(indices, tf.ones([count], dtype), tf.stack([count, num_nodes]))


def edge_attention(
    adjacency: tf.SparseTensor,
    own: tf.Tensor,
    neighbour: tf.Tensor,
    negative_slope: float,
    weighted: bool = False,
) -> tf.Tensor:
    """Computes the coefficients of all edges from the shares of their ends in the scores.

    The scores are `e_ij = leaky_relu(own_i + neighbour_j)`.

    Args:
        adjacency: `tf.SparseTensor` `[n, n]` in row-major order, with an entry for each edge.
        own: Share of a node in the scores of its own row, `[n, heads]`.
        neighbour: Share of a node in the scores of its column, `[n, heads]`.
        negative_slope: Slope of the leaky relu below zero.
        weighted: Whether the adjacency's values count as multiplicities of the edges. Otherwise
            they are ignored.

    Returns:
        The coefficients `[e, heads]` in the order of the adjacency's indices.
    """
    rows, columns = adjacency.indices[:, 0], adjacency.indices[:, 1]
    num_nodes = adjacency.dense_shape[0]
    sources, targets = (incidence(nodes, num_nodes, own.dtype) for nodes in (rows, columns))
    scores = sparse_matmul(sources, own) + sparse_matmul(targets, neighbour)
    scores = tf.nn.leaky_relu(scores, negative_slope)
    weights = tf.cast(adjacency.values, scores.dtype) if weighted else None
    return neighbourhood_softmax(scores, sources, weights)


def neighbourhood_softmax(
    scores: tf.Tensor, sources: tf.SparseTensor, weights: tf.Tensor | None = None
) -> tf.Tensor:
    """Computes `w_ij exp(e_ij) / Σ_j w_ij exp(e_ij)` over the neighbours `j` of each node `i`.

    Args:
        scores: Scores of the edges `e_ij`, `[e, heads]`.
        sources: The `incidence` of the first nodes `i` of the edges, in ascending order.
        weights: Positive weights of the edges `w_ij`, `[e]`. None means ones.

    Returns:
        The coefficients `[e, heads]`.
    """
    nodes = sources.indices[:, 1]
    # Subtracting the largest score leaves the result unchanged and avoids overflow.
    largest = tf.stop_gradient(tf.math.segment_max(scores, nodes))
    largest = _padded(largest, sources)
    powers = tf.exp(scores - sparse_matmul(sources, largest))
    if weights is not None:
        powers = powers * weights[:, tf.newaxis]
    sums = _padded(tf.math.segment_sum(powers, nodes), sources)
    return powers * sparse_matmul(sources, tf.math.divide_no_nan(tf.ones([], sums.dtype), sums))


def _padded(values: tf.Tensor, sources: tf.SparseTensor) -> tf.Tensor:
    """Adds rows of zeros for the last nodes, which may have no edge."""
    missing = sources.dense_shape[1] - tf.shape(values, tf.int64)[0]
    return tf.pad(values, [[0, missing], [0, 0]])


def head_columns(widths: Sequence[int], dtype: tf.DType = tf.float32) -> tf.Tensor:
    """Makes the matrix `[Σ widths, heads]` with a one wherever a column belongs to a head.

    >>> head_columns([2, 1]).numpy().tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    return tf.constant(np.repeat(np.eye(len(widths)), widths, axis=0), dtype)


def attend(
    adjacency: tf.SparseTensor,
    attention: tf.Tensor,
    values: tf.Tensor,
    widths: Sequence[int] | None = None,
) -> tf.Tensor:
    """Computes `y_i = Σ_j α_ij z_j` for each head.

    Args:
        adjacency: `tf.SparseTensor` `[n, n]`, whose values are ignored.
        attention: Coefficients `α`, `[e, heads]`, in the order of the adjacency's indices.
        values: Values `z`, `[n, Σ widths]`, one head after the other.
        widths: Number of columns of each head. By default all heads have the same.

    Returns:
        The weighted sums `[n, Σ widths]`.
    """
    heads = attention.shape[1]
    widths = widths or [values.shape[1] // heads] * heads
    blocks = [
        (head, stop - start)
        for head, width in enumerate(widths)
        for start, stop in column_blocks(width)
    ]
    rows, columns = adjacency.indices[:, 0], adjacency.indices[:, 1]

    @tf.custom_gradient
    def product(attention: tf.Tensor, values: tf.Tensor) -> Any:
        weights = [adjacency.with_values(each) for each in tf.unstack(attention, axis=1)]

        def gradient(upstream: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            # TensorFlow's own gradient takes twice as long, because it gathers head by head.
            products = tf.gather(upstream, rows) * tf.gather(values, columns)
            return _sum_by_head(products, widths), multiply(weights, upstream, adjoint_a=True)

        return multiply(weights, values), gradient

    def multiply(
        weights: Sequence[tf.SparseTensor], dense: tf.Tensor, **options: bool
    ) -> tf.Tensor:
        parts = zip(blocks, tf.split(dense, [width for _, width in blocks], axis=1), strict=True)
        return tf.concat(
            [tf.sparse.sparse_dense_matmul(weights[head], z, **options) for (head, _), z in parts],
            axis=1,
        )

    return product(attention, values)


def _sum_by_head(columns: tf.Tensor, widths: Sequence[int]) -> tf.Tensor:
    if len(set(widths)) == 1:
        return tf.reduce_sum(tf.reshape(columns, [-1, len(widths), widths[0]]), axis=2)
    return tf.matmul(columns, head_columns(widths, columns.dtype))
