"""Keeps intermediate arrays in files, and finds those of a run that was killed."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import Self

import numpy as np

from mixhop_tf.errors import SettingError
from mixhop_tf.folders import replacing_file

IN_MEMORY = 2**26  # bytes; a larger array goes to a file
_FINGERPRINT = "fingerprint.txt"


class Scratch:
    """Keeps arrays by name: small ones in memory, large ones in files that are mapped.

    With a folder of one's own, the files stay until `clear`, and a second run with the same
    fingerprint finds the arrays that the first one finished. Without one, a temporary folder is
    used and removed at the end.

    Args:
        folder: The folder for the files. By default a temporary one.
        fingerprint: Text that tells what is computed. Files of another computation are removed.

    Raises:
        SettingError: The folder holds something else, which is not removed.
    """

    def __init__(
        self,
        folder: str | Path | None = None,
        fingerprint: str = "",
    ) -> None:
        self._own = folder is None
        self._folder = None if folder is None else Path(folder)
        self._fingerprint = fingerprint
        self._arrays: dict[str, np.ndarray] = {}

    def __enter__(self) -> Self:
        if self._folder is not None:
            self._open(self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        self._arrays.clear()
        if self._own:
            self.clear()

    def _open(self, folder: Path) -> None:
        note = folder / _FINGERPRINT
        with contextlib.suppress(OSError, ValueError):
            if note.read_text(encoding="utf-8") == self._fingerprint:
                return
        if (
            folder.exists()
            and not note.is_file()
            and (not folder.is_dir() or any(folder.iterdir()))
        ):
            raise SettingError("scratch", "must be a new folder, or one of this kind", str(folder))
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with replacing_file(note) as temporary:
            temporary.write_text(self._fingerprint, encoding="utf-8")

    def find(
        self, name: str, shape: tuple[int, ...], dtype: type = np.float32
    ) -> np.ndarray | None:
        """Returns a finished array of this name, shape and type, or None."""
        found = self._arrays.get(name)
        if found is not None:
            return found
        if self._folder is None or self._own:
            return None
        with contextlib.suppress(OSError, ValueError):
            found = np.load(self._folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
            if found.shape == shape and found.dtype == dtype:
                self._arrays[name] = found
                return found
        return None

    def keep(self, name: str, array: np.ndarray) -> np.ndarray:
        """Keeps a finished array `[n, d]`, and returns it, or its file, mapped."""
        if self._own and array.nbytes <= IN_MEMORY:
            self._arrays[name] = array
            return array
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="mixhop-"))
        path = self._folder / f"{name}.npy"
        if self._own:
            np.save(path, array)
        else:  # whole and synced, for a run that finds it after a kill
            with replacing_file(path) as temporary, open(temporary, "wb") as file:
                np.save(file, array)
        self._arrays[name] = np.load(path, mmap_mode="r")
        return self._arrays[name]

    def clear(self) -> None:
        """Removes the files."""
        self._arrays.clear()
        if self._folder is not None and self._folder.is_dir():
            shutil.rmtree(self._folder, ignore_errors=True)
