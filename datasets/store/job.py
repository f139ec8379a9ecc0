"""The folder of a conversion that is not finished: what is done, and from which input."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from datasets.atomic import replacing
from datasets.errors import DataError
from datasets.memory import shown

VERSION = 1
_PROGRESS = "progress.json"
_SAMPLE = 2**16  # bytes at each end of an input file that are part of its fingerprint


class Job:
    """Remembers what is done, so that a later process can go on.

    Args:
        folder: The folder of the unfinished store.
        inputs: The files that are converted.
        options: Everything else that decides the result.
    """

    def __init__(self, folder: Path, inputs: Sequence[Path], options: Any):
        self.folder = folder
        self._input = _fingerprint(inputs, options)
        self.done: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            found = json.loads((folder / _PROGRESS).read_text(encoding="utf-8"))
            if found["version"] == VERSION and found["input"] == self._input:
                self.done = dict(found["done"])
        if not self.done:
            self.restart()

    def restart(self) -> None:
        """Forgets everything."""
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True)
        self.done = {}

    def save(self, **done: Any) -> None:
        """Notes what is done."""
        self.done |= done
        content = {"version": VERSION, "input": self._input, "done": self.done}
        with replacing(self.folder / _PROGRESS) as temporary:
            temporary.write_text(json.dumps(content), encoding="utf-8")


def _fingerprint(inputs: Sequence[Path], options: Any) -> str:
    digest = hashlib.sha256(repr(options).encode("utf-8", "surrogatepass"))
    for path in inputs:
        about = path.stat()
        digest.update(f"{path.resolve()} {about.st_size} {about.st_mtime_ns}".encode())
        with open(path, "rb") as file:
            digest.update(file.read(_SAMPLE))
            file.seek(max(0, about.st_size - _SAMPLE))
            digest.update(file.read(_SAMPLE))
    return digest.hexdigest()


def check_disk(folder: Path, num_bytes: int) -> None:
    """Refuses to start what the disk has no room for.

    Raises:
        DataError: Less space is free.
    """
    place = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    free = shutil.disk_usage(place).free
    if num_bytes > free:
        raise DataError(
            f"{folder} needs about {shown(num_bytes)} of disk space while it is made, but only "
            f"{shown(free)} is free; free some, or choose another disk."
        )
