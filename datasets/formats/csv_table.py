"""CSV files with a header, read so that every complaint can name file and line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from datasets.errors import DataError, short

_LARGE = 20_000_000  # bytes of a file that takes seconds to read
_LINES_AT_ONCE = 50_000


class Table:
    """A CSV file (UTF-8, with or without BOM, any line ends) whose first line names the columns.

    Args:
        path: The file.
        required: Names of columns that must be there.
    """

    def __init__(self, path: Path, required: Sequence[str]):
        self.path = path
        if not path.is_file():
            raise DataError(
                f"{path} is missing or no file; it needs a header line with {','.join(required)}."
            )
        first = next(self._lines(), None)
        if first is None:
            raise DataError(f"{path} is empty; it needs a header line with {','.join(required)}.")
        self.header_line, self.header = first
        names: set[str] = set()
        for column in self.header:
            if column in names:
                raise self.error(self.header_line, f"the column {short(column)!r} is named twice")
            names.add(column)
        for column in required:
            if column not in names:
                raise self.error(self.header_line, self._missing(column))

    def error(self, line: int, complaint: str) -> DataError:
        """A `DataError` that names this file and the line."""
        return DataError(f"{self.path}:{line}: {complaint}.")

    def _missing(self, column: str) -> str:
        complaint = (
            f"the column {column!r} is missing; the header is {short(','.join(self.header))!r}"
        )
        if len(self.header) == 1 and any(mark in self.header[0] for mark in ";\t|"):
            complaint += "; separate the columns by commas"
        return complaint

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """`(line number, cells)` of each line below the header; blank lines are passed over."""
        lines = self._lines()
        next(lines)
        for number, cells in lines:
            if len(cells) != len(self.header):
                raise self.error(
                    number, f"{len(cells)} cells where the header has {len(self.header)}"
                )
            yield number, cells

    def columns(self, *names: str) -> Iterator[tuple[int, list[str]]]:
        """`(line number, the cells of these columns)` of each line below the header."""
        where = [self.header.index(name) for name in names]
        for number, cells in self.rows():
            yield number, [cells[i] for i in where]

    def _lines(self) -> Iterator[tuple[int, list[str]]]:
        number = 0
        try:
            with open(self.path, "rb") as raw, self._bar() as bar:
                reader = csv.reader(io.TextIOWrapper(raw, "utf-8-sig", newline=""), strict=True)
                for cells in reader:
                    number = reader.line_num
                    if not number % _LINES_AT_ONCE:
                        bar.update(raw.tell() - bar.n)
                    if any(cells):
                        yield number, [cell.strip() for cell in cells]
        except UnicodeDecodeError:
            raise self.error(
                self._first_undecodable(), "this is not UTF-8 text; save the file as UTF-8"
            ) from None
        except csv.Error as error:
            raise self.error(number + 1, f"malformed CSV ({error})") from None

    def _first_undecodable(self) -> int:
        """The line that is not UTF-8; the decoder, which reads ahead, cannot tell."""
        with open(self.path, "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    line.decode("utf-8")
                except UnicodeDecodeError:
                    return number
        raise AssertionError("every line is UTF-8")

    def _bar(self) -> tqdm:
        """A bar over the bytes of a large file; quiet when not on a terminal."""
        size = self.path.stat().st_size
        return tqdm(
            total=size,
            desc=self.path.name,
            unit="B",
            unit_scale=True,
            leave=False,
            disable=None if size > _LARGE else True,
        )
