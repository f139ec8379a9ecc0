"""Reads the features of a batch, and turns them into what the model takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf.tensors import Matrix

# A matrix with a larger share of non-zero entries is cheaper as a dense one.
_FEW = 1 / 4


class FeatureRows:
    """Reads rows of a matrix `[n, s]`, which may be mapped from a file.

    Args:
        matrix: The features, an array or a SciPy sparse array.
    """

    def __init__(self, matrix: np.ndarray | sp.csr_array) -> None:
        self._matrix: Any = matrix
        self._width = matrix.shape[1]
        cells = matrix.shape[0] * self._width
        self._is_sparse = sp.issparse(matrix) and matrix.nnz <= _FEW * cells

    @property
    def specs(self) -> list[tf.TensorSpec]:
        """Types and shapes of the arrays that `read` returns."""
        if self._is_sparse:
            return [tf.TensorSpec([None, 2], tf.int64), tf.TensorSpec([None], tf.float32)]
        return [tf.TensorSpec([None, self._width], tf.float32)]

    def read(self, nodes: np.ndarray) -> list[np.ndarray]:
        """Reads the rows of some nodes: dense rows, or the indices and values of sparse ones."""
        if isinstance(self._matrix, np.ndarray):
            # Several times as fast as `matrix[nodes]`, with the same result.
            return [np.asarray(self._matrix.take(nodes, axis=0), np.float32)]
        rows = self._matrix[nodes]
        if not self._is_sparse:
            return [rows.toarray().astype(np.float32)]
        rows.sort_indices()
        entries = rows.tocoo()
        indices = np.stack([entries.row, entries.col], axis=1).astype(np.int64)
        return [indices, entries.data.astype(np.float32)]

    def matrix(self, parts: Sequence[tf.Tensor], num_nodes: tf.Tensor) -> Matrix:
        """Makes a tensor `[num_nodes, s]` from the arrays that `read` returned."""
        if not self._is_sparse:
            return parts[0]
        indices, values = parts
        return tf.SparseTensor(indices, values, [num_nodes, self._width])


class HopRows:
    """Reads rows of features that were propagated beforehand.

    Args:
        hops: The arrays `Â^j X`, each `[n, s]`.
    """

    def __init__(self, hops: Sequence[np.ndarray]) -> None:
        self._hops = hops
        self._width = hops[0].shape[1]

    @property
    def specs(self) -> list[tf.TensorSpec]:
        """Types and shapes of the arrays that `read` returns."""
        return [tf.TensorSpec([None, self._width], tf.float32) for _ in self._hops]

    def read(self, nodes: np.ndarray) -> list[np.ndarray]:
        """Reads the rows of some nodes, one array for each hop."""
        return [np.asarray(hop.take(nodes, axis=0)) for hop in self._hops]
