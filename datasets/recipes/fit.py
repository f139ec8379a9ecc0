"""Decides what each column of a table becomes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from datasets.errors import short
from datasets.recipes.cells import Words, is_numeric, not_a_number, stored_numbers, words_of
from datasets.recipes.columns import Category, Column, LeftOut, Number, Truth
from datasets.tables.faults import Faults
from datasets.tables.gaps import GAPS, is_date, number, truth
from datasets.tables.table import Table

RARE = 0.005  # share of the rows below which a word is rare
MOST = 100  # words with a feature of their own
_MOSTLY = 0.5  # share of numbers from which other cells are typing errors
_LONGEST = 80  # characters of a word in the name of a feature


def fit_columns(
    table: Table, names: Iterable[str], faults: Faults, ignore: Collection[str] = ()
) -> list[Column]:
    """Decides what the columns become.

    Args:
        table: The table.
        names: Columns that may become features.
        faults: Gets dates, and text among numbers.
        ignore: Columns that the user does not want.

    Returns:
        What each column becomes, in the order of the names.
    """
    taken = set(table.columns)
    found: list[Column] = []
    with np.errstate(over="ignore", invalid="ignore"):  # infinite cells are found later
        for name in names:
            if name in ignore:
                found.append(LeftOut(name=name, reason="you asked for it"))
            else:
                found.append(_fit(table, name, faults, taken))
    return found


def _fit(table: Table, name: str, faults: Faults, taken: set[str]) -> Column:
    array = table.columns[name]
    if is_numeric(array):
        kind = Truth if pa.types.is_boolean(array.type) else Number
        return _number(kind, name, stored_numbers(array), taken)
    if pa.types.is_temporal(array.type):
        faults.add(-1, _about_dates(name))
        return LeftOut(name=name, reason="it holds dates")
    if not _is_text(array.type):
        return LeftOut(name=name, reason=f"it holds {short(array.type, 40)}")
    return _fit_words(table, name, words_of(table, name), faults, taken)


def _is_text(kind: Any) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind)


def _fit_words(table: Table, name: str, words: Words, faults: Faults, taken: set[str]) -> Column:
    counts = words.counts
    known = [i for i, word in enumerate(words.values) if word not in GAPS]
    total = int(counts[known].sum())
    if not known:
        return LeftOut(name=name, reason="it is empty")
    numbers = {
        i: value
        for i in known
        if (value := number(words.values[i], table.decimal_comma)) is not None
    }
    truths = {i: value for i in known if (value := truth(words.values[i])) is not None}
    for kind, values in ((Number, numbers), (Truth, truths)):
        if len(values) == len(known):
            cells = np.array([values.get(i, np.nan) for i in range(len(words.values))])
            return _number(kind, name, cells[words.places], taken)
    if sum(is_date(words.values[i]) for i in known) > _MOSTLY * len(known):
        faults.add(-1, _about_dates(name))
        return LeftOut(name=name, reason="it holds dates")
    if counts[list(numbers)].sum() > _MOSTLY * total:
        bad = np.ones(len(words.values), bool)
        bad[list(numbers)] = False
        bad[[i for i, word in enumerate(words.values) if word in GAPS]] = False
        rows = np.flatnonzero(bad[words.places])
        faults.add_rows(rows, lambda row: not_a_number(words.values[words.places[row]], name))
        return LeftOut(name=name, reason="it holds text among numbers")
    if len(known) > total / 2:
        reason = f"nearly every text is different ({len(known):,} in {total:,} rows)"
        return LeftOut(name=name, reason=reason)
    return _category(name, words, known, taken)


def _number(kind: type[Number], name: str, values: np.ndarray, taken: set[str]) -> Column:
    total, gaps = float(np.add.reduce(values)), 0
    if not math.isfinite(total):
        known = values[~np.isnan(values)]
        gaps, total = len(values) - len(known), float(np.add.reduce(known))
    if gaps and gaps == len(values):
        return LeftOut(name=name, reason="it is empty")
    mean = total / max(1, len(values) - gaps)
    if not math.isfinite(mean):  # a cell is infinite, which is a fault
        mean = 0.0
    outputs = (name, _new(f"{name} missing", taken)) if gaps else (name,)
    return kind(name=name, mean=mean, gaps=gaps, outputs=outputs)


def _category(name: str, words: Words, known: list[int], taken: set[str]) -> Column:
    counts = words.counts
    total = int(counts[known].sum())
    order = sorted(known, key=lambda i: (-counts[i], words.values[i]))
    frequent = [i for i in order[:MOST] if counts[i] >= max(2, RARE * total)]
    gaps = len(words.places) - total
    other = len(known) - len(frequent)
    if len(frequent) + bool(other) + bool(gaps) < 2:
        return LeftOut(name=name, reason="every text is the same")
    chosen = tuple(words.values[i] for i in frequent)
    outputs = [_new(f"{name}={short(word, _LONGEST)}", taken) for word in chosen]
    outputs += [_new(f"{name} other", taken)] * bool(other)
    outputs += [_new(f"{name} missing", taken)] * bool(gaps)
    return Category(name=name, words=chosen, other=other, gaps=gaps, outputs=tuple(outputs))


def _new(name: str, taken: set[str]) -> str:
    """A name that no other feature has."""
    found, count = name, 2
    while found in taken:
        found, count = f"{name} ({count})", count + 1
    taken.add(found)
    return found


def _about_dates(name: str) -> str:
    return (
        f"the column {short(name)!r} holds dates; turn them into a number, such as the days since "
        f"a date, or leave the column out with the option ignore={short(name, 40)}"
    )
