"""Reads CSV files line by line, so that every error message can name the file and the line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from datasets.errors import DataError, short
from datasets.tables.faults import Faults

DELIMITERS = ",;\t|"
_LARGE = 20_000_000  # bytes of a file that takes seconds to read
_LINES_AT_ONCE = 50_000


class CsvLines:
    """Reads a CSV file whose first line names the columns.

    The file is UTF-8, with or without a byte order mark, and with any line endings. Columns are
    separated by the one of `, ; tab |` that is most frequent in the header.

    Args:
        path: The file.
        wanted: Names of columns to suggest in messages about a missing or empty file.

    Raises:
        DataError: The file is missing or empty, or its header is invalid.
    """

    def __init__(self, path: Path, wanted: Sequence[str] = ()):
        self.path = path
        advice = f"with the header line {','.join(wanted)}" if wanted else "with a header line"
        if not path.is_file():
            raise DataError(f"{path} is missing or not a file; write it, {advice}.")
        self.delimiter = ","
        self.delimiter = self._most_frequent()
        first = next(self._lines(), None)
        if first is None:
            raise DataError(f"{path} is empty; start it {advice}.")
        self.header_line, self.header = first
        self._check_header()

    def _most_frequent(self) -> str:
        """The character that separates the columns of the header."""
        try:
            with open(self.path, encoding="utf-8-sig", newline="") as file:
                line = next((line for line in iter(file.readline, "") if line.strip()), "")
        except UnicodeDecodeError:
            return ","
        outside = "".join(line.split('"')[::2])
        return max(DELIMITERS, key=outside.count)

    def _check_header(self) -> None:
        faults = Faults(str(self.path), lambda row: row, self.header_line)
        names: set[str] = set()
        for column in self.header:
            if column and column in names:
                faults.add(-1, f"the column {short(column)!r} appears twice; rename or remove one")
            names.add(column)
        faults.check()

    def error(self, line: int, complaint: str) -> DataError:
        """Makes a `DataError` that names this file and the line."""
        return DataError(f"{self.path}:{line}: {complaint}.")

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yields `(line number, cells)` of each line below the header, except blank lines.

        Raises:
            DataError: Some lines have too many or too few cells; the message lists them.
        """
        lines = self._lines()
        next(lines)
        wrong: list[int] = []
        faults = Faults(str(self.path), lambda row: wrong[row], self.header_line)
        for number, cells in lines:
            if len(cells) != len(self.header):
                wrong.append(number)
                faults.add(
                    len(wrong) - 1,
                    f"the line has {len(cells)} cells, but the header has {len(self.header)}; "
                    "write as many",
                )
            elif not wrong:
                yield number, cells
        faults.check()

    def _lines(self) -> Iterator[tuple[int, list[str]]]:
        number = 0
        try:
            with open(self.path, "rb") as raw, self._bar() as bar:
                text = io.TextIOWrapper(raw, "utf-8-sig", newline="")
                for cells in (reader := csv.reader(text, strict=True, delimiter=self.delimiter)):
                    number = reader.line_num
                    if not number % _LINES_AT_ONCE:
                        bar.update(raw.tell() - bar.n)
                    stripped = [cell.strip() for cell in cells]
                    if any(stripped):
                        yield number, stripped
        except UnicodeDecodeError:
            raise self.error(
                self._first_undecodable(), "the line is not UTF-8 text; save the file as UTF-8"
            ) from None
        except csv.Error as error:
            raise self.error(
                number + 1, f"the CSV is malformed ({short(error)}); correct it"
            ) from None

    def _first_undecodable(self) -> int:
        """Finds the first line that is not UTF-8; the decoder reads ahead and does not know it."""
        with open(self.path, "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    line.decode("utf-8")
                except UnicodeDecodeError:
                    return number
        raise AssertionError("every line is UTF-8")

    def _bar(self) -> tqdm:
        """Makes a progress bar over the bytes of a large file; it is shown only on a terminal."""
        size = self.path.stat().st_size
        return tqdm(
            total=size,
            desc=self.path.name,
            unit="B",
            unit_scale=True,
            leave=False,
            disable=None if size > _LARGE else True,
        )
