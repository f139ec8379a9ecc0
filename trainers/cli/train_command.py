"""The command that trains with the settings that tuning found."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from trainers.cli import data_flags, option_flags
from trainers.paper.preset import Preset
from trainers.paper.tuning import tuned_names
from trainers.sweeps.config import non_defaults
from trainers.sweeps.data_config import DataConfig


def train_command(
    best: Preset,
    data: DataConfig,
    model: str,
    architecture: str,
    starts: Mapping[str, Preset],
    further: Mapping[str, Any] | None = None,
) -> str:
    """The command that trains with `best`, written as a change to one of the presets `starts`."""
    values = best.chosen(tuned_names(model))
    options = {name: values.pop(name) for name in list(values) if name in best.architecture}
    preset = next(
        name
        for name, start in starts.items()
        if start.with_values(**values).settings == best.settings
    )
    given: dict[str, Any] = {"dataset": data.dataset, "model": model, "preset": preset}
    if model == "mixhop":
        given["architecture"] = architecture
    given |= values
    if options:
        given[option_flags.NAME] = option_flags.shown(options)
    if "attention_dropout" in best.architecture:
        given["attention_dropout"] = best.architecture["attention_dropout"]
    for name, value in non_defaults(data).items():
        if name == "directed":
            continue  # `further` has the direction
        given[data_flags.SPLIT_SEED if name == "seed" else name] = value
    given |= further or {}
    flags_given = (f"--{name}={shlex.quote(str(value))}" for name, value in given.items())
    return f"python -m trainers.train {' '.join(flags_given)}"
