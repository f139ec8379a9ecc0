"""Reads a CSV file into a `Table`: with Arrow where it can, else line by line.

Arrow is many times faster, but does not say which line is wrong. Where it fails, the file is read
line by line, which finds the fault.
"""

from __future__ import annotations

import itertools
import logging
from array import array
from collections.abc import Collection, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from datasets.tables.csv_lines import CsvLines
from datasets.tables.gaps import GAPS, number
from datasets.tables.table import TEXT, Table
from datasets.tables.whole_numbers import only_digits

log = logging.getLogger(__name__)

WIDE = 2000  # columns; Arrow has a cost for each
_BLOCK = 2**24  # bytes; a line must fit into a block
_SAMPLE = 100  # lines that decide which columns are tried as numbers


def read_csv(path: Path, wanted: Sequence[str] = (), texts: Collection[str] = ()) -> Table:
    """Reads a CSV file.

    Args:
        path: The file.
        wanted: Names of columns to suggest in messages about a missing or empty file.
        texts: Names of columns whose cells stay text, such as ids.

    Returns:
        The table. Columns of numbers are float64, with gaps as nulls; all others are text.

    Raises:
        DataError: The file cannot be read; the message names the lines that are wrong.
    """
    lines = CsvLines(path, wanted)
    columns = None
    if len(lines.header) <= WIDE and not _has_quotes(path, lines.header_line):
        columns = _by_arrow(lines, texts)
    if columns is None:
        columns = _by_line(lines, texts)
    named = {name: column for name, column in zip(lines.header, columns, strict=True) if name}
    if len(named) < len(lines.header):
        log.info("%s: a column without a name is not used", path)
    return Table(
        str(path),
        named,
        len(columns[0]),
        lambda: [line for line, _ in lines.rows()],
        lines.header_line,
        lines.delimiter != ",",
    )


def _has_quotes(path: Path, header_line: int) -> bool:
    """Whether a cell may contain line ends or delimiters, about which readers disagree.

    Quotes in the header do not matter, since it is read by itself.
    """
    with open(path, "rb") as file:
        if any(b"\r" in file.readline(_BLOCK) for _ in range(header_line)):
            file.seek(0)  # perhaps a line end by itself, which `readline` does not count
        return any(b'"' in block for block in iter(lambda: file.read(_BLOCK), b""))


def _by_arrow(lines: CsvLines, texts: Collection[str]) -> list[Any] | None:
    """The columns as Arrow reads them; None if it finds a fault."""
    numeric = looks_numeric(lines, texts)
    for kinds in ([pa.float64() if yes else TEXT for yes in numeric], [TEXT] * len(numeric)):
        try:
            return arrow_columns(lines.path, lines.header_line, lines.delimiter, kinds)
        except pa.ArrowException:
            continue
    return None


def arrow_columns(source: Any, skipped: int, delimiter: str, kinds: Sequence[Any]) -> list[Any]:
    """The columns of lines without a header, without blank lines and space around cells.

    Args:
        source: A path, or an Arrow reader of bytes.
        skipped: Lines to skip at the start.
        delimiter: What separates cells.
        kinds: The Arrow type of each column, float64 or text.

    Raises:
        pa.ArrowException: A cell does not fit, or a line has too many or too few.
    """
    keys = [f"{i}" for i in range(len(kinds))]
    table = pyarrow.csv.read_csv(
        source,
        read_options=pyarrow.csv.ReadOptions(
            column_names=keys, skip_rows=skipped, block_size=_BLOCK
        ),
        parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, quote_char=False),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict(zip(keys, kinds, strict=True)),
            null_values=sorted(GAPS),
            strings_can_be_null=False,
        ),
    )
    return _without_blank_rows([_trimmed(column) for column in table.columns])


def looks_numeric(lines: CsvLines, texts: Collection[str]) -> list[bool]:
    """Which columns hold numbers or gaps in the first lines, and at least one number."""
    rows = [cells for _, cells in itertools.islice(lines.rows(), _SAMPLE)]
    found = []
    for place, name in enumerate(lines.header):
        cells = {row[place] for row in rows} - GAPS
        found.append(
            bool(cells) and name not in texts and all(number(cell) is not None for cell in cells)
        )
    return found


def _trimmed(column: pa.ChunkedArray) -> Any:
    whole = column.combine_chunks()
    is_text = whole.type == TEXT and not only_digits(whole)
    return pc.utf8_trim_whitespace(whole) if is_text else whole


def _without_blank_rows(columns: list[Any]) -> list[Any]:
    blank = np.ones(len(columns[0]), bool)
    for column in columns:
        empty = pc.equal(column, "") if column.type == TEXT else pc.is_null(column)
        blank &= empty.to_numpy(zero_copy_only=False)
        if not blank.any():
            return columns
    return [column.filter(pa.array(~blank)) for column in columns]


def _by_line(lines: CsvLines, texts: Collection[str]) -> list[Any]:
    """The columns, read line by line."""
    rows = [cells for _, cells in lines.rows()]
    if len(lines.header) > WIDE:
        found = _matrix(lines.header, rows, texts)
        if found is not None:
            return found
    cells = zip(*rows, strict=True) if rows else ((),) * len(lines.header)
    return [pa.array(list(column), TEXT) for column in cells]


def _matrix(
    header: Sequence[str], rows: list[list[str]], texts: Collection[str]
) -> list[Any] | None:
    """The columns of a wide table, if all except those of text are numbers."""
    kept = {
        place: pa.array([row[place] for row in rows], TEXT)
        for place, name in enumerate(header)
        if name in texts or not rows or number(rows[0][place]) is None
    }
    others = [place for place in range(len(header)) if place not in kept]
    if len(others) < 2:
        return None
    values, chosen = array("d"), itemgetter(*others)
    for row in rows:
        cells = chosen(row)
        if "_" in "".join(cells):  # Python reads 1_0 as 10
            return None
        try:
            values.extend(map(float, cells))
        except ValueError:
            return None
    matrix = np.frombuffer(values).reshape(len(rows), len(others)).T
    numbers = dict(zip(others, map(np.ascontiguousarray, matrix), strict=True))
    return [kept[i] if i in kept else pa.array(numbers[i]) for i in range(len(header))]
