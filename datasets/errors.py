"""The exception that this package raises, and helpers for its messages."""

from typing import Any

_LONGEST = 200  # characters of quoted text in a message


class DataError(ValueError):
    """Reports input that cannot be used.

    The message is one sentence for the person who supplied the input. It names the culprit (file,
    line, node, field) and the remedy. Commands print it unchanged, without a traceback.
    """


def few(values: Any, limit: int = 3) -> str:
    """Lists the first `limit` values as text and says how many more there are."""
    shown = [short(value) for value in values[:limit]]
    rest = len(values) - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more" if rest else "")


def short(value: Any, longest: int = _LONGEST) -> str:
    r"""Shortens the text of a file or of another library to one line that fits into a message.

    >>> short("two\nlines"), short("x" * 10, longest=5)
    ('two lines', 'xxxxx…')
    """
    try:
        line = " ".join(str(value).split())
    except ValueError:  # Python does not convert integers of more than 4,300 digits to text
        line = "a number with thousands of digits"
    line = line if len(line) <= longest else f"{line[:longest]}…"
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in line)
