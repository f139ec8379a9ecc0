"""The Laplacian, rescaled so that its eigenvalues lie in [-1, 1]."""

import math

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg
import tensorflow as tf

from mixhop_tf.propagation import distinct_pairs, row_counts

_DIGITS = 4


def rescaled_laplacian(edges, num_nodes, largest_eigenvalue=2.0, dtype=tf.float32):
    """`2 L / λ - I` of the normalised Laplacian `L = I - D^-½ A D^-½`.

    Either direction of an edge stands for both; repeated edges count once, self-loops not at all.

    Args:
        edges: Integers `[m, 2]`.
        num_nodes: Number of nodes `n`, a Python or a tensor integer.
        largest_eigenvalue: `λ`.
        dtype: Of the values.

    Returns:
        A `tf.SparseTensor` `[n, n]` in row-major order.

    >>> import tensorflow as tf
    >>> from mixhop_tf.baselines import rescaled_laplacian
    >>> tf.sparse.to_dense(rescaled_laplacian([[0, 1]], num_nodes=2)).numpy().tolist()
    [[0.0, -1.0], [-1.0, 0.0]]
    """
    rows, columns, n = distinct_pairs(edges, num_nodes)
    loops = rows == columns
    degrees = row_counts(rows, n) - 1.0  # without the loop
    scale = tf.constant(2.0 / largest_eigenvalue, tf.float64)
    # Every edge has two ends of degree 1 or more; only the loop of a node alone divides by zero.
    products = tf.gather(degrees, rows) * tf.gather(degrees, columns)
    values = tf.where(loops, scale - 1.0, -scale / tf.sqrt(tf.maximum(products, 1.0)))
    return tf.SparseTensor(
        tf.stack([rows, columns], axis=1), tf.cast(values, dtype), tf.stack([n, n])
    )


def largest_eigenvalue(edges, num_nodes):
    """The largest eigenvalue of the normalised Laplacian, by SciPy, rounded up to 4 decimals.

    At most 2. Rounded, so that machines whose last digits differ agree on it; up, so that the
    rescaled eigenvalues stay in [-1, 1].

    >>> from mixhop_tf.baselines import largest_eigenvalue
    >>> largest_eigenvalue([[0, 1], [1, 2], [2, 0]], num_nodes=3)
    1.5
    """
    rescaled = rescaled_laplacian(edges, num_nodes, dtype=tf.float64)
    entries = rescaled.values.numpy(), rescaled.indices.numpy().T
    laplacian = sp.csr_array(entries, shape=(num_nodes, num_nodes)) + sp.eye_array(num_nodes)
    if num_nodes < 32:
        found = np.linalg.eigvalsh(laplacian.toarray())[-1]
    else:
        try:
            # The start is fixed, for the same digits each time; and no eigenvector of its own.
            start = np.random.default_rng(0).standard_normal(num_nodes)
            (found,) = scipy.sparse.linalg.eigsh(
                laplacian, k=1, which="LA", v0=start, return_eigenvectors=False, tol=1e-7
            )
        except scipy.sparse.linalg.ArpackNoConvergence:
            return 2.0  # the bound of all graphs
    unit = 10**_DIGITS
    return min(2.0, math.ceil(round(float(found) * unit, 2)) / unit)
