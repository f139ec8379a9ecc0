"""Keeps the changes of a graph in a file, so that they survive the end of the server."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Any

from datasets.atomic import make_folder
from trainers.sweeps import checksum, records
from trainers.sweeps.errors import RunError

VERSION = 1
Operation = dict[str, Any]


class Journal:
    """A file with one line for each change, which is synced before the change is made.

    Each line has a checksum. The first names the graph that the changes belong to.

    Args:
        path: The file. It is made if there is none.
        fingerprint: Text that names the graph.

    Raises:
        RunError: The file belongs to another graph, is damaged, or another server uses it.
    """

    def __init__(self, path: Path, fingerprint: str) -> None:
        self._path = path
        make_folder(path.parent)
        self._lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            raise RunError(
                f"Another server writes to {path}; stop it, or use another journal."
            ) from None
        try:
            self.operations = self._read(fingerprint)
        except BaseException:
            os.close(self._lock)
            raise

    def append(self, operation: Operation) -> None:
        """Adds a change and syncs it to the disk; if this fails, the file stays as it was."""
        records.append(self._path, operation)

    def close(self) -> None:
        """Lets another server use the file."""
        os.close(self._lock)

    def _read(self, fingerprint: str) -> list[Operation]:
        """Reads the changes; a last line that is incomplete was never answered and is left out."""
        lines = self._path.read_bytes().split(b"\n")[:-1]
        if not lines:
            records.append(self._path, {"journal": VERSION, "graph": fingerprint})
            return []
        found = [self._parsed(line, number) for number, line in enumerate(lines, start=1)]
        head = found[0]
        if head.get("journal") != VERSION:
            raise RunError(f"{self._path} is no journal of a server; name another file.")
        if head.get("graph") != fingerprint:
            raise RunError(
                f"{self._path} has changes of another graph; serve that graph, or name another "
                "file."
            )
        return found[1:]

    def _parsed(self, line: bytes, number: int) -> Operation:
        try:
            content = checksum.parsed(line)
            if isinstance(content, dict):
                return content
        except (ValueError, RecursionError):
            pass
        raise RunError(
            f"{self._path}:{number}: this line is damaged, so the changes after it may be wrong; "
            "restore the file from a copy, or name another."
        )
