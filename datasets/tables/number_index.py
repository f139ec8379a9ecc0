"""Finds the nodes of ids that are whole numbers, many times faster than those of text."""

from __future__ import annotations

import numpy as np

from datasets.checks import IntArray

_SPARE = 8  # places of a table per id; more are searched by bisection
_FREE = 2**20  # places of a table that is never too large


class NumberIndex:
    """Numbers ids in order of appearance.

    If the ids are not scattered, a table has the node of each possible id. Otherwise the ids are
    sorted and searched by bisection.
    """

    def __init__(self) -> None:
        self.ids: IntArray = np.empty(0, np.int64)
        self._table: IntArray | None = None
        self._order: IntArray | None = None
        self._is_counted: bool | None = None  # whether the ids are 0, 1, 2 and so on

    def find(self, cells: IntArray) -> IntArray | None:
        """The nodes of ids, in the shape of `cells`; None if an id is unknown."""
        if self._is_counted is None:
            self._is_counted = bool(np.array_equal(self.ids, np.arange(len(self.ids))))
        if self._is_counted and cells.size and cells.min() >= 0 and cells.max() < len(self.ids):
            return cells
        places = self._places(cells)
        return None if places.size and places.min() < 0 else places

    def add(self, cells: IntArray) -> tuple[IntArray, IntArray]:
        """The nodes of ids, which are added where they are new; also returns the new ids."""
        flat = cells.ravel()
        if len(self.ids) or not cells.size:
            places = self._places(cells)
            if not places.size or places.min() >= 0:
                return places, np.empty(0, np.int64)
            flat = flat[places.ravel() < 0]
        new, first = self._distinct(flat)
        new = new[np.argsort(first)]
        self.ids = np.concatenate([self.ids, new])
        self._table = self._order = self._is_counted = None
        return self._places(cells), new

    def _distinct(self, flat: IntArray) -> tuple[IntArray, IntArray]:
        """The distinct ids, and where each comes first."""
        size = int(flat.max()) + 1
        if size > _FREE + _SPARE * len(flat):
            return np.unique(flat, return_index=True)
        first = np.full(size, -1)
        first[flat[::-1]] = np.arange(len(flat))[::-1]  # the last assignment counts
        new = np.flatnonzero(first >= 0)
        return new, first[new]

    def _places(self, cells: IntArray) -> IntArray:
        """The node of each id, -1 for those that are unknown."""
        if not len(self.ids) or not cells.size:
            return np.full(cells.shape, -1)
        size = int(self.ids.max()) + 1
        if size <= _FREE + _SPARE * len(self.ids):
            if self._table is None:
                self._table = np.full(size + 1, -1)  # the last place is that of unknown ids
                self._table[self.ids] = np.arange(len(self.ids))
            return self._table[np.minimum(cells, size)]
        if self._order is None:
            self._order = np.argsort(self.ids)
        ranks = np.searchsorted(self.ids, cells, sorter=self._order)
        places = self._order[np.minimum(ranks, len(self.ids) - 1)]
        return np.where(self.ids[places] == cells, places, -1)
