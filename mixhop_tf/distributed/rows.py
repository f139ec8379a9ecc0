"""The rows of a matrix that one worker has."""

from __future__ import annotations

import copy
import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.cores import num_cores
from mixhop_tf.distributed.partition import Partition
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.mapped import release_pages
from mixhop_tf.ops.neighbors import Neighbors, scales

_BLOCK_ENTRIES = 5_000_000
# As in `TiledRows`: entries of a block sorted by tiles of so many columns suit the cache.
_TILE = 25_000


class OwnRows:
    """Some rows of `A + I`, or of another matrix, and what its product is scaled by.

    The entries of a large matrix are kept tile by tile, in 8 bytes each, as in `TiledRows`.

    Args:
        indptr: Where each of the rows begins among the entries, `[rows + 1]`.
        indices: The columns of the entries.
        values: The entries; None if all are one.
        num_columns: Number of columns.
        before: Factors of this worker's rows of `H`, `[rows, 1]`; None if all are one.
        after: Factors of the rows of the product.
        self_loops: Whether the matrix is `A + I`, or `A` alone.
    """

    def __init__(
        self,
        indptr: np.ndarray,
        indices: np.ndarray,
        values: np.ndarray | None,
        num_columns: int,
        before: np.ndarray | None = None,
        after: np.ndarray | None = None,
        self_loops: bool = True,
    ) -> None:
        self._indptr, self._indices, self._values = indptr, indices, values
        self._num_columns = num_columns
        self.before, self.after, self.self_loops = before, after, self_loops
        targets = np.arange(0, max(len(indices), 1) + _BLOCK_ENTRIES, _BLOCK_ENTRIES)
        ends = np.searchsorted(indptr, targets).clip(0, len(indptr) - 1)
        ends[0], ends[-1] = 0, len(indptr) - 1
        self._blocks = [(a, b) for a, b in itertools.pairwise(ends.tolist()) if b > a]
        most = max((int(indptr[b] - indptr[a]) for a, b in self._blocks), default=0)
        self._ones = np.ones(most if values is None else 0, np.float32)
        self._tiles: dict[int, sp.coo_array] = {}
        self._pool = ThreadPoolExecutor(num_cores(), thread_name_prefix="own-rows")

    @classmethod
    def of_neighbors(
        cls,
        partition: Partition,
        rows: Neighbors,
        spec: AdjacencySpec,
        transposed: Neighbors | None = None,
    ) -> tuple[OwnRows, OwnRows]:
        """Makes this worker's rows of a normalised adjacency, and of the transposed one.

        Args:
            partition: Which rows it has.
            rows: The rows of `A + I`.
            spec: Normalisation, and whether there are self-loops.
            transposed: The rows of the transposed matrix; None if it is symmetric.
        """
        own = slice(partition.start, partition.stop)
        before, after = (
            None if each is None else each[own, None].copy()
            for each in scales(rows, spec, transposed)
        )

        def cut(rows: Neighbors, before: Any, after: Any) -> OwnRows:
            ends = np.asarray(rows.indptr[own.start : own.stop + 1])
            entries = slice(int(ends[0]), int(ends[-1]))
            weights = None if rows.weights is None else rows.weights[entries]
            width = partition.size * partition.block
            found = ends - ends[0], rows.indices[entries], weights
            release_pages(rows.indptr)
            return cls(*found, width, before, after, spec.self_loops)

        forward = cut(rows, before, after)
        if transposed is None:
            return forward, forward._scaled(after, before)
        return forward, cut(transposed, after, before)

    @classmethod
    def of_matrix(cls, partition: Partition, matrix: sp.csr_array) -> OwnRows:
        """Cuts this worker's rows out of a whole matrix."""
        own = sp.csr_array(matrix[partition.start : partition.stop])
        width = partition.size * partition.block
        return cls(own.indptr, own.indices, own.data.astype(np.float32), width)

    def _scaled(self, before: Any, after: Any) -> OwnRows:
        """Returns the same entries with other factors; both objects share their tiles."""
        found = copy.copy(self)
        found.before, found.after = before, after
        return found

    def product(self, z: np.ndarray) -> np.ndarray:
        """Multiplies the rows, without the factors, by `z [num_columns, d]`, on all cores."""
        result = np.empty((len(self._indptr) - 1, z.shape[1]), np.float32)

        def fill(block: tuple[int, int]) -> None:
            start, stop = block
            result[start:stop] = self._matrix(start, stop) @ z

        for _ in self._pool.map(fill, self._blocks):
            pass
        return result

    def _matrix(self, start: int, stop: int) -> sp.csr_array | sp.coo_array:
        """Returns a block of rows; in tiles if there are many columns."""
        if start in self._tiles:
            return self._tiles[start]
        first, last = int(self._indptr[start]), int(self._indptr[stop])
        columns = np.asarray(self._indices[first:last])
        ones = self._ones[: last - first]
        values = ones if self._values is None else np.asarray(self._values[first:last])
        shape = stop - start, self._num_columns
        if self._num_columns <= 2 * _TILE:
            indptr = (self._indptr[start : stop + 1] - first).astype(columns.dtype)
            return sp.csr_array((values, columns, indptr), shape=shape)
        lengths = np.diff(self._indptr[start : stop + 1])
        rows = np.repeat(np.arange(stop - start, dtype=columns.dtype), lengths)
        order = np.argsort((columns // _TILE).astype(np.uint32), kind="stable")
        values = values if self._values is None else values[order]
        found = sp.coo_array((values, (rows[order], columns[order])), shape=shape)
        self._tiles[start] = found
        release_pages(self._indices)
        return found
