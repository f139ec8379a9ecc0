"""Selection of names by patterns such as `table1/*`."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from typing import TypeVar

from trainers.sweeps.errors import RunError

T = TypeVar("T")


def select(named: Mapping[str, T], patterns: Sequence[str], kind: str) -> dict[str, T]:
    """The entries whose names match one of the patterns, in the order of `named`.

    Args:
        named: The entries by name.
        patterns: One pattern or more; each must match a name.
        kind: What a message calls an entry.

    >>> select({"table1/cora": 1, "table3/cora": 3}, ["table1/*"], "experiment")
    {'table1/cora': 1}
    """
    for pattern in patterns or [""]:
        if not fnmatch.filter(named, pattern):
            raise RunError(f"No {kind} matches {pattern!r}; the names are {', '.join(named)}.")
    return {
        name: entry
        for name, entry in named.items()
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
    }
