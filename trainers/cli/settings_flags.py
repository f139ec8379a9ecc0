"""A flag for each hyper-parameter of a training."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Sequence
from typing import Any

from absl import flags

from mixhop_tf import SettingError, Settings

# The flags below belong, in --help, to the command line that calls `define`.
flags.disclaim_key_flags()

_DEFINE: dict[type, Any] = {int: flags.DEFINE_integer, float: flags.DEFINE_float}


def define(prefix: str = "", leave_out: Sequence[str] = ()) -> None:
    """Defines a flag for each hyper-parameter, its name after the prefix.

    They have no default: the preset's value holds.

    Args:
        prefix: For a command with two trainings.
        leave_out: Hyper-parameters that are no flags.
    """
    types = typing.get_type_hints(Settings)
    for field in dataclasses.fields(Settings):
        if field.name in leave_out:
            continue
        name: str = prefix + field.name
        if field.metadata["choices"]:
            choices = list(field.metadata["choices"])
            flags.DEFINE_enum(name, None, choices, field.metadata["help"])
        else:
            _DEFINE[types[field.name]](name, None, field.metadata["help"])


def given(start: Settings, prefix: str = "") -> Settings:
    """`start` with the values of the flags that were given."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(Settings):
        name = prefix + field.name
        if name in flags.FLAGS and flags.FLAGS[name].value is not None:
            values[field.name] = flags.FLAGS[name].value
    try:
        return dataclasses.replace(start, **values)
    except SettingError as error:
        raise (error.within(prefix.removesuffix("_")) if prefix else error) from None
