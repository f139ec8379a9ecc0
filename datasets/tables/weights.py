"""Finds and reads the weights in tables of edges."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from datasets.edge_lists import are_weights
from datasets.errors import DataError, few, short
from datasets.options import IGNORED, TableOptions
from datasets.recipes.cells import is_numeric, stored_numbers, words_of
from datasets.tables.faults import Faults
from datasets.tables.gaps import number
from datasets.tables.sources import Role
from datasets.tables.table import Table, described

log = logging.getLogger(__name__)

_REMEDY = "write a positive number, or ignore all weights with the option weight=none"


def weight_column(table: Table, ends: tuple[str, str], options: TableOptions) -> str:
    """The column with the weights of edges, or `""`; a log line says which columns are used.

    Raises:
        DataError: The column that the options name is missing.
    """
    others = table.without(ends)
    found = options.weight_in(others)
    if options.weight == IGNORED:
        if found:
            log.info("%s: the weights of edges in %s are ignored", table.name, short(found))
    elif options.weight and not found:
        raise DataError(
            f"{table.name} has no column {short(options.weight)!r} for the weights of edges; the "
            f"columns are {described(list(table.columns))}."
        )
    elif found and not options.weight:
        if table.has_header:
            log.info("%s: the column %s has the weights of edges", table.name, short(found))
        elif are_weights(_numbers(table, found)).all():
            log.info("%s: the third cell of a line is the weight of its edge", table.name)
        else:
            log.info(
                "%s: the third cells are not all positive numbers, so they are not used as weights",
                table.name,
            )
            return ""
    unused = [name for name in others if name != found]
    if unused:
        log.info("%s: columns of edges that are not used: %s", table.name, few(unused))
    return "" if options.weight == IGNORED else found or ""


def check_all_weighted(roles: Sequence[Role]) -> None:
    """Refuses several tables of edges of which only some have weights."""
    plain = [role.table.name for role in roles if not role.weight]
    weighted = [role.table.name for role in roles if role.weight]
    if plain and weighted:
        raise DataError(
            f"{few(weighted)} has weights of edges, but {few(plain)} has none; give all files a "
            "column of weights, or ignore all weights with the option weight=none."
        )


def weights_of(role: Role, faults: Faults) -> np.ndarray:
    """The weights in a table of edges, float64 `[rows]`; faults get those that are invalid."""
    values = _numbers(role.table, role.weight)
    texts = cache(lambda: role.table.texts(role.weight))

    def complaint(row: int) -> str:
        cell = short(texts()[row].as_py(), 100)
        if not cell:
            return f"the weight is missing; {_REMEDY}"
        if np.isnan(values[row]):
            return f"the weight {cell!r} is not a number; {_REMEDY}"
        if values[row] <= 0:
            return f"the weight {cell!r} is not positive; {_REMEDY}"
        return f"the weight {cell!r} does not fit into a float32; {_REMEDY}"

    faults.add_rows(np.flatnonzero(~are_weights(values)), complaint)
    return values


def _numbers(table: Table, column: str) -> np.ndarray:
    """The cells as float64; NaN where they are no numbers."""
    array = table.columns[column]
    if is_numeric(array):
        return stored_numbers(array)
    try:
        return stored_numbers(pc.cast(table.texts(column), pa.float64()))
    except pa.ArrowInvalid:  # at least one cell is no number, or has a decimal comma
        words = words_of(table, column)
        found = [number(word, table.decimal_comma) for word in words.values]
        return np.array([np.nan if each is None else each for each in found])[words.places]
