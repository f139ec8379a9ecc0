"""Paths as people write them."""

from pathlib import Path

from datasets.errors import DataError


def user_path(path: str | Path) -> Path:
    """The path with `~` expanded."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise DataError(f"{path} names the home of a user who is not known here.") from None
    except TypeError:
        raise DataError(f"A path must be text, but is {path!r}.") from None
