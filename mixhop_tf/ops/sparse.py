"""Multiplies sparse and dense matrices.

On the CPU, `tf.sparse.sparse_dense_matmul` becomes many times slower at 32 columns, forward and
backward. So wide products are made in blocks of at most 31 columns. TensorFlow also computes the
blocks in parallel.

The gradient of the dense factor is the product with the transposed sparse one. The gradient of the
sparse factor's values is computed only if requested: a compiled `tf.function` drops it otherwise.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.tensors import Matrix, Shape

MAX_COLUMNS = 31


def sparse_tensor(matrix: Any) -> tf.SparseTensor:
    """Converts a SciPy sparse matrix to a float32 `tf.SparseTensor`.

    Args:
        matrix: A SciPy sparse array or matrix.

    Returns:
        The tensor in row-major order. Repeated entries are added up.

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


def sparse_matmul(sparse: Any, dense: tf.Tensor) -> tf.Tensor:
    """Computes `S·H` for a sparse `S [m, n]` and a dense `H [n, d]`, in fast column blocks.

    An operator of another type, such as `RowOperator`, multiplies by its own method `matmul`.
    """
    if not isinstance(sparse, tf.SparseTensor):
        return sparse.matmul(dense)
    width = dense.shape[-1]
    if width is None or width <= MAX_COLUMNS:
        return tf.sparse.sparse_dense_matmul(sparse, dense)
    blocks = tf.split(dense, [stop - start for start, stop in column_blocks(width)], axis=1)
    return tf.concat([tf.sparse.sparse_dense_matmul(sparse, block) for block in blocks], axis=1)


def shared_rows(operator: Any) -> Any:
    """Returns the operator, or one of a pair, if its rows are on several workers; else None."""
    first = operator[0] if isinstance(operator, tuple | list) else operator
    return first if hasattr(first, "normalized") else None


def matmul(x: Matrix, kernel: tf.Tensor) -> tf.Tensor:
    """Computes `X·W` for a dense or sparse `X [n, s]`."""
    return sparse_matmul(x, kernel) if isinstance(x, tf.SparseTensor) else tf.matmul(x, kernel)


def known_width(input_shape: Sequence[Shape]) -> int:
    """Returns the number of columns of `x` when a layer is built for a pair `(x, operator)`."""
    width = input_shape[0][-1]
    if width is None:
        raise ValueError(f"The last axis of `x` must be known. Received: input_shape={input_shape}")
    return width


def column_blocks(width: int) -> Iterator[tuple[int, int]]:
    """Yields `(first column, last column + 1)` of the fewest equal blocks that run fast."""
    count = -(-width // MAX_COLUMNS)
    return itertools.pairwise(width * block // count for block in range(count + 1))
