"""Reads the cells of a column as numbers or as words."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from datasets.errors import short
from datasets.tables.faults import Faults
from datasets.tables.gaps import GAPS, number, truth
from datasets.tables.table import Table


@dataclasses.dataclass(frozen=True)
class Words:
    """The distinct words of a column, in order of appearance.

    Args:
        values: The words.
        places: Which word each row holds, `[n]`.
    """

    values: list[str]
    places: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """Rows that hold each word."""
        return np.bincount(self.places, minlength=len(self.values))


def words_of(table: Table, name: str) -> Words:
    """The distinct words of a column; gaps are words, too."""
    encoded = table.texts(name).dictionary_encode()
    return Words(encoded.dictionary.to_pylist(), encoded.indices.to_numpy(zero_copy_only=False))


def as_words(table: Table, name: str) -> tuple[Any, np.ndarray]:
    """The cells of a column as text, and which are gaps."""
    texts = table.texts(name)
    gaps = pc.is_in(texts, value_set=pa.array(sorted(GAPS), texts.type))
    return texts, gaps.to_numpy(zero_copy_only=False)


def is_numeric(array: Any) -> bool:
    """Whether a column is stored as numbers or truth values."""
    kind = array.type
    return (
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_boolean(kind)
    )


def stored_numbers(array: Any) -> np.ndarray:
    """The numbers of a column that is stored as numbers, float64 with NaN for gaps."""
    if not pa.types.is_floating(array.type) or array.type.bit_width < 64:
        array = pc.cast(array, pa.float64(), safe=False)
    if not array.null_count:
        return array.to_numpy(zero_copy_only=False)
    return pc.fill_null(array, float("nan")).to_numpy(zero_copy_only=False)


def as_numbers(table: Table, name: str, faults: Faults, with_words: bool = False) -> np.ndarray:
    """The cells of a column as float64 with NaN for gaps.

    Args:
        table: The table.
        name: Name of the column.
        faults: Gets the cells that are no numbers.
        with_words: Whether true and false, yes and no count as 1 and 0.

    Returns:
        float64 `[n]`.
    """
    array = table.columns[name]
    if is_numeric(array):
        values = stored_numbers(array)
    else:
        words = words_of(table, name)
        found = [_value(word, table.decimal_comma, with_words) for word in words.values]
        bad = np.array([each is None for each in found], bool)
        if bad.any():
            rows = np.flatnonzero(bad[words.places])
            faults.add_rows(rows, lambda row: not_a_number(words.values[words.places[row]], name))
        values = np.array([np.nan if each is None else each for each in found])[words.places]
    return values


def refuse_infinite(values: np.ndarray, faults: Faults) -> None:
    """Adds the numbers that float32 cannot hold to the faults."""
    with np.errstate(over="ignore"):
        infinite = np.flatnonzero(np.isinf(values.astype(np.float32)))
    faults.add_rows(
        infinite, lambda row: f"{values[row]} is not a finite float32; replace or remove it"
    )


def not_a_number(cell: str, column: str) -> str:
    """The complaint about a cell of a column of numbers."""
    return (
        f"{short(cell)!r} in column {short(column)!r} is not a number; write one, or leave the "
        "cell empty if it is unknown"
    )


def _value(word: str, decimal_comma: bool, with_words: bool) -> float | None:
    if word in GAPS:
        return float("nan")
    if with_words and (found := truth(word)) is not None:
        return found
    return number(word, decimal_comma)
