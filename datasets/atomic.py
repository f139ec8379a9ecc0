"""Writes files and folders completely or not at all, and makes them survive a power cut."""

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
    """Yields a temporary path and renames it to `path` when the block succeeds.

    The caller writes a file or a folder to the temporary path, which is beside `path` and has the
    same suffix. A file replaces an existing file; a folder replaces only an empty folder. After the
    block, everything is synced to the disk: a power cut leaves either the old or the new content.

    Args:
        path: The file or folder to write.

    Yields:
        The temporary path.
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
    """Lists the temporary files that processes killed inside `replacing` left in a folder."""
    name = re.compile(rf"\.[0-9a-f]{{{2 * _TOKEN_BYTES}}}\.")
    return [path for path in sorted(folder.glob(".*")) if name.match(path.name)]


def remove_leftovers(folder: Path) -> None:
    """Removes the `leftovers` of a folder. No other process may be writing into it."""
    for path in leftovers(folder):
        remove(path)


def remove(path: Path) -> None:
    """Removes a file or folder if it exists."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Creates a folder and its missing parents, and syncs their names to the disk."""
    if folder.is_file():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync(path: Path) -> None:
    """Syncs a file, or a folder with everything in it, to the disk."""
    if path.is_dir():
        for each in path.iterdir():
            sync(each)
        sync_folder(path)
    else:
        # Windows syncs only files that are open for writing.
        _sync(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)


def sync_folder(folder: Path) -> None:
    """Syncs the names in a folder to the disk, on systems that support it."""
    if os.name == "posix":
        _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
