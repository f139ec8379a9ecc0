"""Validates the fields of a run record when it is read, because tables compute with them."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from trainers.sweeps.data_config import DataConfig

DONE, DIVERGED, FAILED = "done", "diverged", "failed"
_NEEDED = ("val_accuracy", "val_loss", "test_accuracy", "seconds")
_MAX_INT = 2**63


def check_record(record: Any) -> None:
    """Raises a `ValueError` that names the first missing or invalid field."""
    if not isinstance(record, dict):
        raise ValueError("it is not a JSON object")
    for name in ("key", "seed", "status"):
        if name not in record:
            raise ValueError(f"`{name}` is missing")
    for name in _NEEDED:
        if name not in record and record["status"] == DONE:
            raise ValueError(f"`{name}` is missing")
    for name, fits in _FIELDS.items():
        if name in record and not fits(record[name]):
            raise ValueError(f"`{name}` is invalid")
    try:  # a record must be writable again
        json.dumps(record, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        raise ValueError(
            "it contains a number that is not finite, or text that is not UTF-8"
        ) from None


def is_number(value: Any) -> bool:
    """Whether this is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < _MAX_INT if isinstance(value, int) else math.isfinite(value)


def is_count(value: Any) -> bool:
    """Whether this is a whole number from 0 on."""
    return type(value) is int and 0 <= value < _MAX_INT


def is_text(value: Any) -> bool:
    """Whether this is text."""
    return isinstance(value, str)


def _optional(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


def _is_config(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    architecture, data = value.get("architecture", {}), value.get("data")
    return (
        isinstance(value.get("settings", {}), Mapping)
        and is_text(value.get("digest", ""))
        and isinstance(architecture, Mapping)
        and is_number(architecture.get("largest_eigenvalue", 2.0))
        and (data is None or is_data(data))
    )


def is_data(value: Any) -> bool:
    """Whether these are the fields of a `DataConfig`, each with the right type."""
    return (
        isinstance(value, Mapping)
        and "dataset" in value
        and all(name in _DATA and type(each) is _DATA[name] for name, each in value.items())
    )


def _is_versions(value: Any) -> bool:
    return isinstance(value, Mapping) and "mixhop" in value and all(map(is_text, value.values()))


def _is_metrics(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_optional(is_number), value.values()))


def _is_machine(value: Any) -> bool:
    scalars = str | int | float | bool | None
    return isinstance(value, Mapping) and all(isinstance(each, scalars) for each in value.values())


# The type of each field of a `DataConfig`: the type of its default, and text for the graph.
_DATA = {
    field.name: str if field.default is dataclasses.MISSING else type(field.default)
    for field in dataclasses.fields(DataConfig)
}
_FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "key": lambda value: is_text(value) and bool(value),
    "seed": is_count,
    "status": lambda value: value in (DONE, DIVERGED, FAILED),
    "experiment": _optional(is_text),
    "error": is_text,
    "val_accuracy": is_number,
    "test_accuracy": _optional(is_number),
    "val_loss": is_number,
    "val_score": is_number,
    "test_metrics": _is_metrics,
    "sampled": is_text,
    "train_accuracy": is_number,
    "best_step": is_count,
    "num_steps": is_count,
    "seconds": is_number,
    "delta_share": _optional(is_number),
    "config": _is_config,
    "versions": _is_versions,
    "hardware": is_text,
    "machine": _is_machine,
}
