"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import contextlib
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
    empty one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(_TOKEN_BYTES)}.{path.name}")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        if temporary.is_dir():
            shutil.rmtree(temporary)
        else:
            temporary.unlink(missing_ok=True)


def leftovers(folder: Path) -> list[Path]:
    """What processes that were killed in `replacing` left in a folder."""
    name = re.compile(rf"\.[0-9a-f]{{{2 * _TOKEN_BYTES}}}\.")
    return [path for path in sorted(folder.glob(".*")) if name.match(path.name)]
