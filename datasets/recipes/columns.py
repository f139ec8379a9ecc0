"""What a column of a table becomes: numbers, true/false, categories, or nothing.

Each kind of column makes the same features from every table: the mean that fills the gaps, and the
categories, are those of the table that it was fitted to.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse as sp

from datasets.errors import few, short
from datasets.recipes.cells import as_numbers, as_words, refuse_infinite
from datasets.tables.table import Table

Matrix = np.ndarray | sp.csc_array
_SHOWN = 5  # categories in a printed line


@dataclasses.dataclass(frozen=True, kw_only=True)
class Number:
    """A column of numbers; gaps become the mean.

    Args:
        name: Name of the column.
        mean: Mean of the numbers in the table that this was fitted to.
        gaps: Number of gaps there.
        outputs: Name of the feature and, if there were gaps, of a 0/1 feature that marks them.
    """

    kind: ClassVar[str] = "number"
    name: str
    mean: float
    gaps: int
    outputs: tuple[str, ...]

    def features(self, table: Table, faults: Any) -> Matrix:
        """The features `[n, 1 or 2]`; adds cells that are no numbers to the faults."""
        values = as_numbers(table, self.name, faults, self.kind == "true/false")
        single = values.astype(np.float32)
        if len(self.outputs) == 1 and np.isfinite(np.add.reduce(single)):  # neither gaps nor faults
            return single[:, None]
        refuse_infinite(values, faults)
        gaps = np.isnan(values)
        columns = [np.where(gaps, np.float32(self.mean), single), gaps.astype(np.float32)]
        return np.stack(columns[: len(self.outputs)], axis=1)

    def __str__(self) -> str:
        if not self.gaps:
            return self.kind
        become, are = ("gap becomes", "is") if self.gaps == 1 else ("gaps become", "are")
        mark = short(self.outputs[1], 60)
        return (
            f"{self.kind}; {self.gaps:,} {become} the mean {self.mean:.4g} and {are} marked in "
            f"{mark!r}"
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Truth(Number):
    """A column of true and false, as 1 and 0; gaps become the share of true."""

    kind: ClassVar[str] = "true/false"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Category(Number):
    """A column of words: a 0/1 feature for each frequent word.

    Args:
        words: The frequent words, the most frequent first. Each has a feature.
        other: Number of different rare words; if there were any, they share a feature, which
            words that are new at prediction get, too. Otherwise a new word has no feature.
        gaps: Number of gaps; if there were any, they have a feature.
    """

    kind: ClassVar[str] = "category"
    mean: float = 0.0
    words: tuple[str, ...]
    other: int

    def features(self, table: Table, faults: Any) -> Matrix:  # noqa: ARG002 - words never fail
        """The features `[n, number of outputs]`, at most one 1 in each row."""
        texts, gaps = as_words(table, self.name)
        column = pc.index_in(texts, pa.array(self.words, texts.type))
        rare = len(self.words) if self.other else -1
        place = pc.fill_null(column, rare).to_numpy(zero_copy_only=False).astype(np.int64)
        place[gaps] = len(self.outputs) - 1 if self.gaps else -1
        rows = np.flatnonzero(place >= 0)
        ones = np.ones(len(rows), np.float32)
        return sp.csc_array((ones, (rows, place[rows])), (len(place), len(self.outputs)))

    def unseen(self, table: Table) -> list[str]:
        """Words of a table that have no feature of their own."""
        texts, gaps = as_words(table, self.name)
        kept = pc.unique(texts.filter(pa.array(~gaps)))
        known = pc.is_in(kept, value_set=pa.array(self.words, kept.type))
        return sorted(kept.filter(pc.invert(known)).to_pylist())

    def __str__(self) -> str:
        parts = [f"category; {len(self.words):,} words: {few(self.words, _SHOWN)}"]
        if self.other:
            parts.append(f"{self.other:,} rare word{'s' * (self.other > 1)} together")
        if self.gaps:
            parts.append(f"{self.gaps:,} gap{'s' * (self.gaps > 1)} as a category")
        return "; ".join(parts)


@dataclasses.dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A column that is not used.

    Args:
        name: Name of the column.
        reason: Why it is not used.
    """

    kind: ClassVar[str] = "left out"
    name: str
    reason: str
    outputs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"left out: {self.reason}"


Column = Number | Truth | Category | LeftOut
