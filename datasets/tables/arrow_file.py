"""Reads Parquet, Feather and Arrow files, and tables of other libraries, into a `Table`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from datasets.errors import DataError, short
from datasets.memory import check_fits
from datasets.tables.table import Table

PARQUET = (".parquet", ".pq")
FEATHER = (".feather", ".arrow", ".ipc")
_CELL = 8  # bytes that a cell takes at least, once it is read


def read_arrow(path: Path) -> Table:
    """Reads a Parquet, Feather or Arrow file.

    Raises:
        DataError: The file is damaged, or needs more memory than is free.
    """
    try:
        if path.suffix.lower() in PARQUET:
            found = _read_parquet(path)
        else:
            found = pyarrow.feather.read_table(path, memory_map=False)
        found.validate(full=True)  # offsets of a damaged file may point anywhere
        return of_arrow(found, str(path))
    except DataError:
        raise
    except FileNotFoundError:
        raise DataError(f"{path} is missing or not a file; write it.") from None
    except pa.ArrowMemoryError:
        raise DataError(f"{path} needs more memory than is free, or is damaged.") from None
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{path} cannot be read as a table ({short(error)}); write it again."
        ) from None


def _read_parquet(path: Path) -> pa.Table:
    with pyarrow.parquet.ParquetFile(path) as file:
        meta = file.metadata
        sizes = [meta.row_group(i).total_byte_size for i in range(meta.num_row_groups)]
        cells = max(0, meta.num_rows) * max(1, meta.num_columns)
        check_fits(str(path), max(_CELL * cells, sum(map(abs, sizes))))
        return file.read()


def check_parquet(path: Path) -> None:
    """Refuses a Parquet file whose description cannot be read, or whose rows are too large."""
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            meta = file.metadata
            sizes = [meta.row_group(i).total_byte_size for i in range(meta.num_row_groups)]
            check_fits(f"A group of rows in {path}", 2 * max(map(abs, sizes), default=0))
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{path} cannot be read as a table ({short(error)}); write it again."
        ) from None


def num_rows(path: Path) -> int:
    """Number of rows of a Parquet file, by its description."""
    with pyarrow.parquet.ParquetFile(path) as file:
        return max(0, file.metadata.num_rows)


def header(path: Path) -> list[str]:
    """Names of the columns of a file."""
    return list(read_arrow(path).columns)


def of_arrow(table: pa.Table, name: str) -> Table:
    """Makes a `Table` from an Arrow table."""
    columns: dict[str, Any] = {}
    for column, content in zip(table.column_names, table.columns, strict=True):
        key = column.strip()
        if key in columns:
            raise DataError(f"{name}: the column {short(key)!r} appears twice; rename one.")
        if key:
            columns[key] = content.combine_chunks()
    return Table(name, columns, table.num_rows)


def of_frame(frame: Any, name: str) -> Table:
    """Makes a `Table` from a data frame, an Arrow table, or a dictionary of columns.

    Raises:
        DataError: It is none of them, or a column mixes types.
    """
    try:
        if isinstance(frame, pa.Table):
            return of_arrow(frame, name)
        if hasattr(frame, "iloc"):  # pandas
            named = frame if not _has_named_index(frame) else frame.reset_index()
            named = named.rename(columns=str)
            return of_arrow(_from_pandas(named), name)
        if hasattr(frame, "__arrow_c_stream__"):  # polars and others
            return of_arrow(pa.table(frame), name)
        if isinstance(frame, dict):
            return of_arrow(pa.table(dict(frame)), name)
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise DataError(f"The table of {name} cannot be read ({short(error)}).") from None
    raise DataError(
        f"The table of {name} must be a data frame, an Arrow table or a dictionary of columns, but "
        f"is {short(type(frame).__name__)}."
    )


def _has_named_index(frame: Any) -> bool:
    return frame.index.name is not None


def _from_pandas(frame: Any) -> pa.Table:
    """Converts each column; one that mixes types becomes text."""
    columns = {}
    for name in frame.columns:
        series = frame[name]
        try:
            columns[name] = pa.array(series, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            texts = [None if value is None or value != value else str(value) for value in series]
            columns[name] = pa.array(texts, pa.large_string())
    return pa.table(columns)
