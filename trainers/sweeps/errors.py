"""Errors that a user can fix, each in one sentence that names the cause and the remedy."""

from __future__ import annotations

import errno

from datasets import DataError
from mixhop_tf.errors import ArgumentError, NameOf, quoted

OUT_OF_MEMORY = (
    "out of memory; close other programs, use fewer workers, or a smaller graph or architecture"
)

_MAKE_ROOM = "; free some space and run the same command again: finished work is kept"


class RunError(Exception):
    """A run cannot start or continue; the message is one sentence."""


def explain(error: Exception, name_of: NameOf = quoted) -> str | None:
    """The message for the user; None if the error is a bug.

    Args:
        error: The exception.
        name_of: Gives the name of an argument in the message; for a command, that of its flag.
    """
    if isinstance(error, ArgumentError):
        return error.describe(name_of)
    if isinstance(error, DataError | RunError):
        return str(error)
    # Compared by name, because commands without TensorFlow should not import it.
    exhausted = type(error).__name__ == "ResourceExhaustedError"
    if exhausted and "No space left" in str(error):
        return f"No space left on device{_MAKE_ROOM}"
    if exhausted or isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    if isinstance(error, OSError):
        text = f"{error.filename or 'system'}: {error.strerror or error}"
        return text + (_MAKE_ROOM if error.errno == errno.ENOSPC else "")
    return None
