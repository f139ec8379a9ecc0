"""Multiplies columns by a normalised adjacency in blocks of rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.neighbors import Neighbors, scales

_ALIGNED = 64  # bytes; TensorFlow takes an array without a copy if it begins at a multiple of it
_SCALED_ROWS = 50_000  # scaled at once


class BlockOperator:
    """Multiplies by `Â`, whose rows may be mapped from a file.

    The values of `Â` are never stored: `D^-½ (A + I) D^-½ Z` is a product with `A + I` between two
    scalings of rows. Each row is computed by one thread, so the threads do not change the bits.
    `BlockOperator.of` makes the operator of a graph.

    Args:
        rows: The rows of `A + I`.
        before: Factors of the columns of `A + I`, float32 `[n]`; None if all are one.
        after: Factors of its rows.
        self_loops: Whether the matrix is `A + I`, or `A` alone.
        pool: The threads.
    """

    def __init__(
        self,
        rows: Neighbors,
        before: np.ndarray | None,
        after: np.ndarray | None,
        self_loops: bool,
        pool: ThreadPoolExecutor,
    ) -> None:
        self._rows, self._pool = rows, pool
        self._before, self._after, self._self_loops = before, after, self_loops
        self._blocks = list(self._row_blocks())

    @classmethod
    def of(
        cls,
        rows: Neighbors,
        spec: AdjacencySpec,
        pool: ThreadPoolExecutor,
        transposed: Neighbors | None = None,
    ) -> BlockOperator:
        """Makes the operator of a normalised adjacency.

        Args:
            rows: The rows of `A + I`.
            spec: Normalisation, and whether there are self-loops.
            pool: The threads.
            transposed: The rows of the transposed matrix. By default the matrix is symmetric.
        """
        before, after = scales(rows, spec, transposed)
        return cls(rows, before, after, spec.self_loops, pool)

    def transpose(self, transposed: Neighbors | None = None) -> BlockOperator:
        """Makes the operator of `Âᵀ`, from the rows of the transposed matrix as in `of`."""
        rows = self._rows if transposed is None else transposed
        if rows is self._rows and self._before is self._after:
            return self
        return BlockOperator(rows, self._after, self._before, self._self_loops, self._pool)

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
        scaled = self._scaled(z)
        result = _aligned(z.shape)

        def fill(block: tuple[int, int]) -> None:
            result[slice(*block)] = self._sums(scaled, *block)

        for _ in self._pool.map(fill, self._blocks):
            on_block()
        return result

    @property
    def blocks(self) -> Sequence[tuple[int, int]]:
        """The blocks of rows, `(first row, last row + 1)`, in which products are computed."""
        return self._blocks

    def product_blocks(
        self, z: np.ndarray, blocks: Sequence[tuple[int, int]]
    ) -> Iterator[np.ndarray]:
        """Yields the rows of `Â Z` in some of the `blocks`, with the bits that `product` gives."""
        scaled = self._scaled(z) if blocks else z
        return self._pool.map(lambda block: self._sums(scaled, *block), blocks)

    def _sums(self, scaled: np.ndarray, start: int, stop: int) -> np.ndarray:
        """Computes rows of the product with columns that are scaled."""
        sums = self._rows.rows(start, stop) @ scaled
        if not self._self_loops:
            sums -= scaled[start:stop]
        if self._after is not None:
            sums *= self._after[start:stop, None]
        return sums

    def _scaled(self, z: np.ndarray) -> np.ndarray:
        """Multiplies the rows by the factors of the columns of `A + I`."""
        before = self._before
        if before is None:
            return z
        result = np.empty_like(z)

        def fill(start: int) -> None:
            part = slice(start, start + _SCALED_ROWS)
            np.multiply(z[part], before[part, None], out=result[part])

        list(self._pool.map(fill, range(0, len(z), _SCALED_ROWS)))
        return result

    def _row_blocks(self) -> Iterator[tuple[int, int]]:
        """Yields `(first row, last row + 1)` of blocks with about the same number of entries."""
        count = max(
            1,
            -(-self.num_entries // self._rows.block_entries),
            -(-self.num_nodes // self._rows.block_rows),
        )
        targets = np.linspace(0, self.num_entries, count + 1)
        ends = np.searchsorted(self._rows.indptr, targets).clip(0, self.num_nodes)
        ends[0], ends[-1] = 0, self.num_nodes
        return ((a, b) for a, b in itertools.pairwise(ends.tolist()) if b > a)


def _aligned(shape: tuple[int, ...]) -> np.ndarray:
    """Makes a float32 array that TensorFlow takes without a copy."""
    size = 4 * math.prod(shape)
    memory = np.empty(size + _ALIGNED, np.uint8)
    first = -memory.ctypes.data % _ALIGNED
    return memory[first : first + size].view(np.float32).reshape(shape)
