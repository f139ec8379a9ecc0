"""Reads lists of edges without a header: two ids a line, comments after `#` or `%`."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from datasets.errors import DataError, short
from datasets.tables.faults import Faults
from datasets.tables.gaps import number
from datasets.tables.table import TEXT, Table

ENDS = "source", "target"
COMMENTS = "#", "%"
log = logging.getLogger(__name__)

_SPACE = re.compile(r"[ \t]+")
_BLOCK = 2**24


def is_edge_list(path: Path, names: set[str]) -> bool:
    """Whether a text file is a list of edges without a header.

    It is if its first line holds two or three cells, and these are numbers, or the file's name
    does not end in `.csv` and none of the cells is one of the `names` of columns.
    """
    try:
        first = next(cells_of(path), None)
    except DataError:
        return False
    if first is None or not 2 <= len(first[1]) <= 3:
        return False
    if all(number(cell) is not None for cell in first[1]):
        return True
    known = {name.lower() for name in names}
    return path.suffix.lower() != ".csv" and not any(cell.lower() in known for cell in first[1])


def read_edge_list(path: Path) -> Table:
    """Reads a list of edges; the third cells of the lines are the column `weight`.

    Raises:
        DataError: Lines lack an end; the message lists them.
    """
    first = next(cells_of(path), None)
    if first is None:
        raise DataError(f"{path} is empty; write the ids of the two ends of an edge on each line.")
    columns = _by_arrow(path, *first) or _by_line(path)
    return Table(
        str(path),
        columns,
        len(columns[ENDS[0]]),
        lambda: [line for line, _ in cells_of(path)],
        has_header=False,
    )


def _by_arrow(path: Path, line: int, cells: list[str]) -> dict[str, pa.Array] | None:
    """The columns as Arrow reads them; None if there are further comments or uneven lines."""
    raw = path.read_bytes()
    rest = raw.split(b"\n", line)[-1] if line < 1000 else raw
    if b'"' in raw or b"#" in rest or b"%" in rest or b"\r" in raw:
        return None
    names = [*ENDS, "weight"][: len(cells)]
    delimiter = delimiter_of(raw.split(b"\n", line)[line - 1].decode())
    try:
        return arrow_columns(raw, line - 1, names, delimiter or " ")
    except pa.ArrowException:
        return None


def arrow_columns(
    raw: bytes, skipped: int, names: list[str], delimiter: str
) -> dict[str, pa.Array] | None:
    """The columns of a list as Arrow reads them; None if an end is empty.

    Args:
        raw: The text.
        skipped: Lines to skip at the start.
        names: Names of the columns.
        delimiter: What separates cells.

    Raises:
        pa.ArrowException: The lines are uneven.
    """
    table = pyarrow.csv.read_csv(
        pa.BufferReader(raw),
        read_options=pyarrow.csv.ReadOptions(
            column_names=names, skip_rows=skipped, block_size=_BLOCK
        ),
        parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, quote_char=False),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(names, TEXT), strings_can_be_null=False
        ),
    )
    columns = {name: table.column(name).combine_chunks() for name in names}
    empty = any(pa.compute.any(pa.compute.equal(columns[end], "")).as_py() for end in ENDS)
    return None if empty else columns


def _by_line(path: Path) -> dict[str, pa.Array]:
    rows, numbers = [], []
    for line, cells in cells_of(path):
        rows.append(cells)
        numbers.append(line)
    faults = Faults(str(path), lambda row: numbers[row])
    width = max(2, min(map(len, rows)))
    if width == 2 < max(map(len, rows)):
        log.info("%s: some lines have no third cell, so it is not used as a weight", path)
    bad = [row for row, cells in enumerate(rows) if len(cells) < 2]
    faults.add_rows(bad, lambda row: f"{short(rows[row][0])!r} has no other end; write two ids")
    faults.check()
    names = [*ENDS, "weight"][:width]
    return {
        name: pa.array([cells[place] for cells in rows], TEXT) for place, name in enumerate(names)
    }


def delimiter_of(line: str) -> str | None:
    """The character between the cells of a line; None for white space."""
    return next((mark for mark in ",;\t|" if mark in line), None)


def cells_of(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yields `(line number, cells)` of each line, except blank lines and comments."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            for number_, line in enumerate(file, 1):
                text = line.strip()
                if not text or text.startswith(COMMENTS):
                    continue
                mark = delimiter_of(text)
                parts = text.split(mark) if mark else _SPACE.split(text)
                yield number_, [part.strip() for part in parts]
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8 text; save the file as UTF-8.") from None
