"""Limits that stop a short pickle from using much memory or time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

# A file may copy this many times its own size, plus a fixed number of bytes.
_COPIES, _FEW = 16, 10**6
_LONGEST_KEY = 16
_MAX_INT_KEY = 2**60  # larger numbers can share one hash, which makes a dictionary slow
_Scalar = int | float | str | bytes | None | np.generic


class PickleError(Exception):
    """Reports that a pickle names or builds something that is refused."""


class Copies:
    """Counts the bytes that are copied, because a pickle can use a value in its memo repeatedly.

    Args:
        file_size: Size of the pickle in bytes.
    """

    def __init__(self, file_size: int) -> None:
        self._left = _COPIES * file_size + _FEW

    def charge_all(self, values: Iterable[Any]) -> None:
        """Counts these values.

        Raises:
            PickleError: The values are too many for the size of the file.
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
    """Checks keys of a dictionary or members of a set: numbers, text, or short tuples of them.

    Nested tuples are refused because Python hashes them without a limit on time or depth.
    """
    for value in values:
        parts = value if isinstance(value, tuple) else (value,)
        if len(parts) > _LONGEST_KEY or not all(isinstance(part, _Scalar) for part in parts):
            raise PickleError("a key in it is neither a number nor text")
        if any(isinstance(part, int) and abs(part) > _MAX_INT_KEY for part in parts):
            raise PickleError("a key in it is too large")
    return values


def checked_pairs(values: Iterable[Any]) -> list[Any]:
    """Checks that each value is a pair of a valid key and a value."""
    pairs = list(values)
    if not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs):
        raise PickleError("it builds a dict in an unsupported way")
    checked_keys([pair[0] for pair in pairs])
    return pairs
