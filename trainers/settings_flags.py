"""The flags that say what to train and how: preset, architecture, every hyper-parameter."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from absl import flags

from trainers import baseline_flags, experiments, flag_help
from trainers.config import Architecture, Preset, Settings
from trainers.errors import RunError

if TYPE_CHECKING:
    import datasets

# The flags below belong, in --help, to the command line that calls `define`.
flags.disclaim_key_flags()


def define() -> None:
    """Defines the flags. Those of the preset have no default: the preset's value holds."""
    with flag_help.group("Model"):
        flags.DEFINE_enum("model", "mixhop", list(experiments.MODELS), "What to train.")
        flags.DEFINE_string(
            "architecture",
            None,
            "Of MixHop: default (powers 0, 1, 2), baseline (power 1, a GCN), learned or "
            "three_layers (as the paper has them for the citation graphs); widths as power:layer "
            "1:layer 2, such as 0:24:0,1:18:7,2:18:7; or a JSON file. By default the learned one "
            "where there is one.",
        )
        flags.DEFINE_list("hidden_dims", None, "Widths of the hidden layers, such as 60 or 60,30.")
        flags.DEFINE_string("activation", None, "Of the hidden layers: relu, tanh, elu, …")
        flags.DEFINE_float("input_dropout", None, "Share of the feature entries dropped.")
        flags.DEFINE_float("hidden_dropout", None, "Share of the hidden entries dropped.")
        flags.DEFINE_bool(
            "shared_first_kernel",
            False,
            "Of MixHop: one kernel for all powers of the first layer; the record then holds the "
            "share of delta operators.",
        )
    baseline_flags.define()
    with flag_help.group("Training (unless given, as the preset says)"):
        flags.DEFINE_enum(
            "preset",
            None,
            list(experiments.PRESET_HELP),
            "Whose hyper-parameters: "
            + "; ".join(f"{name}: {text}" for name, text in experiments.PRESET_HELP.items())
            + f". By default {experiments.DEFAULT_PRESET} for MixHop on citation graphs, synthetic "
            "on the synthetic ones, general on your own, and own for the other models.",
        )
        define_settings()


def define_settings(prefix: str = "", leave_out: Sequence[str] = ()) -> None:
    """Defines a flag for each hyper-parameter, its name after the prefix.

    Args:
        prefix: For a command with two trainings.
        leave_out: Hyper-parameters that are no flags.
    """
    kinds: dict[Any, Any] = {"int": flags.DEFINE_integer, "float": flags.DEFINE_float}
    for field in dataclasses.fields(Settings):
        if field.name in leave_out:
            continue
        name: str = prefix + field.name
        if field.metadata["choices"]:
            choices = list(field.metadata["choices"])
            flags.DEFINE_enum(name, None, choices, field.metadata["help"])
        else:
            kinds[field.type](name, None, field.metadata["help"])


def given_settings(start: Settings, prefix: str = "") -> Settings:
    """`start` with what the flags say otherwise."""
    given: dict[str, Any] = {}
    for field in dataclasses.fields(Settings):
        name = prefix + field.name
        if name in flags.FLAGS and flags.FLAGS[name].value is not None:
            given[field.name] = flags.FLAGS[name].value
    try:
        return dataclasses.replace(start, **given)
    except RunError as error:
        raise RunError(str(error).replace("--", f"--{prefix}", 1)) from None


def preset_name(dataset: str) -> str:
    """The preset for a graph that the flags ask for."""
    return flags.FLAGS.preset or experiments.default_preset(flags.FLAGS.model, dataset)


def preset(dataset: str) -> Preset:
    """What that preset says."""
    return experiments.preset(preset_name(dataset), dataset, flags.FLAGS.model)


def settings(dataset: str) -> Settings:
    """The preset's settings for a graph, with what the flags say otherwise."""
    model, kind = flags.FLAGS.model, flags.FLAGS.lasso_kind
    if model != "mixhop" and kind not in (None, "gradient"):
        raise RunError(f"--lasso_kind {kind} is for MixHop's kernels, not for --model {model}.")
    return given_settings(preset(dataset).settings)


def architecture(dataset: str, graph: datasets.Graph) -> Architecture:
    """The architecture that the flags ask for."""
    from trainers import architectures, baselines

    values = flags.FLAGS
    hidden_dims = _hidden_dims()
    if values.model != "mixhop":
        given = baseline_flags.given(hidden_dims)
        return baselines.resolve(values.model, graph, preset(dataset), given)
    baseline_flags.see_none_given()
    return architectures.resolve(
        values.architecture or architectures.preferred(dataset),
        dataset,
        graph.num_classes,
        preset(dataset),
        architectures.Options(
            hidden_dims=hidden_dims,
            activation=values.activation,
            input_dropout=values.input_dropout,
            hidden_dropout=values.hidden_dropout,
        ),
    )


def shared_first_kernel(chosen: Architecture) -> bool:
    """Whether the flags ask for it, and the architecture can have it."""
    if not flags.FLAGS.shared_first_kernel:
        return False
    if flags.FLAGS.model != "mixhop":
        raise RunError(f"--shared_first_kernel is for MixHop, not for --model {flags.FLAGS.model}.")
    layers = chosen.to_dict()["layers"]
    if len(layers) < 2 or len(set(layers[0]["dims"])) > 1:
        raise RunError(
            "--shared_first_kernel needs two layers, and in the first the same width for all "
            "powers; use --architecture default."
        )
    return True


def _hidden_dims() -> tuple[int, ...] | None:
    texts = flags.FLAGS.hidden_dims
    if texts is None:
        return None
    if not all(text.strip().isdecimal() and int(text) for text in texts) or not texts:
        raise RunError(f"--hidden_dims takes positive whole numbers, not {','.join(texts)!r}.")
    return tuple(map(int, texts))
