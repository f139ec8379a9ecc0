"""Errors that a user can mend, each in one sentence with culprit and remedy."""

from __future__ import annotations

import errno

from datasets import DataError

OUT_OF_MEMORY = (
    "out of memory; close other programs, use fewer --workers, or a smaller graph or architecture"
)


class RunError(Exception):
    """A run cannot start or go on; the message is one sentence."""


def explain(error: Exception) -> str | None:
    """What to tell the user; None if the error is a fault of the program."""
    if isinstance(error, DataError | RunError):
        return str(error)
    # By name, so that commands without TensorFlow need not import it.
    if isinstance(error, MemoryError) or type(error).__name__ == "ResourceExhaustedError":
        return OUT_OF_MEMORY
    if isinstance(error, OSError):
        text = f"{error.filename or 'system'}: {error.strerror or error}"
        if error.errno == errno.ENOSPC:
            text += "; make room and give the same command again, what is finished is kept"
        return text
    return None
