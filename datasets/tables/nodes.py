"""Turns the ids in tables into node numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from datasets.checks import MAX_NAME, IntArray
from datasets.errors import short
from datasets.tables.faults import Faults
from datasets.tables.number_index import NumberIndex
from datasets.tables.table import TEXT, Table
from datasets.tables.whole_numbers import as_text, only_marks, whole_numbers


class Nodes:
    """Collects node ids in order of appearance; once `listed_in` is set, new ids are refused."""

    def __init__(self) -> None:
        self.ids: Any = pa.array([], TEXT)
        self.listed_in: str | None = None
        self._index: NumberIndex | None = NumberIndex()  # None once an id is no whole number

    def __len__(self) -> int:
        return len(self.ids)

    def find(self, table: Table, faults: Faults, *columns: str) -> IntArray:
        """The node of each cell, `[rows, columns]`; adds new ids row by row.

        Ids that cannot be used, or that are not listed, are added to the faults and become node 0.
        """
        texts = [table.texts(column) for column in columns]
        found = self._find_numbers(texts)
        return self._find_words(texts, faults) if found is None else found

    def _find_numbers(self, texts: list[Any]) -> IntArray | None:
        """The nodes of ids that are whole numbers; None if others are among them, or unlisted."""
        if self._index is None:
            return None
        columns: list[IntArray] = []
        for each in texts:
            numbers = whole_numbers(each)
            if numbers is None:
                return None
            columns.append(numbers)
        cells = np.stack(columns, axis=1)
        if self.listed_in is not None:
            return self._index.find(cells)
        places, new = self._index.add(cells)
        self.ids = pa.concat_arrays([self.ids, as_text(new)])
        return places

    def _find_words(self, texts: list[Any], faults: Faults) -> IntArray:
        columns = texts
        cells = pa.concat_arrays(texts).dictionary_encode()
        words = cells.dictionary
        place = cells.indices.to_numpy(zero_copy_only=False).reshape(len(columns), -1).T
        known = pc.index_in(words, value_set=self.ids)
        complaints = _complaints(words, known.is_null(), self.listed_in)
        if complaints:
            bad = np.zeros(len(words), bool)
            bad[list(complaints)] = True
            for column in range(len(columns)):
                rows = np.flatnonzero(bad[place[:, column]])
                faults.add_rows(rows, _complaint(complaints, place[:, column]))
        numbers = known.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        new = np.flatnonzero(numbers < 0)
        if len(new) and self.listed_in is None and not complaints:
            flat = place.ravel()
            first = np.empty(len(words), np.int64)
            first[flat[::-1]] = np.arange(len(flat))[::-1]  # the last assignment counts
            new = new[np.argsort(first[new])]
            numbers[new] = len(self.ids) + np.arange(len(new))
            self._index = None
            self.ids = pa.concat_arrays([self.ids, words.take(pa.array(new))])
        return np.maximum(numbers, 0)[place]


def _longest(words: Any) -> int:
    return pc.max(pc.binary_length(words)).as_py() if len(words) else 0


def _complaint(complaints: dict[int, str], place: IntArray) -> Callable[[int], str]:
    return lambda row: complaints[int(place[row])]


def _complaints(words: Any, new: Any, listed_in: str | None) -> dict[int, str]:
    """What is wrong with ids that are not known yet, by their place."""
    places = np.flatnonzero(new.to_numpy(zero_copy_only=False))
    found: dict[int, str] = {}
    strange = words.filter(new)
    if listed_in is None and only_marks(strange) and _longest(strange) <= MAX_NAME:
        return found
    for place, word in zip(places.tolist(), strange.to_pylist(), strict=True):
        if not word:
            found[place] = "the node id is empty; write one"
        elif len(word) > MAX_NAME:
            found[place] = f"the node id {word[:40]!r}… is longer than {MAX_NAME:,} characters"
        elif listed_in is not None:
            found[place] = (
                f"node {short(word, 100)!r} is not in {listed_in}; add it there or remove this line"
            )
        elif not word.isprintable():
            found[place] = (
                f"the node id {short(repr(word), 100)} contains an invisible character; remove it"
            )
    return found
