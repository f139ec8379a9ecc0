"""Multiplies columns by a normalised adjacency in blocks of rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.aligned import aligned
from mixhop_tf.ops.neighbors import Neighbors, scales

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

    def product(self, z: np.ndarray, *, overwrite: bool = False) -> np.ndarray:
        """Computes `Â Z`.

        Args:
            z: float32 `[n, k]`.
            overwrite: Whether `z` may change, which saves a copy.

        Returns:
            float32 `[n, k]`.
        """
        scaled = self._scaled(z, overwrite)
        result = aligned(z.shape)

        def fill(block: tuple[int, int]) -> None:
            self._fill(result[slice(*block)], scaled, *block)

        for _ in self._pool.map(fill, self._blocks):
            pass
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

        def rows(block: tuple[int, int]) -> np.ndarray:
            result = np.empty((block[1] - block[0], z.shape[1]), np.float32)
            self._fill(result, scaled, *block)
            return result

        return self._pool.map(rows, blocks)

    def _fill(self, result: np.ndarray, scaled: np.ndarray, start: int, stop: int) -> None:
        """Computes rows of the product with columns that are scaled."""
        self._rows.times(start, stop, scaled, result)
        if not self._self_loops:
            result -= scaled[start:stop, : result.shape[1]]
        if self._after is not None:
            result *= self._after[start:stop, None]

    def _scaled(self, z: np.ndarray, overwrite: bool = False) -> np.ndarray:
        """Multiplies the rows by the factors of the columns of `A + I`.

        More columns follow, of zeros, if this makes the product faster.
        """
        before, (n, width) = self._before, z.shape
        wide = self._rows.fast_width(width)
        if before is None and wide == width:
            return z
        result = z if overwrite and wide == width else aligned((n, wide))

        def fill(start: int) -> None:
            part = slice(start, start + _SCALED_ROWS)
            factors = np.float32(1) if before is None else before[part, None]
            np.multiply(z[part], factors, out=result[part, :width])
            result[part, width:] = 0

        list(self._pool.map(fill, range(0, n, _SCALED_ROWS)))
        return result

    def _row_blocks(self) -> Iterator[tuple[int, int]]:
        """Yields `(first row, last row + 1)` of blocks with about the same number of entries."""
        count = max(
            1,
            -(-self.num_entries // self._rows.block_entries),
            -(-self.num_nodes // self._rows.block_rows),
        )
        count += count % 2 if count > 1 else 0  # an odd one would keep one of two cores waiting
        targets = np.linspace(0, self.num_entries, count + 1)
        ends = np.searchsorted(self._rows.indptr, targets).clip(0, self.num_nodes)
        ends[0], ends[-1] = 0, self.num_nodes
        return ((a, b) for a, b in itertools.pairwise(ends.tolist()) if b > a)
