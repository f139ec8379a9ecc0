"""The one exception of this package."""

from typing import Any

_LONGEST = 200  # characters of a file's own text in a message


class DataError(ValueError):
    """Input that cannot be used.

    The message is one sentence for the person who supplied the input: it names the culprit (file,
    line, node, field) and the remedy. Command lines print it as it is, without a traceback.
    """


def few(values: Any, limit: int = 3) -> str:
    """The first `limit` of some values, as text, and how many more there are."""
    shown = [short(value) for value in values[:limit]]
    rest = len(values) - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more" if rest else "")


def short(value: Any, longest: int = _LONGEST) -> str:
    r"""What a file or another library says, on one line and no longer than a message bears.

    >>> short("two\nlines"), short("x" * 10, longest=5)
    ('two lines', 'xxxxx…')
    """
    try:
        line = " ".join(str(value).split())
    except ValueError:  # Python writes no integer of more than 4,300 digits
        line = "a number of thousands of digits"
    line = line if len(line) <= longest else f"{line[:longest]}…"
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in line)
