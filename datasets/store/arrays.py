"""Arrays in `.npy` files: mapped when read, appended to when written."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from datasets.errors import DataError, short

HEADER = 128  # bytes; spaces fill it up, so that the shape may be written last
BLOCK = 2**22  # entries that are processed at once
_MAGIC = b"\x93NUMPY\x01\x00"


def header(dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    """The first bytes of a `.npy` file, always `HEADER` of them.

    >>> len(header(np.dtype("<i4"), (3, 2)))
    128
    """
    kind = np.lib.format.dtype_to_descr(dtype)
    text = f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape!r}, }}"
    length = HEADER - len(_MAGIC) - 2
    return _MAGIC + length.to_bytes(2, "little") + text.ljust(length - 1).encode() + b"\n"


def write_array(path: Path, array: np.ndarray) -> None:
    """Writes an array to a `.npy` file, in blocks."""
    with open(path, "wb") as file:
        file.write(header(array.dtype, array.shape))
        for start, stop in blocks(len(array), _rows_at_once(array)):
            file.write(np.ascontiguousarray(array[start:stop]).data)


def finish(path: Path, dtype: Any, shape: tuple[int, ...]) -> None:
    """Writes the header of a file whose first `HEADER` bytes were left free."""
    with open(path, "r+b") as file:
        file.write(header(np.dtype(dtype), shape))


def mapped(path: Path, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Maps a file that `write_array` or `finish` wrote.

    Raises:
        DataError: The file is missing, or its size or header is another than expected.
    """
    kind = np.dtype(dtype)
    size = HEADER + int(np.prod(shape, dtype=object)) * kind.itemsize
    found = path.stat().st_size if path.is_file() else None
    if found != size:
        state = "is missing" if found is None else f"has {found:,} bytes instead of {size:,}"
        raise damaged(path, state)
    with open(path, "rb") as file:
        if file.read(HEADER) != header(kind, shape):
            raise damaged(path, "has another header than the manifest says")
    if size == HEADER:
        array = np.empty(shape, kind)
        array.flags.writeable = False
        return array
    return np.asarray(np.memmap(path, kind, "r", HEADER, shape))


def damaged(path: Path, state: str) -> DataError:
    """The message about a file of a store that cannot be used."""
    return DataError(f"The store is damaged: {short(path)} {state}; convert the graph again.")


def blocks(total: int, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """Ranges of at most `size`.

    >>> list(blocks(5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    for start in range(0, total, size):
        yield start, min(start + size, total)


def row_blocks(indptr: np.ndarray, entries: int = BLOCK) -> Iterator[tuple[int, int]]:
    """Ranges of rows with about `entries` entries each; a row is never cut."""
    start, last = 0, len(indptr) - 1
    while start < last:
        stop = int(np.searchsorted(indptr, int(indptr[start]) + entries, side="right")) - 1
        stop = min(max(stop, start + 1), start + entries, last)
        yield start, stop
        start = stop


def sha256(path: Path) -> str:
    """The SHA-256 of a file."""
    with open(path, "rb") as file:
        _read_once(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_once(handle: int) -> None:
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_SEQUENTIAL)


def _rows_at_once(array: np.ndarray) -> int:
    return max(1, BLOCK // max(1, int(np.prod(array.shape[1:]))))
