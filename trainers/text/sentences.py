"""Parts of sentences with numbers."""

from __future__ import annotations

from collections.abc import Sequence


def listed(parts: Sequence[str]) -> str:
    """Joins parts as a sentence does.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def count_of(part: int, whole: int) -> str:
    """How many of how many.

    >>> count_of(2, 3), count_of(3, 3)
    ('2 of 3', 'all 3')
    """
    return f"all {whole}" if part == whole else f"{part} of {whole}"
