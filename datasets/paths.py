"""Handles paths as people write them."""

from pathlib import Path

from datasets.errors import DataError, short


def user_path(path: str | Path) -> Path:
    """Expands `~` in a path and checks that the path is UTF-8 text."""
    try:
        found = Path(path).expanduser()
    except RuntimeError:
        raise DataError(
            f"{short(path)} names the home folder of an unknown user; write the path in full."
        ) from None
    except TypeError:
        raise DataError(f"A path must be text, but is {short(repr(path))}.") from None
    if readable_name(str(found)) != str(found):
        # Records and reports contain the path and are UTF-8.
        raise DataError(f"The path {short(found)} is not UTF-8 text; rename the file or folder.")
    return found


def readable_name(name: str) -> str:
    r"""Replaces bytes of a file name that are not UTF-8 with `?`.

    >>> readable_name("caf\udce9.npz")
    'caf?.npz'
    """
    return name.encode("utf-8", "replace").decode("utf-8")
