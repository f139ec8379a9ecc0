"""The flags that say what to train and how: preset, architecture, every hyper-parameter."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from absl import flags

from trainers import experiments, flag_help
from trainers.config import Settings
from trainers.errors import RunError
from trainers.selection import RULES

if TYPE_CHECKING:
    from mixhop_tf import Architecture

# The flags below belong, in --help, to the command line that calls `define`.
flags.disclaim_key_flags()


def define() -> None:
    """Defines the flags. Those of the preset have no default: the preset's value holds."""
    with flag_help.group("Model"):
        flags.DEFINE_string(
            "architecture",
            None,
            "default (powers 0, 1, 2), baseline (power 1, a GCN), learned or three_layers (as the "
            "paper has them for the citation graphs); widths as power:layer 1:layer 2, such as "
            "0:24:0,1:18:7,2:18:7; or a JSON file. By default the learned one where there is one.",
        )
        flags.DEFINE_list("hidden_dims", None, "Widths of the hidden layers, such as 60 or 60,30.")
        flags.DEFINE_string("activation", None, "Of the hidden layers: relu, tanh, elu, …")
        flags.DEFINE_float("input_dropout", None, "Share of the feature entries dropped.")
        flags.DEFINE_float("hidden_dropout", None, "Share of the hidden entries dropped.")
    with flag_help.group("Training (unless given, as the preset says)"):
        flags.DEFINE_enum(
            "preset",
            experiments.DEFAULT_PRESET,
            list(experiments.PRESETS),
            "Whose hyper-parameters: "
            + "; ".join(f"{name}: {text}" for name, text in experiments.PRESET_HELP.items())
            + ".",
        )
        for field in dataclasses.fields(Settings):
            if field.name == "selection":
                flags.DEFINE_enum(field.name, None, list(RULES), field.metadata["help"])
            else:
                kinds: dict[Any, Any] = {"int": flags.DEFINE_integer, "float": flags.DEFINE_float}
                kinds[field.type](field.name, None, field.metadata["help"])


def settings(dataset: str) -> Settings:
    """The preset's settings for a graph, with what the flags say otherwise."""
    chosen = experiments.preset(flags.FLAGS.preset, dataset)
    given: dict[str, Any] = {
        field.name: flags.FLAGS[field.name].value
        for field in dataclasses.fields(Settings)
        if flags.FLAGS[field.name].value is not None
    }
    return dataclasses.replace(chosen.settings, **given)


def architecture(dataset: str, num_classes: int) -> Architecture:
    """The architecture that the flags ask for."""
    from trainers import architectures

    values = flags.FLAGS
    return architectures.resolve(
        values.architecture or architectures.preferred(dataset),
        dataset,
        num_classes,
        experiments.preset(values.preset, dataset),
        architectures.Options(
            hidden_dims=_hidden_dims(),
            activation=values.activation,
            input_dropout=values.input_dropout,
            hidden_dropout=values.hidden_dropout,
        ),
    )


def _hidden_dims() -> tuple[int, ...] | None:
    texts = flags.FLAGS.hidden_dims
    if texts is None:
        return None
    if not all(text.strip().isdecimal() and int(text) for text in texts) or not texts:
        raise RunError(f"--hidden_dims takes positive whole numbers, not {','.join(texts)!r}.")
    return tuple(map(int, texts))
