"""Collects everything that is wrong with one table, and reports it in one message."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from datasets.errors import DataError

_SHOWN = 10  # faults in a message
_LONGEST = 1200  # characters of the faults after the first


class Faults:
    """Collects the faults of a table.

    Args:
        name: Name of the table in messages, such as its path.
        place: Returns the line of a row in the file; None if the table has rows but no lines.
        header: Line of the header in the file.
    """

    def __init__(self, name: str, place: Callable[[int], int] | None = None, header: int = 1):
        self._name = name
        self._place = place
        self._header = header
        self._found: list[tuple[int, str]] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, row: int, complaint: str) -> None:
        """Notes a fault in a row, counted from 0; -1 is the header."""
        self._found.append((int(row), complaint))

    def add_rows(self, rows: Iterable[Any], complaint: Callable[[int], str]) -> None:
        """Notes a fault in each of these rows; only the first complaints are written out."""
        for row in rows:
            shown = len(self._found) < 20 * _SHOWN
            self._found.append((int(row), complaint(int(row)) if shown else ""))

    def check(self) -> None:
        """Raises a `DataError` that lists the faults in the order of their rows, if any."""
        if self._found:
            raise self.error()

    def error(self) -> DataError:
        """Makes the message: the first fault in full, further ones without their remedy."""
        self._found.sort(key=lambda fault: fault[0])
        (row, first), *others = self._found
        text = f"{self._start(row)}: {first}"
        shown: list[str] = []
        for row, complaint in others[: _SHOWN - 1]:
            part = f"{self._where(row)}: {complaint.split('; ')[0]}"
            if sum(map(len, shown)) + len(part) > _LONGEST:
                break
            shown.append(part)
        rest = len(others) - len(shown)
        if shown:
            text += f". Also {'; '.join(shown)}"
        if rest:
            text += f"; and {rest:,} more"
        return DataError(f"{text}.")

    def _start(self, row: int) -> str:
        if self._place is None:
            return self._name if row < 0 else f"{self._name}, row {row + 1}"
        return f"{self._name}:{self._line(row)}"

    def _where(self, row: int) -> str:
        if self._place is None:
            return "the table" if row < 0 else f"row {row + 1}"
        return f"line {self._line(row)}"

    def _line(self, row: int) -> int:
        return self._header if row < 0 or self._place is None else self._place(row)
