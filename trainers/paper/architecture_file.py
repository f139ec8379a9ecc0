"""Reads an architecture from a JSON file."""

from __future__ import annotations

from pathlib import Path

from datasets.errors import short
from datasets.paths import user_path
from mixhop_tf import Architecture, SettingError
from mixhop_tf.architecture_json import architecture_from_json
from mixhop_tf.baseline import Baseline

# Architectures that have a name instead of a file.
NAMES = ("default", "baseline", "learned", "three_layers")
_MAX_JSON = 10_000_000  # largest size of the file, in bytes


def is_file(name: str) -> bool:
    """Whether a name is that of a file."""
    return _is_file(user_path(name))


def read(name: str) -> Architecture:
    """Reads an architecture of MixHop.

    Raises:
        SettingError: The name is not that of a file, or the file holds a baseline.
        ValueError: The file does not hold an architecture.
    """
    path = user_path(name)
    if path.suffix != ".json" and not _is_file(path):
        rule = (
            f"must be one of {', '.join(NAMES)}, a notation such as "
            "0:24:0,1:18:7,2:18:7, or a JSON file"
        )
        raise SettingError("architecture", rule, short(name))
    try:
        if path.stat().st_size > _MAX_JSON:
            raise ValueError("the file is too large to be one")
        architecture = architecture_from_json(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError("the file is not text in UTF-8") from None
    if isinstance(architecture, Baseline):
        rule = f"must be MixHop's, and this is a {architecture.model}'s; name the model instead"
        raise SettingError("architecture", rule, short(name))
    return architecture


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long for the system
        return False
