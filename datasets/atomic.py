"""Files and folders that appear whole or not at all, and are still there after a power cut."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

_TOKEN_BYTES = 6


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name beside `path` to write a file or folder to; it takes the name `path` if all
    goes well.

    The suffix is kept, for writers that go by it. A file replaces what was there; a folder only an
    empty one. When the block has ended the disk has it all: a power cut leaves either what was
    there before or what was written.
    """
    make_folder(path.parent)
    temporary = path.with_name(f".{secrets.token_hex(_TOKEN_BYTES)}.{path.name}")
    try:
        yield temporary
        sync(temporary)
        temporary.replace(path)
        sync_folder(path.parent)
    finally:
        remove(temporary)


def leftovers(folder: Path) -> list[Path]:
    """What processes that were killed in `replacing` left in a folder."""
    name = re.compile(rf"\.[0-9a-f]{{{2 * _TOKEN_BYTES}}}\.")
    return [path for path in sorted(folder.glob(".*")) if name.match(path.name)]


def remove_leftovers(folder: Path) -> None:
    """Removes them. No other process may be writing into the folder."""
    for path in leftovers(folder):
        remove(path)


def remove(path: Path) -> None:
    """Removes a file or folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it that are missing, and sees their names to the disk."""
    if folder.is_file():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync(path: Path) -> None:
    """Sees a file, or a folder with all that is in it, to the disk."""
    if path.is_dir():
        for each in path.iterdir():
            sync(each)
        sync_folder(path)
    else:
        # Windows syncs only what is open for writing.
        _sync(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)


def sync_folder(folder: Path) -> None:
    """Sees the names in a folder to the disk, where the system can do so."""
    if os.name == "posix":
        _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
