"""Checks the free memory before anything large is created."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from datasets.errors import DataError

_UNKNOWN = 4 * 2**30  # bytes, assumed if the system gives no figure
_MEMINFO, _CGROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup")
_STATM = Path("/proc/self/statm")


def free_memory() -> int:
    """Returns how many more bytes the machine, the container and the process limit allow."""
    return max(0, min(_bounds(), default=_UNKNOWN))


def check_fits(what: str, num_bytes: int) -> None:
    """Refuses input that needs more memory than is free.

    Args:
        what: The file, or the part of it that is large; the message starts with this.
        num_bytes: Bytes that it needs at least.

    Raises:
        DataError: It needs more memory than is free.
    """
    free = free_memory()
    if num_bytes > free:
        raise DataError(
            f"{what} needs {shown(num_bytes)} of memory, but only {shown(free)} is free; use a "
            "smaller file or a larger machine."
        )


def shown(num_bytes: int) -> str:
    """Formats a size for people.

    >>> shown(3 * 10**9), shown(5 * 10**6)
    ('3.0 GB', '5 MB')
    """
    if num_bytes < 10**9:
        return f"{num_bytes / 10**6:.0f} MB"
    return f"{num_bytes / 10**9:,.1f} GB" if num_bytes < 10**15 else "more than 1,000,000 GB"


def _bounds() -> Iterator[int]:
    available = re.search(r"MemAvailable:\s*(\d+) kB", _text(_MEMINFO))
    if available:
        yield 1024 * int(available[1])
    elif "SC_PHYS_PAGES" in getattr(os, "sysconf_names", {}):
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit, used = _text(_CGROUP / "memory.max"), _text(_CGROUP / "memory.current")
    if limit.isdecimal() and used.isdecimal():
        yield int(limit) - int(used)
    yield from _own_limit()


def _own_limit() -> Iterator[int]:
    try:
        import resource
    except ImportError:  # Windows
        return
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    pages = _text(_STATM).split(" ")[0]
    if limit != resource.RLIM_INFINITY and pages.isdecimal():
        yield limit - int(pages) * os.sysconf("SC_PAGE_SIZE")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
