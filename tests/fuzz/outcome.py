"""The outcome of a case: it was read, it was refused in one sentence, or it is a finding."""

from __future__ import annotations

import dis
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
_LONGEST = 2000  # characters that a message may have
_OURS = tuple(str(ROOT / package) + "/" for package in ("datasets", "mixhop_tf", "trainers"))
_SENTENCES = ("DataError", "SettingError", "RunError")

READ, REFUSED = "read", "refused"


class Outcome(NamedTuple):
    """Holds the status, `read`, `refused` or the kind of finding, and the message."""

    status: str
    detail: str = ""

    @property
    def is_finding(self) -> bool:
        """Whether the outcome is a finding that somebody must look at."""
        return self.status not in (READ, REFUSED)


def outcome_of(function: Callable[[], Any], also: tuple[str, ...] = ()) -> Outcome:
    """Calls a function that reads something, and returns the outcome.

    Args:
        function: The function to call.
        also: Names of further exceptions that count as a refusal.
    """
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function()
    except Exception as error:
        return _of_error(error, also)
    if caught:
        return Outcome("warning", str(caught[0]))
    return Outcome(READ)


def _of_error(error: Exception, also: tuple[str, ...]) -> Outcome:
    kind = type(error).__name__
    if kind in also:
        return Outcome(REFUSED, kind)
    on_purpose = kind in _SENTENCES or (type(error) is ValueError and _raised_here(error))
    if not on_purpose:
        return Outcome("traceback", "".join(traceback.format_exception(error)))
    message = str(error)
    if "\n" in message or len(message) > _LONGEST or not message.isprintable():
        return Outcome("message", f"{len(message)} characters: {message[:_LONGEST]!r}")
    return Outcome(REFUSED, message)


def _raised_here(error: Exception) -> bool:
    """Returns whether a `raise` in one of our files, and not a failed call, made the error."""
    frame: TracebackType | None = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    if frame is None or not frame.tb_frame.f_code.co_filename.startswith(_OURS):
        return False
    return frame.tb_frame.f_code.co_code[frame.tb_lasti] == dis.opmap["RAISE_VARARGS"]
