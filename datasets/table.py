"""CSV files with a header, read so that every complaint can name file and line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from datasets.errors import DataError


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
        self.header = first[1]
        repeated = [column for column in self.header if self.header.count(column) > 1]
        if repeated:
            raise self.error(first[0], f"the column {repeated[0]!r} is named twice")
        for column in required:
            if column not in self.header:
                raise self.error(
                    first[0],
                    f"the column {column!r} is missing; the header is {','.join(self.header)!r}",
                )

    def error(self, line: int, complaint: str) -> DataError:
        """A `DataError` that names this file and the line."""
        return DataError(f"{self.path}:{line}: {complaint}.")

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
            with open(self.path, encoding="utf-8-sig", newline="") as file:
                reader = csv.reader(file, strict=True)
                for cells in reader:
                    number = reader.line_num
                    if any(cells):
                        yield number, [cell.strip() for cell in cells]
        except UnicodeDecodeError:
            raise self.error(
                number + 1, "not UTF-8 text here or soon after; save the file as UTF-8"
            ) from None
        except csv.Error as error:
            raise self.error(number + 1, f"malformed CSV ({error})") from None
