"""Reads a table file by its ending."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from datasets.errors import DataError
from datasets.options import TableOptions
from datasets.tables import arrow_file
from datasets.tables.csv_file import read_csv
from datasets.tables.csv_lines import CsvLines
from datasets.tables.edge_list import is_edge_list, read_edge_list
from datasets.tables.table import Table

TEXT_ENDINGS = (".csv", ".tsv", ".txt", ".edges", ".edgelist")
ARROW_ENDINGS = (*arrow_file.PARQUET, *arrow_file.FEATHER)
ENDINGS = (*TEXT_ENDINGS, *ARROW_ENDINGS)


def is_table(path: Path) -> bool:
    """Whether a file's name has the ending of a table."""
    return path.suffix.lower() in ENDINGS


def header(path: Path, options: TableOptions) -> list[str] | None:
    """Names of the columns; None for a list of edges without a header."""
    if path.suffix.lower() in ARROW_ENDINGS:
        return arrow_file.header(path)
    if is_edge_list(path, options.texts):
        return None
    return [name for name in CsvLines(path).header if name]


def read(path: Path, options: TableOptions, wanted: Sequence[str] = ()) -> Table:
    """Reads a table.

    Args:
        path: The file.
        options: What the user says about the columns.
        wanted: Names of columns to suggest if the file is missing or empty.
    """
    if not is_table(path):
        raise DataError(
            f"{path} is not a table; use a file that ends in {', '.join(ENDINGS[:-1])} or "
            f"{ENDINGS[-1]}."
        )
    if path.suffix.lower() in ARROW_ENDINGS:
        return arrow_file.read_arrow(path)
    return read_csv(path, wanted, options.texts)


def read_edges(path: Path, options: TableOptions, wanted: Sequence[str] = ()) -> Table:
    """Reads a table of edges, with or without a header."""
    is_text = path.suffix.lower() in TEXT_ENDINGS and path.is_file()
    if is_text and is_edge_list(path, options.texts):
        return read_edge_list(path)
    return read(path, options, wanted)
