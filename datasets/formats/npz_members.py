"""Reads the arrays of a `.npz` file after checking what each of them declares.

A file of a few megabytes can unpack to more than the memory, and a member may be anything. So the
size in the archive's directory, the dtype and the shape are checked before an array is read.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.lib import format as npy

from datasets.errors import DataError, short
from datasets.memory import check_fits

_ENDING = ".npy"
_MAX_MEMBERS = 1000
_PLAIN = "biufUS"  # kinds of dtypes: numbers and text
_MAX_RATIO = 1100  # of uncompressed to compressed size; deflate reaches 1,032
_MAX_AXES = 8
_BYTES_EACH = 8  # bytes that an entry takes at least while a graph is built
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


class _RefusedError(Exception):
    """Says why a member is not read."""


@dataclasses.dataclass(frozen=True)
class _Declared:
    """Holds what the header of an array declares."""

    shape: tuple[int, ...]
    dtype: np.dtype

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def num_bytes(self) -> int:
        return self.size * max(self.dtype.itemsize, _BYTES_EACH)


def read_arrays(path: Path, passed_over: Collection[str] = ()) -> dict[str, np.ndarray]:
    """Reads the arrays of a file.

    Args:
        path: The file.
        passed_over: Names of arrays to skip.

    Returns:
        The arrays by name.

    Raises:
        DataError: The file is not an archive of plain arrays, or needs more memory than is free.
    """
    if not zipfile.is_zipfile(path):
        raise DataError(
            f"{path} is not a .npz archive or is truncated; write it again with numpy.savez."
        )
    try:
        with zipfile.ZipFile(path) as archive:
            return _arrays(path, archive, passed_over)
    except (DataError, MemoryError, OSError):
        raise
    except Exception as error:  # a damaged directory can raise almost anything
        raise DataError(
            f"{path} is a damaged archive ({short(error)}); write it again with numpy.savez."
        ) from None


def _arrays(
    path: Path, archive: zipfile.ZipFile, passed_over: Collection[str]
) -> dict[str, np.ndarray]:
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        key = info.filename.removesuffix(_ENDING)
        if key in members:
            raise DataError(f"{path} has {short(key)!r} twice; write it again with numpy.savez.")
        members[key] = info
    if len(members) > _MAX_MEMBERS:
        raise DataError(
            f"{path} has {len(members):,} members, which is too many; save only the arrays of the "
            "graph."
        )
    wanted = {key: info for key, info in members.items() if key not in passed_over}
    declared = 0
    for key, info in wanted.items():
        with _naming(path, key):
            declared += _declared_bytes(archive, info)
    check_fits(str(path), declared)
    arrays = {}
    for key, info in wanted.items():
        with _naming(path, key), archive.open(info) as file:
            arrays[key] = npy.read_array(file, allow_pickle=False)
    return arrays


@contextlib.contextmanager
def _naming(path: Path, key: str) -> Iterator[None]:
    """Turns an error in a member into a sentence that names the member."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # as above
        raise DataError(
            f"{path}: the array {short(key)!r} cannot be read as plain numbers or strings "
            f"({short(error)}); write the file again with numpy.savez, and text with dtype=str."
        ) from None


def _declared_bytes(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> int:
    """Computes the memory that a member needs, after checking that its bytes fill its shape."""
    if info.file_size > _MAX_RATIO * (info.compress_size + 1):
        raise _RefusedError("the archive's directory states a wrong size")
    with archive.open(info) as file:
        header = _header(file)
        rest = info.file_size - file.tell()
    if header.dtype.kind not in _PLAIN or header.dtype.hasobject:
        raise _RefusedError(f"its dtype is {short(header.dtype)}")
    if len(header.shape) > _MAX_AXES or any(length < 0 for length in header.shape):
        raise _RefusedError(f"its shape is {short(header.shape)}")
    if header.size * max(header.dtype.itemsize, 1) > rest:
        raise _RefusedError(
            f"its shape {short(header.shape)} needs more than the {rest:,} bytes that it has"
        )
    return header.num_bytes


def _header(file: IO[bytes]) -> _Declared:
    version = npy.read_magic(file)
    if version not in _HEADERS:
        raise _RefusedError(f"version {version} of its format is unknown")
    shape, _, dtype = _HEADERS[version](file)
    return _Declared(shape, dtype)
