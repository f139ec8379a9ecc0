"""Multiplies columns by a normalised adjacency in blocks of rows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.neighbors import Neighbors

_BLOCK_ENTRIES = 2_000_000
_BLOCK_ROWS = 100_000


class BlockOperator:
    """Multiplies by `Â`, whose rows may be mapped from a file.

    The values of `Â` are never stored: `D^-½ (A + I) D^-½ Z` is a product with `A + I` between two
    scalings of rows. Each row is computed by one thread, so the threads do not change the bits.

    Args:
        rows: The rows of `A + I`.
        spec: Normalisation, and whether there are self-loops.
        transposed: The rows of the transposed matrix, for the sums of the columns. By default the
            matrix is symmetric.
        pool: The threads.
    """

    def __init__(
        self,
        rows: Neighbors,
        spec: AdjacencySpec,
        pool: ThreadPoolExecutor,
        transposed: Neighbors | None = None,
    ) -> None:
        self._rows, self._pool = rows, pool
        self._self_loops = spec.self_loops
        self._before = self._after = None
        if spec.normalization != "none":
            sums = self._sums(rows)
        if spec.normalization == "symmetric":
            other = sums if transposed is None else self._sums(transposed)
            self._before, self._after = _power(other, -0.5), _power(sums, -0.5)
        elif spec.normalization == "row":
            self._after = _power(sums, -1.0)
        self._blocks = list(self._row_blocks())

    @property
    def num_nodes(self) -> int:
        """Number of nodes `n`."""
        return self._rows.num_nodes

    @property
    def num_entries(self) -> int:
        """Number of entries of `A + I`, the cost of a product with one column."""
        return self._rows.num_entries

    def product(self, z: np.ndarray, on_block: Callable[[], Any] = lambda: None) -> np.ndarray:
        """Computes `Â Z`.

        Args:
            z: float32 `[n, k]`.
            on_block: Function that is called after each block of rows.

        Returns:
            float32 `[n, k]`.
        """
        scaled = z if self._before is None else np.multiply(z, self._before[:, None])
        result = np.empty_like(z)

        def fill(block: tuple[int, int]) -> None:
            start, stop = block
            sums = self._rows.rows(start, stop) @ scaled
            if not self._self_loops:
                sums -= scaled[start:stop]
            if self._after is not None:
                sums *= self._after[start:stop, None]
            result[start:stop] = sums

        for _ in self._pool.map(fill, self._blocks):
            on_block()
        return result

    def _row_blocks(self) -> Iterator[tuple[int, int]]:
        """Yields `(first row, last row + 1)` of blocks with about the same number of entries."""
        count = max(
            1,
            -(-self.num_entries // _BLOCK_ENTRIES),
            -(-self.num_nodes // _BLOCK_ROWS),
        )
        targets = np.linspace(0, self.num_entries, count + 1)
        ends = np.searchsorted(self._rows.indptr, targets).clip(0, self.num_nodes)
        ends[0], ends[-1] = 0, self.num_nodes
        return ((a, b) for a, b in itertools.pairwise(ends.tolist()) if b > a)

    def _sums(self, rows: Neighbors) -> np.ndarray:
        """Computes the sum of each row, float64 `[n]`."""
        if rows.weights is None:
            sums = np.diff(rows.indptr).astype(np.float64)
        else:
            sums = np.empty(rows.num_nodes)
            for start in range(0, rows.num_nodes, _BLOCK_ROWS):
                stop = min(start + _BLOCK_ROWS, rows.num_nodes)
                ends = np.asarray(rows.indptr[start : stop + 1])
                values = np.asarray(rows.weights[ends[0] : ends[-1]], np.float64)
                # Every row has an entry, its self-loop, so no segment is empty.
                sums[start:stop] = np.add.reduceat(values, ends[:-1] - ends[0])
        return sums if self._self_loops else sums - 1.0


def _power(sums: np.ndarray, exponent: float) -> np.ndarray:
    """Computes `sums ** exponent` as float32; a row without entries gets zero."""
    with np.errstate(divide="ignore"):
        return np.where(sums > 0, sums**exponent, 0.0).astype(np.float32)
