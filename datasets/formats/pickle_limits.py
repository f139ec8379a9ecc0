"""What keeps a short pickle from taking much memory or time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

# Copies that a file may ask for: of its own bytes so many times, and a few more.
_COPIES, _FEW = 16, 10**6
_LONGEST_KEY = 16
_MAX_INT_KEY = 2**60  # beyond, many numbers have one hash, and a dictionary of them is slow
_Scalar = int | float | str | bytes | None | np.generic


class PickleError(Exception):
    """The pickle names or builds something that is refused."""


class Copies:
    """Counts the bytes that are copied: a value in the memo can be asked for again and again.

    Args:
        file_size: Bytes of the pickle.
    """

    def __init__(self, file_size: int) -> None:
        self._left = _COPIES * file_size + _FEW

    def charge_all(self, values: Iterable[Any]) -> None:
        """Counts these values.

        Raises:
            PickleError: They are more than the file can stand for.
        """
        for value in values:
            self._left -= _size(value)
            if self._left < 0:
                raise PickleError("it copies its content too often")


def _size(value: Any) -> int:
    nbytes = getattr(value, "nbytes", None)
    if nbytes is not None:
        return 1 + int(nbytes)
    return 1 + (len(value) if hasattr(value, "__len__") else 0)


def checked_keys(values: list[Any]) -> list[Any]:
    """Keys of a dictionary, or members of a set: numbers, text, or short tuples of them.

    Python hashes nested tuples without a bound on time or depth.
    """
    for value in values:
        parts = value if isinstance(value, tuple) else (value,)
        if len(parts) > _LONGEST_KEY or not all(isinstance(part, _Scalar) for part in parts):
            raise PickleError("a key in it is neither a number nor text")
        if any(isinstance(part, int) and abs(part) > _MAX_INT_KEY for part in parts):
            raise PickleError("a key in it is too large")
    return values


def checked_pairs(values: Iterable[Any]) -> list[Any]:
    """Pairs of a key and a value."""
    pairs = list(values)
    if not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs):
        raise PickleError("it makes a dict in an odd way")
    checked_keys([pair[0] for pair in pairs])
    return pairs
