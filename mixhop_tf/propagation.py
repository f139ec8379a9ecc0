"""The normalised adjacency, and products with it.

On the CPU `tf.sparse.sparse_dense_matmul` takes a path that is many times slower from 32 columns
on, forward and backward alike. So wide products are made in blocks of at most 31 columns, which the
runtime also spreads over the threads.
Its gradient for the dense factor is the product with the transpose, whatever the adjacency; the
gradient for the adjacency's values, unless somebody asks for it, is dropped when a `tf.function` is
compiled.
"""

import itertools

import numpy as np
import tensorflow as tf

MAX_COLUMNS = 31


def normalized_adjacency(edges, num_nodes, dtype=tf.float32):
    """The symmetrically normalised adjacency with self-loops, `Â = D^-½ (A + I) D^-½`.

    Either direction of an edge stands for both; repeated edges and self-loops among `edges` count
    once.

    Args:
        edges: Integers `[m, 2]`.
        num_nodes: Number of nodes `n`, a Python or a tensor integer.
        dtype: Of the values.

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


def distinct_pairs(edges, num_nodes):
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


def row_counts(rows, num_rows):
    """How often each row occurs, in double precision."""
    return tf.math.bincount(
        tf.cast(rows, tf.int32), minlength=tf.cast(num_rows, tf.int32), dtype=tf.float64
    )


def in_range(message, values, stop):
    """The values, once they are seen to lie in `0 … stop-1`: nothing computes with others."""
    checks = [
        tf.debugging.assert_non_negative(values, f"{message}: negative"),
        tf.debugging.assert_less(values, tf.cast(stop, values.dtype), f"{message}: too large"),
    ]
    # Eagerly the checks have raised by now and are None.
    with tf.control_dependencies([check for check in checks if check is not None]):
        return tf.identity(values)


def edge_pairs(edges):
    """Edges as an int64 tensor `[m, 2]`; other shapes and numbers are refused, not bent."""
    if not tf.is_tensor(edges):
        edges = np.asarray(edges)
        if not edges.size:
            edges = np.empty((0, 2), np.int64)
        edges = tf.convert_to_tensor(edges)
    if not edges.dtype.is_integer or edges.shape.rank != 2 or edges.shape[1] != 2:
        raise ValueError(
            "`edges` must be integers of shape [m, 2], one row an edge. "
            f"Received: shape={edges.shape}, dtype={edges.dtype.name}"
        )
    return tf.cast(edges, tf.int64)


def sparse_tensor(matrix):
    """A SciPy sparse matrix as a float32 `tf.SparseTensor`, in row-major order, each entry once.

    >>> import scipy.sparse
    >>> from mixhop_tf import sparse_tensor
    >>> sparse_tensor(scipy.sparse.eye_array(2)).values.numpy()
    array([1., 1.], dtype=float32)
    """
    csr = matrix.tocsr(copy=True)
    csr.sum_duplicates()
    coo = csr.tocoo()
    indices = np.stack([coo.row, coo.col], axis=1).astype(np.int64)
    return tf.SparseTensor(indices, coo.data.astype(np.float32), coo.shape)


def sparse_matmul(sparse, dense):
    """`S·H` for a sparse `S [m, n]` and a dense `H [n, d]`, in column blocks that run fast."""
    width = dense.shape[-1]
    if width is None or width <= MAX_COLUMNS:
        return tf.sparse.sparse_dense_matmul(sparse, dense)
    blocks = tf.split(dense, [stop - start for start, stop in _blocks(width)], axis=1)
    return tf.concat([tf.sparse.sparse_dense_matmul(sparse, block) for block in blocks], axis=1)


def matmul(x, kernel):
    """`X·W` for a dense or sparse `X [n, s]`."""
    return sparse_matmul(x, kernel) if isinstance(x, tf.SparseTensor) else tf.matmul(x, kernel)


def known_width(input_shape):
    """Columns of `x`, for a layer that is built for a pair `(x, operator)`."""
    width = input_shape[0][-1]
    if width is None:
        raise ValueError(f"The last axis of `x` must be known. Received: input_shape={input_shape}")
    return width


def _blocks(width):
    """`(first column, last column + 1)` of the fewest even blocks that run fast."""
    count = -(-width // MAX_COLUMNS)
    return itertools.pairwise(width * block // count for block in range(count + 1))


def plan_bundles(dims):
    """Divides the columns of all powers into bundles that are propagated together.

    Args:
        dims: Widths of the powers, in ascending order of the powers, all positive.

    Returns:
        A list of bundles of at most 31 columns, each a list of segments `(index of the power, first
        column, last column + 1)`. Narrow powers share a bundle, wide ones fill several.

    >>> plan_bundles([7, 7, 7])
    [[(0, 0, 7), (1, 0, 7), (2, 0, 7)]]
    >>> plan_bundles([20, 40])
    [[(0, 0, 20)], [(1, 0, 20)], [(1, 20, 40)]]
    """
    bundles, room = [], 0
    for i, dim in enumerate(dims):
        for start, stop in _blocks(dim):
            if stop - start > room:
                bundles.append([])
                room = MAX_COLUMNS
            bundles[-1].append((i, start, stop))
            room -= stop - start
    return bundles


def propagate_bundle(adjacency, columns, powers, dims):
    """`Â^j Z_j` for the powers of one bundle, `Z = [Z_0 … ]` holding `d_j` columns for power `j`.

    The columns of all powers from 1 up are multiplied together, then those from 2 up, and so on:
    `Σ_j j·d_j` columns in all.

    Args:
        adjacency: `tf.SparseTensor` `[n, n]`.
        columns: `[n, Σ d_j]`, ordered by ascending power.
        powers: Ascending powers.
        dims: Their widths.

    Returns:
        A list of `[n, d_j]`, one for each power.
    """
    outputs, rest, reached = [], columns, 0
    for i, (power, dim) in enumerate(zip(powers, dims, strict=True)):
        for _ in range(power - reached):
            rest = sparse_matmul(adjacency, rest)
        reached = power
        last = i + 1 == len(dims)
        done, rest = (rest, None) if last else tf.split(rest, [dim, sum(dims[i + 1 :])], axis=1)
        outputs.append(done)
    return outputs


def propagate_powers(adjacency, x, powers):
    """`Â^j X` for each of the ascending `powers`: `max(powers)·s` columns in all."""
    outputs, reached = [], 0
    for power in powers:
        for _ in range(power - reached):
            x = sparse_matmul(adjacency, x)
        reached = power
        outputs.append(x)
    return outputs
