"""Returns the memory of arrays that are mapped from a file."""

from __future__ import annotations

import mmap
from typing import Any


def release_pages(array: Any) -> None:
    """Drops the pages of a mapped array from this process, after its content was copied.

    The array stays valid: the system reads the pages again when they are used. Other arrays have no
    pages to drop.
    """
    base = array
    while base is not None and not isinstance(base, mmap.mmap):
        base = getattr(base, "base", None)
    if base is not None and hasattr(mmap, "MADV_DONTNEED"):
        base.madvise(mmap.MADV_DONTNEED)
