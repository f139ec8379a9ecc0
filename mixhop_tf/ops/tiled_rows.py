"""The rows of an adjacency in an order that suits the cache, for many products."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from mixhop_tf.ops.mapped import release_pages
from mixhop_tf.ops.neighbors import Neighbors

# Columns of a tile: so many rows of the other factor stay in the cache of a core.
_TILE = 25_000


class TiledRows(Neighbors):
    """Rows of `A + I` whose entries are kept tile by tile.

    A product of large matrices spends most of its time waiting for rows of the dense factor, which
    come from memory in a random order. Here the entries of a block of rows are sorted by tiles of
    columns, so the dense rows of a tile are in the cache when they are needed again. This takes 8
    bytes for each entry, and the first product also sorts. Within a row the order stays the same,
    and so do the bits of the sums.
    """

    # Larger blocks use a tile more often.
    block_entries: ClassVar[int] = 5_000_000
    block_rows: ClassVar[int] = 1_000_000

    @classmethod
    def copy_of(cls, rows: Neighbors) -> TiledRows:
        """Returns the same rows, to be kept in tiles."""
        return cls(rows.indptr, rows.indices, rows.weights)

    def rows(self, start: int, stop: int) -> sp.coo_array:
        """Returns the rows from `start` to `stop` of `A + I`, float32 `[stop - start, n]`."""
        found = self._blocks.get((start, stop))
        if found is None:
            found = self._blocks[start, stop] = self._tiled(start, stop)
        return found

    @functools.cached_property
    def _blocks(self) -> dict[tuple[int, int], sp.coo_array]:
        return {}

    def times(self, start: int, stop: int, dense: np.ndarray, result: np.ndarray) -> None:
        """Multiplies the rows from `start` to `stop` of `A + I` by `D [n, k]`."""
        result[:] = self.rows(start, stop) @ dense

    def fast_width(self, width: int) -> int:
        """Returns the same number of columns."""
        return width

    def _ones(self, count: int) -> np.ndarray:
        """Returns ones from an array that all blocks share."""
        if len(self._shared.get("ones", ())) < count:
            self._shared["ones"] = np.ones(count, np.float32)
        return self._shared["ones"][:count]

    @functools.cached_property
    def _shared(self) -> dict[str, np.ndarray]:
        return {}

    def _tiled(self, start: int, stop: int) -> sp.coo_array:
        first, last = int(self.indptr[start]), int(self.indptr[stop])
        columns = np.asarray(self.indices[first:last])
        lengths = np.diff(self.indptr[start : stop + 1])
        rows = np.repeat(np.arange(stop - start, dtype=columns.dtype), lengths)
        # Few tiles have small numbers, which NumPy sorts many times faster.
        small: Any = np.uint16 if self.num_nodes <= _TILE << 16 else np.int64
        order = np.argsort((columns // _TILE).astype(small), kind="stable")
        if self.weights is None:
            values = self._ones(len(order))
        else:
            values = np.asarray(self.weights[first:last])[order]
        places = rows[order], columns[order]
        release_pages(self.indices)
        return sp.coo_array((values, places), shape=(stop - start, self.num_nodes))
