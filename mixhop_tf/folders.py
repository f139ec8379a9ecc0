"""Replaces files and folders atomically, and so that a power cut does not lose them."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Yields a temporary folder, which replaces `path` if the block ends without an error.

    The old folder stays until then. If the process is killed after it has moved the old folder away
    and before it has renamed the new one, `path` does not exist. `put_back` repairs that; call it
    before looking for the folder.
    """
    make_folder(path.parent)
    put_back(path)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=_prefix(path)) as temporary:
        new, old = Path(temporary, "new"), Path(temporary, "old")
        new.mkdir()
        yield new
        sync(new)
        if path.exists():
            # The old folder can be put back only if the temporary one is on the disk.
            sync_folder(path.parent)
            path.rename(old)
        try:
            new.rename(path)
        except OSError:
            if old.exists():
                old.rename(path)
            raise
        sync_folder(Path(temporary))
        sync_folder(path.parent)


@contextlib.contextmanager
def replacing_file(path: Path) -> Iterator[Path]:
    """Yields a temporary file name, which replaces `path` if the block ends without an error.

    The temporary name is always the same, so only one process may write at a time.
    """
    make_folder(path.parent)
    temporary = path.with_name(f"{_prefix(path)}part")
    try:
        yield temporary
        sync(temporary)
        temporary.replace(path)
        sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def leftovers(path: Path) -> list[Path]:
    """Lists what killed processes left behind while they replaced `path`."""
    return sorted(path.parent.glob(f"{_prefix(path)}*"))


def put_back(path: Path) -> None:
    """Restores a folder if a process was killed while it replaced the folder."""
    if path.exists():
        return
    for each in leftovers(path):
        if (each / "old").is_dir():
            (each / "old").rename(path)
            sync_folder(path.parent)
            shutil.rmtree(each)
            return


def make_folder(folder: Path) -> None:
    """Makes a folder and its missing parents, and flushes their names to the disk."""
    if folder.is_file():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync(path: Path) -> None:
    """Flushes a file, or a folder with its whole content, to the disk."""
    if path.is_dir():
        for each in path.iterdir():
            sync(each)
        sync_folder(path)
    else:
        # Windows can only flush a file that is open for writing.
        _sync(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)


def sync_folder(folder: Path) -> None:
    """Flushes the names in a folder to the disk, if the operating system can."""
    if os.name == "posix":
        _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _prefix(path: Path) -> str:
    return f".{path.name}."
