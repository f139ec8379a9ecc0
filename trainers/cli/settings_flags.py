"""A flag for each hyper-parameter of a training."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Sequence
from typing import Any

from absl import flags

from mixhop_tf import SettingError, Settings
from mixhop_tf.training.settings import AUTO
from trainers.cli import class_weights

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()

_DEFINE: dict[type, Any] = {
    int: flags.DEFINE_integer,
    float: flags.DEFINE_float,
    bool: flags.DEFINE_bool,
}
# The settings about classes of different sizes.
OF_CLASSES = ("select_by", "class_weight", "calibrate", "threshold")
# Settings with flags of their own: see `batch_flags`.
_ELSEWHERE = ("batches",)


def define(
    prefix: str = "", leave_out: Sequence[str] = (), only: Sequence[str] | None = None
) -> None:
    """Defines a flag for each hyper-parameter: the prefix and its name.

    The flags have no default: the preset's value applies.

    Args:
        prefix: Tells the flags of two trainings of one command apart.
        leave_out: Hyper-parameters that get no flag.
        only: The hyper-parameters that get one; by default all others.
    """
    types = typing.get_type_hints(Settings)
    for field in dataclasses.fields(Settings):
        if field.name in (*leave_out, *_ELSEWHERE) or (only is not None and field.name not in only):
            continue
        name: str = prefix + field.name
        if field.metadata["choices"]:
            choices = list(field.metadata["choices"])
            flags.DEFINE_enum(name, None, choices, field.metadata["help"])
        elif field.name in _PARSERS:
            flags.DEFINE_string(name, None, field.metadata["help"])
        else:
            _DEFINE[types[field.name]](name, None, field.metadata["help"])


def given(start: Settings, prefix: str = "", only: Sequence[str] | None = None) -> Settings:
    """`start` with the values of the flags that were given, or of some of them only."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(Settings):
        name = prefix + field.name
        if field.name in _ELSEWHERE or (only is not None and field.name not in only):
            continue
        if name in flags.FLAGS and flags.FLAGS[name].value is not None:
            parse = _PARSERS.get(field.name, lambda value: value)
            values[field.name] = parse(flags.FLAGS[name].value)
    try:
        return dataclasses.replace(start, **values)
    except SettingError as error:
        raise (error.within(prefix.removesuffix("_")) if prefix else error) from None


def _threshold(text: str) -> str | float:
    try:
        return text if text == AUTO else float(text)
    except ValueError:
        raise SettingError("threshold", f"must be {AUTO} or a number from 0 to 1", text) from None


# Settings whose flags are text, and how the text is read.
_PARSERS: dict[str, Callable[[Any], Any]] = {
    "class_weight": class_weights.parse,
    "threshold": _threshold,
}
