"""The one exception of this package."""

from typing import Any


class DataError(ValueError):
    """Input that cannot be used.

    The message is one sentence for the person who supplied the input: it names the culprit (file,
    line, node, field) and the remedy. Command lines print it as it is, without a traceback.
    """


def few(values: Any, limit: int = 3) -> str:
    """The first `limit` of some values, as text, and how many more there are."""
    shown = [str(value) for value in values[:limit]]
    rest = len(values) - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more" if rest else "")
