"""How people and programs write gaps, numbers and truth values."""

from __future__ import annotations

import math
import re

# What people and programs write for a missing value, in a feature or a label. The spelling matters:
# "Na" may be sodium.
GAPS = frozenset(
    {"", "NaN", "nan", "NAN", "NA", "N/A", "n/a", "None", "none", "null", "NULL", "Null", "#N/A"}
    | {"<NA>", "NaT", "?"}
)
_TRUE = frozenset({"true", "yes", "y", "t", "1"})
_FALSE = frozenset({"false", "no", "n", "f", "0"})
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})"
    r"([T ]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?(Z|[+-]\d{2}:?\d{2}))?)?"
)


def number(cell: str, decimal_comma: bool = False) -> float | None:
    """The number in a cell, or None.

    >>> number("1e3"), number("1,5"), number("1,5", decimal_comma=True), number("1_0")
    (1000.0, None, 1.5, None)
    """
    if decimal_comma and _DECIMAL_COMMA.fullmatch(cell):
        cell = cell.replace(",", ".")
    if "_" in cell:  # Python reads 1_0 as 10, but people who write it mean something else
        return None
    try:
        value = float(cell)
    except ValueError:
        return None
    return None if math.isnan(value) else value


def truth(cell: str) -> float | None:
    """1 for true, 0 for false, None for other text.

    >>> truth("Yes"), truth("FALSE"), truth("maybe")
    (1.0, 0.0, None)
    """
    word = cell.lower()
    return 1.0 if word in _TRUE else 0.0 if word in _FALSE else None


def is_date(cell: str) -> bool:
    """Whether a cell is a date, with or without a time.

    >>> is_date("2024-05-31"), is_date("31.5.2024 12:00"), is_date("1.5")
    (True, True, False)
    """
    return _DATE.fullmatch(cell) is not None
