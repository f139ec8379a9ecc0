"""Replaces a folder whole or not at all."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Gives a temporary folder to write to. Without an error it takes the place of `path`.

    The old folder stays until then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=_prefix(path)) as temporary:
        new = Path(temporary, "new")
        new.mkdir()
        yield new
        if path.exists():
            path.rename(Path(temporary, "old"))
        new.rename(path)


def leftovers(path: Path) -> list[Path]:
    """Temporary folders that a killed process left behind in `replacing_folder(path)`."""
    return sorted(path.parent.glob(f"{_prefix(path)}*"))


def _prefix(path: Path) -> str:
    return f".{path.name}."
