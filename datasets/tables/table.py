"""`Table` holds named columns of cells, and knows where each row stands in its file."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from datasets.errors import DataError, few, short
from datasets.tables.faults import Faults
from datasets.tables.whole_numbers import only_digits

TEXT = pa.large_string()  # `pa.string` ends at two gigabytes a column


@dataclasses.dataclass(frozen=True, eq=False)
class Table:
    """Holds the columns of a file or of a data frame.

    Args:
        name: Name in messages: the path of a file.
        columns: An Arrow array for each column, all of one length.
        num_rows: Number of rows.
        lines: Returns the line of each row in the file; None for a table without lines.
        header: Line of the header.
        has_header: Whether the file names the columns.
        decimal_comma: Whether `1,5` is a number; only where the comma does not separate columns.
    """

    name: str
    columns: dict[str, Any]
    num_rows: int
    lines: Callable[[], Sequence[int]] | None = None
    header: int = 1
    decimal_comma: bool = False
    has_header: bool = True

    def faults(self) -> Faults:
        """Makes an empty collection of this table's faults."""
        if self.lines is None:
            return Faults(self.name)
        found: list[Sequence[int]] = []
        lines = self.lines

        def place(row: int) -> int:
            if not found:
                found.append(lines())
            return found[0][row]

        return Faults(self.name, place, self.header)

    def require(self, *columns: str) -> None:
        """Raises a `DataError` if a column is missing."""
        faults = self.faults()
        for column in columns:
            if column not in self.columns:
                faults.add(-1, missing_column(column, list(self.columns)))
        faults.check()

    def texts(self, column: str) -> pa.LargeStringArray:
        """The cells of a column as text without space at the ends; gaps are `""`."""
        return as_text(self.columns[column], f"{self.name}: the column {short(column)!r}")

    def without(self, columns: Collection[str]) -> list[str]:
        """Names of all other columns."""
        return [name for name in self.columns if name not in columns]


def missing_column(column: str, header: Sequence[str]) -> str:
    """The complaint about a missing column."""
    return (
        f"the column {short(column)!r} is missing; the header is {short(','.join(header))!r}; "
        "rename a column, or name it with an option"
    )


def as_text(array: Any, where: str) -> pa.LargeStringArray:
    """Converts a column to text; whole numbers that are stored as floats lose their `.0`."""
    kind = array.type
    if kind == TEXT and only_digits(array):
        return array
    if pa.types.is_dictionary(kind):
        array, kind = array.dictionary_decode(), kind.value_type
    try:
        if pa.types.is_floating(kind):
            array = pc.if_else(pc.is_nan(array), pa.scalar(None, kind), array)
            array = _whole(array)
        text = pc.cast(array, TEXT)
        return pc.fill_null(pc.utf8_trim_whitespace(text), "")
    except pa.ArrowException:
        raise DataError(f"{where} holds {short(kind)}, which is neither text nor number.") from None


def _whole(array: Any) -> Any:
    try:
        return pc.cast(array, pa.int64())
    except pa.ArrowInvalid:  # a fraction
        return array


def described(columns: Sequence[str]) -> str:
    """Lists the columns of a table for a message."""
    return few([short(column, 40) for column in columns], 12)
