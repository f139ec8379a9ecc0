"""Reads a table part by part, each a `Table` by itself, from any position in the file."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from datasets.options import TableOptions
from datasets.tables import arrow_file, csv_file, edge_list
from datasets.tables.csv_lines import CsvLines
from datasets.tables.table import TEXT, Table

PART = 2**26  # bytes of text that are read at once


class Unstreamable(Exception):  # noqa: N818 - not an error: the file is read in another way
    """Says why a file must be read as a whole."""


class Parts(Protocol):
    """A table in parts."""

    path: Path
    columns: list[str]
    size: int  # in the unit of positions

    def read(self, start: int = 0) -> Iterator[tuple[int, Table]]:
        """Yields the position after each part, and the part."""
        ...


def parts_of(path: Path, options: TableOptions, is_edges: bool) -> Parts:
    """Opens a table.

    Raises:
        Unstreamable: It can only be read as a whole.
        DataError: The header is invalid.
    """
    if path.suffix.lower() in arrow_file.PARQUET:
        return ParquetParts(path)
    if path.suffix.lower() in arrow_file.FEATHER:
        raise Unstreamable("a Feather file is read as a whole")
    if is_edges and edge_list.is_edge_list(path, options.texts):
        return ListParts(path)
    return CsvParts(path, options.texts)


class _TextParts:
    """Cuts a text file at line ends."""

    def __init__(self, path: Path, first_line: int):
        self.path, self._first_line = path, first_line
        self.size = path.stat().st_size
        with open(path, "rb") as file:
            for _ in range(first_line):
                if b"\r" in file.readline():
                    raise Unstreamable("its lines end in carriage returns")
            self._start = file.tell()

    def _blocks(self, start: int) -> Iterator[tuple[int, int, bytes]]:
        """Yields where each block of whole lines starts and ends, and the block."""
        start = max(start, self._start)
        with open(self.path, "rb") as file:
            file.seek(start)
            rest = b""
            while block := file.read(PART):
                cut = block.rfind(b"\n") + 1
                if not cut and len(block) == PART:
                    raise Unstreamable("a line is very long")
                whole, rest = (rest + block[:cut], block[cut:]) if cut else (b"", rest + block)
                if whole:
                    yield start, start + len(whole), whole
                    start += len(whole)
            if rest:
                yield start, start + len(rest), rest

    def _lines(self, start: int, count: int) -> range:
        """The numbers of the lines from a position on."""
        number = self._first_line + 1
        with open(self.path, "rb") as file:
            file.seek(self._start)
            left = start - self._start
            while left and (block := file.read(min(PART, left))):
                number, left = number + block.count(b"\n"), left - len(block)
        return range(number, number + count)


class CsvParts(_TextParts):
    """Reads a CSV file in parts, with the types that `read_csv` finds."""

    def __init__(self, path: Path, texts: Collection[str]):
        lines = CsvLines(path)
        super().__init__(path, lines.header_line)
        if len(lines.header) > csv_file.WIDE:
            raise Unstreamable(f"it has more than {csv_file.WIDE:,} columns")
        if not all(lines.header):
            raise Unstreamable("a column has no name")
        self.columns = lines.header
        self._delimiter = lines.delimiter
        self._header_line = lines.header_line
        numeric = csv_file.looks_numeric(lines, texts)
        self._kinds = [pa.float64() if yes else TEXT for yes in numeric]

    def read(self, start: int = 0) -> Iterator[tuple[int, Table]]:
        """Yields the position after each part, and the part."""
        for first, last, block in self._blocks(start):
            if b'"' in block:
                raise Unstreamable("it has quotes")
            try:
                columns = csv_file.arrow_columns(
                    pa.BufferReader(block), 0, self._delimiter, self._kinds
                )
            except pa.ArrowException:
                raise Unstreamable("some cells do not fit their columns") from None
            named = dict(zip(self.columns, columns, strict=True))
            table = Table(
                str(self.path),
                named,
                len(columns[0]),
                self._places(first, block),
                self._header_line,
                self._delimiter != ",",
            )
            yield last, table

    def _places(self, first: int, block: bytes) -> Any:
        def lines() -> list[int]:
            numbers = self._lines(first, block.count(b"\n") + 1)
            rows = block.split(b"\n")
            blank = (self._delimiter + " \t\r").encode()
            return [at for at, row in zip(numbers, rows, strict=False) if row.strip(blank)]

        return lines


class ListParts(_TextParts):
    """Reads a list of edges without a header in parts."""

    def __init__(self, path: Path):
        line, cells = next(edge_list.cells_of(path))
        super().__init__(path, line - 1)
        self.columns = [*edge_list.ENDS, "weight"][: len(cells)]
        self._delimiter = ""

    def read(self, start: int = 0) -> Iterator[tuple[int, Table]]:
        """Yields the position after each part, and the part."""
        for first, last, block in self._blocks(start):
            if any(mark in block for mark in (b'"', b"#", b"%", b"\r", b"\xef\xbb\xbf")):
                raise Unstreamable("it has comments, quotes or carriage returns")
            if not self._delimiter:
                line = next((each for each in block.split(b"\n") if each.strip()), b"")
                self._delimiter = edge_list.delimiter_of(line.decode("utf-8", "replace")) or " "
            try:
                found = edge_list.arrow_columns(block, 0, self.columns, self._delimiter)
            except pa.ArrowException:
                raise Unstreamable("its lines are uneven") from None
            if found is None:
                raise Unstreamable("its lines are uneven")
            count = len(found[edge_list.ENDS[0]])
            lines = self._numbers(first, block)
            yield last, Table(str(self.path), found, count, lines, has_header=False)

    def _numbers(self, first: int, block: bytes) -> Any:
        def lines() -> list[int]:
            numbers = self._lines(first, block.count(b"\n") + 1)
            return [at for at, row in zip(numbers, block.split(b"\n"), strict=False) if row.strip()]

        return lines


class ParquetParts:
    """Reads a Parquet file by its groups of rows; a position is the number of a group."""

    def __init__(self, path: Path):
        self.path = path
        arrow_file.check_parquet(path)
        with pyarrow.parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            self.columns = [name.strip() for name in schema.names]
            self.size = file.metadata.num_row_groups
        dictionary = any(pa.types.is_dictionary(field.type) for field in schema)
        if len(set(self.columns)) < len(self.columns) or not all(self.columns) or dictionary:
            raise Unstreamable("its columns are unusual")

    def read(self, start: int = 0) -> Iterator[tuple[int, Table]]:
        """Yields the position after each part, and the part."""
        with pyarrow.parquet.ParquetFile(self.path) as file:
            for group in range(start, self.size):
                try:
                    found = file.read_row_group(group)
                    found.validate(full=True)
                except (pa.ArrowException, OSError, ValueError):
                    raise Unstreamable("it may be damaged") from None
                yield group + 1, arrow_file.of_arrow(found, str(self.path))


def num_rows(parts: Parts) -> int:
    """About how many rows a table has, by the length of its first ones."""
    if isinstance(parts, ParquetParts):
        return arrow_file.num_rows(parts.path)
    with open(parts.path, "rb") as file:
        lines = list(itertools.islice(file, 10_000))
    mean = np.mean([len(line) for line in lines]) if lines else 1.0
    return int(parts.size / max(1.0, float(mean))) + 1


def codes(column: Any, words: dict[str, int]) -> np.ndarray:
    """Numbers the texts of a column, int32; new words are added to `words`."""
    found = column.dictionary_encode()
    places = np.empty(len(found.dictionary), np.int32)
    for place, word in enumerate(found.dictionary.to_pylist()):
        places[place] = words.setdefault(word, len(words))
    return places[found.indices.to_numpy(zero_copy_only=False)]


def is_whole(column: Any) -> bool:
    """Whether a column of numbers holds whole numbers without gaps, which give exact texts."""
    return pa.types.is_integer(column.type) and not column.null_count


def as_floats(column: Any) -> np.ndarray:
    """Numbers as float64, with NaN for gaps."""
    return pc.fill_null(pc.cast(column, pa.float64()), float("nan")).to_numpy(zero_copy_only=False)
