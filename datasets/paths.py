"""Paths as people write them."""

from pathlib import Path

from datasets.errors import DataError, short


def user_path(path: str | Path) -> Path:
    """The path with `~` expanded."""
    try:
        found = Path(path).expanduser()
    except RuntimeError:
        raise DataError(f"{short(path)} names the home of a user who is not known here.") from None
    except TypeError:
        raise DataError(f"A path must be text, but is {short(repr(path))}.") from None
    if readable_name(str(found)) != str(found):
        # Records and reports are UTF-8, and name the file.
        raise DataError(f"The path {short(found)} is not UTF-8 text; rename the file or folder.")
    return found


def readable_name(name: str) -> str:
    r"""A file's name as text that can be written, with ? for bytes that are no UTF-8.

    >>> readable_name("caf\udce9.npz")
    'caf?.npz'
    """
    return name.encode("utf-8", "replace").decode("utf-8")
