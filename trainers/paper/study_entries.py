"""Validates the entries of a study's file when it is read, because tables compute with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from mixhop_tf import Architecture
from trainers.sweeps.record_fields import is_count, is_number, is_text


def check_entries(entries: Any) -> None:
    """Raises a `ValueError` that names the first invalid entry and the reason."""
    if not isinstance(entries, list):
        raise ValueError("it is not a list")
    for number, entry in enumerate(entries, start=1):
        _check_entry(f"entry {number}", entry)
    json.dumps(entries, ensure_ascii=False).encode()  # a text that is not UTF-8 fails here


def _check_entry(name: str, entry: Any) -> None:
    """Raises a `ValueError` that names the invalid field of an entry."""
    if not isinstance(entry, dict):
        raise ValueError(f"{name} is not a JSON object")
    for field, fits in _FIELDS.items():
        if field in entry and not fits(entry[field]):
            raise ValueError(f"`{field}` of {name} is invalid")
    failed = "error" in entry and "retraining" not in entry
    for field in ("search", "seed", *(() if failed else ("architecture", "retraining"))):
        if field not in entry:
            raise ValueError(f"`{field}` of {name} is missing")
    if "architecture" in entry:
        try:
            Architecture.from_dict(entry["architecture"])
        except ValueError as error:
            raise ValueError(f"`architecture` of {name}: {error}") from None


def _is_alive(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(layer, list) and all(map(is_number, layer)) for layer in value
    )


_FIELDS: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("search", "key", "importance", "budget", "error", "retraining"), is_text),
    **dict.fromkeys(("seed", "best_step", "num_steps"), is_count),
    **dict.fromkeys(("lasso", "val_accuracy", "seconds"), is_number),
    "alive": _is_alive,
}
