"""The rows of a layer's input or output, computed block by block when they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from mixhop_tf.layers import RowNormalize, Standardize
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.mapped import release_pages


class Rows(Protocol):
    """A matrix `[n, width]` that is read in blocks of rows."""

    width: int

    def block(self, start: int, stop: int) -> Any:
        """Returns the rows from `start` to `stop`, a float32 array or, of features, a CSR array."""
        ...


class Scaled:
    """The features as the model scales them."""

    def __init__(self, features: Any, model: GraphModel) -> None:
        self._features, self._scaling = features, model.scale_features
        self.width = int(features.shape[1])
        if isinstance(self._scaling, Standardize):
            self._scaling.check_adapted()
            self._mean = self._scaling.mean.numpy()
            self._deviation = self._scaling.deviation.numpy()

    def block(self, start: int, stop: int) -> Any:
        """Reads and scales these rows."""
        return self._scale(_read(self._features, start, stop))

    def take(self, rows: np.ndarray) -> Any:
        """Reads and scales the rows of these indices."""
        return self._scale(self._features[rows])

    def _scale(self, x: Any) -> Any:
        if isinstance(self._scaling, Standardize):
            dense = x.toarray() if hasattr(x, "toarray") else np.asarray(x)
            return (dense - self._mean) / self._deviation
        if not hasattr(x, "toarray"):
            x = np.asarray(x)
        if isinstance(self._scaling, RowNormalize):
            return _unit_rows(x, self._scaling.order, self._scaling.epsilon)
        return x


def _unit_rows(x: Any, order: int, epsilon: float) -> Any:
    """Scales rows to norm one, as `RowNormalize` does."""
    is_sparse = hasattr(x, "toarray")
    sizes = x.multiply(x) if is_sparse else x * x
    if order == 1:
        sizes = abs(x)
    sums = np.maximum(np.asarray(sizes.sum(axis=1)).ravel(), np.float32(epsilon))
    scale = np.float32(1) / (np.sqrt(sums) if order == 2 else sums)
    scale = np.minimum(scale, np.finfo(np.float32).max)[:, None]
    return sp.csr_array(x.multiply(scale)) if is_sparse else x * scale


class Stored:
    """Columns that have been computed, as chunks `[n, k]` side by side."""

    def __init__(self, chunks: Sequence[np.ndarray]) -> None:
        self._chunks = chunks
        self.width = sum(chunk.shape[1] for chunk in chunks)

    def block(self, start: int, stop: int) -> np.ndarray:
        """Reads these rows."""
        return np.concatenate([_read(chunk, start, stop) for chunk in self._chunks], axis=1)


def _read(matrix: Any, start: int, stop: int) -> Any:
    """Reads rows; of a mapped array a copy, so that its pages take no memory."""
    if not isinstance(matrix, np.memmap):
        return matrix[start:stop]
    rows = np.array(matrix[start:stop])
    release_pages(matrix)
    return rows


class Times:
    """The product of rows with a matrix `[width, d]`."""

    def __init__(self, rows: Rows, matrix: np.ndarray) -> None:
        self._rows, self._matrix = rows, matrix
        self.width = matrix.shape[1]

    def block(self, start: int, stop: int) -> np.ndarray:
        """Reads these rows and multiplies them."""
        return np.asarray(self._rows.block(start, stop) @ self._matrix)


class Beside:
    """Matrices side by side."""

    def __init__(self, parts: Sequence[Rows]) -> None:
        self._parts = parts
        self.width = sum(part.width for part in parts)

    def block(self, start: int, stop: int) -> np.ndarray:
        """Reads these rows of every part."""
        return np.concatenate([part.block(start, stop) for part in self._parts], axis=1)


class Applied:
    """The rows after a function that treats every row alike and keeps its width."""

    def __init__(self, rows: Rows, function: Callable[[np.ndarray], np.ndarray]) -> None:
        self._rows, self._function = rows, function
        self.width = rows.width

    def block(self, start: int, stop: int) -> np.ndarray:
        """Reads these rows and applies the function."""
        return self._function(self._rows.block(start, stop))
