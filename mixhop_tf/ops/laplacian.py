"""Makes the Laplacian, and a version with eigenvalues in [-1, 1]."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg
import tensorflow as tf

from mixhop_tf.ops.adjacency import Count, distinct_pairs, normalized_adjacency, row_counts

_DIGITS = 4


def rescaled_laplacian(
    edges: Any,
    num_nodes: Count,
    largest_eigenvalue: float = 2.0,
    dtype: tf.DType = tf.float32,
) -> tf.SparseTensor:
    """Makes `2 L / λ - I` from the normalised Laplacian `L = I - D^-½ A D^-½`.

    Either direction of an edge stands for both. Repeated edges count once. Self-loops are ignored.

    Args:
        edges: Pairs of node indices `[m, 2]`, as an array, a tensor or nested lists.
        num_nodes: Number of nodes `n`, as an `int` or an integer tensor.
        largest_eigenvalue: Largest eigenvalue `λ` of `L`, or a larger number.
        dtype: Type of the values of the result.

    Returns:
        A `tf.SparseTensor` `[n, n]` in row-major order.

    >>> import tensorflow as tf
    >>> from mixhop_tf.ops.laplacian import rescaled_laplacian
    >>> tf.sparse.to_dense(rescaled_laplacian([[0, 1]], num_nodes=2)).numpy().tolist()
    [[0.0, -1.0], [-1.0, 0.0]]
    """
    rows, columns, n = distinct_pairs(edges, num_nodes)
    loops = rows == columns
    degrees = row_counts(rows, n) - 1.0  # without the loop
    scale = tf.constant(2.0 / largest_eigenvalue, tf.float64)
    # The ends of an edge have degree 1 or more, so only the loop of an isolated node gives zero.
    products = tf.gather(degrees, rows) * tf.gather(degrees, columns)
    values = tf.where(loops, scale - 1.0, -scale / tf.sqrt(tf.maximum(products, 1.0)))
    return tf.SparseTensor(
        tf.stack([rows, columns], axis=1), tf.cast(values, dtype), tf.stack([n, n])
    )


def laplacian(
    edges: Any, num_nodes: Count, weights: Any = None, dtype: tf.DType = tf.float32
) -> tf.SparseTensor:
    """Makes `L = D - A`, so `tr(Fᵀ L F)` is the sum over all edges of `a_uv |f_u - f_v|^2`.

    Either direction of an edge stands for both. Self-loops are ignored.

    Args:
        edges: Pairs of node indices `[m, 2]`, as an array, a tensor or nested lists.
        num_nodes: Number of nodes `n`, as an `int` or an integer tensor.
        weights: Weights of the edges `[m]`, which add up if an edge is repeated; by default
            repeated edges count once.
        dtype: Type of the values of the result.

    Returns:
        A `tf.SparseTensor` `[n, n]` in row-major order.

    >>> import tensorflow as tf
    >>> from mixhop_tf.ops.laplacian import laplacian
    >>> tf.sparse.to_dense(laplacian([[0, 1]], num_nodes=2)).numpy().tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    adjacency = normalized_adjacency(
        edges, num_nodes, tf.float64, weights=weights, normalization="none"
    )
    rows, columns = tf.unstack(adjacency.indices, axis=1)
    loops = rows == columns
    values = tf.where(loops, tf.zeros([], tf.float64), adjacency.values)
    degrees = tf.math.segment_sum(values, rows)  # every row has a loop, so none is missing
    values = tf.where(loops, tf.gather(degrees, rows), -values)
    return tf.SparseTensor(adjacency.indices, tf.cast(values, dtype), adjacency.dense_shape)


def largest_eigenvalue(edges: Any, num_nodes: int) -> float:
    """Computes the largest eigenvalue of the normalised Laplacian, rounded up to 4 decimals.

    It is rounded so that all machines agree on it. It is rounded up so that the rescaled
    eigenvalues stay in [-1, 1].

    Args:
        edges: Pairs of node indices `[m, 2]`, as an array, a tensor or nested lists.
        num_nodes: Number of nodes `n`.

    Returns:
        The eigenvalue, at most 2.

    >>> from mixhop_tf.ops.laplacian import largest_eigenvalue
    >>> largest_eigenvalue([[0, 1], [1, 2], [2, 0]], num_nodes=3)
    1.5
    """
    rescaled = rescaled_laplacian(edges, num_nodes, dtype=tf.float64)
    entries = rescaled.values.numpy(), rescaled.indices.numpy().T
    normalized = sp.csr_array(entries, shape=(num_nodes, num_nodes)) + sp.eye_array(num_nodes)
    if num_nodes < 32:
        eigenvalue = np.linalg.eigvalsh(normalized.toarray())[-1]
    else:
        try:
            # A fixed seed gives the same digits each time. A random vector is not an eigenvector.
            start = np.random.default_rng(0).standard_normal(num_nodes)
            (eigenvalue,) = scipy.sparse.linalg.eigsh(
                normalized, k=1, which="LA", v0=start, return_eigenvectors=False, tol=1e-7
            )
        except scipy.sparse.linalg.ArpackNoConvergence:
            return 2.0  # the bound that holds for every graph
    unit = 10**_DIGITS
    return min(2.0, math.ceil(round(float(eigenvalue) * unit, 2)) / unit)
