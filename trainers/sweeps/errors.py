"""Errors that a user can mend, each in one sentence with culprit and remedy."""

from __future__ import annotations

import errno

from datasets import DataError
from mixhop_tf.errors import ArgumentError, NameOf, quoted

OUT_OF_MEMORY = (
    "out of memory; close other programs, use fewer workers, or a smaller graph or architecture"
)

_MAKE_ROOM = "; make room and give the same command again, what is finished is kept"


class RunError(Exception):
    """A run cannot start or go on; the message is one sentence."""


def explain(error: Exception, name_of: NameOf = quoted) -> str | None:
    """What to tell the user; None if the error is a fault of the program.

    Args:
        error: What was raised.
        name_of: How arguments are named: a command line names its flags.
    """
    if isinstance(error, ArgumentError):
        return error.describe(name_of)
    if isinstance(error, DataError | RunError):
        return str(error)
    # By name, so that commands without TensorFlow need not import it.
    exhausted = type(error).__name__ == "ResourceExhaustedError"
    if exhausted and "No space left" in str(error):
        return f"No space left on device{_MAKE_ROOM}"
    if exhausted or isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    if isinstance(error, OSError):
        text = f"{error.filename or 'system'}: {error.strerror or error}"
        return text + (_MAKE_ROOM if error.errno == errno.ENOSPC else "")
    return None
