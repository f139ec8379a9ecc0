"""Files that grow, and that a later process can continue after this one was killed."""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from datasets.store.arrays import HEADER

_BLOCK = 2**24


class Spool:
    """Appends to files of one folder, and knows their sizes and checksums.

    `mark` gives the state of all files. A new `Spool` with this state cuts the files back to it, so
    that what was written between the mark and the kill is gone. The checksums (CRC-32, at several
    GB a second) find files that a power cut or anything else has changed. A file that ends in
    `.npy` starts with room for its header, which does not count: it is written at the end.

    Args:
        folder: The folder, which need not exist.
        state: What `mark` returned; None to start anew.

    Raises:
        ValueError: The files do not have the state.
    """

    def __init__(self, folder: Path, state: dict[str, list[int]] | None = None):
        self.folder = folder
        self._state = {name: list(values) for name, values in (state or {}).items()}
        self._files: dict[str, BinaryIO] = {}
        folder.mkdir(parents=True, exist_ok=True)
        for path in list(folder.iterdir()):
            if path.name not in self._state:
                path.unlink()
        for name, (size, crc) in self._state.items():
            path = folder / name
            start = _start(name)
            whole = path.is_file() and path.stat().st_size >= start + size
            if not whole or _crc(path, start, size) != crc:
                raise ValueError(f"{path} was changed")
            os.truncate(path, start + size)

    def append(self, name: str, content: np.ndarray | bytes) -> None:
        """Appends bytes, or those of an array, to a file."""
        whole: Any = np.ascontiguousarray(content) if isinstance(content, np.ndarray) else content
        data = memoryview(whole)
        if not data.nbytes:
            self._state.setdefault(name, [0, 0])
            self._file(name)
            return
        data = data.cast("B")
        self._file(name).write(data)
        state = self._state.setdefault(name, [0, 0])
        state[0] += data.nbytes
        state[1] = zlib.crc32(data, state[1])

    def mark(self) -> dict[str, list[int]]:
        """Hands everything to the system, and returns size and checksum of each file."""
        for file in self._files.values():
            file.flush()
        return {name: list(values) for name, values in self._state.items()}

    def size(self, name: str) -> int:
        """Bytes of a file, without a header."""
        return self._state[name][0] if name in self._state else 0

    def close(self) -> None:
        """Closes the files."""
        for file in self._files.values():
            file.close()
        self._files.clear()

    def _file(self, name: str) -> BinaryIO:
        if name not in self._files:
            file = self._files[name] = open(self.folder / name, "ab")  # noqa: SIM115 - see `close`
            if not self.size(name) and not file.tell():
                file.write(bytes(_start(name)))
        return self._files[name]


def _start(name: str) -> int:
    return HEADER if name.endswith(".npy") else 0


def _crc(path: Path, start: int, size: int) -> int:
    crc = 0
    with open(path, "rb") as file:
        file.seek(start)
        while size and (block := file.read(min(size, _BLOCK))):
            crc, size = zlib.crc32(block, crc), size - len(block)
    return crc


@contextlib.contextmanager
def closing(spool: Spool) -> Iterator[Any]:
    """Closes a spool at the end of the block, also after an error."""
    try:
        yield spool
    finally:
        spool.close()
