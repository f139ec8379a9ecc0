"""The flags that say what to train: model, architecture, preset."""

from __future__ import annotations

from typing import Any

from absl import flags

from mixhop_tf import SettingError
from mixhop_tf.baselines import HEADS
from trainers.cli import flag_help, settings_flags
from trainers.paper import presets
from trainers.paper.architectures import ArchitectureRequest

# The flags below belong, in --help, to the command line that calls `define`.
flags.disclaim_key_flags()

_BASELINE_FIELDS = (
    "order",
    "heads",
    "output_heads",
    "attention_dropout",
    "drop_values",
    "powers",
    "replicas",
    "head",
)
_SHARED = ("activation", "input_dropout", "hidden_dropout")


def _define_baselines() -> None:
    """Defines the flags. They have no default: the preset's value holds."""
    with flag_help.group("Baselines (unless given, as the preset says)"):
        flags.DEFINE_integer("order", None, "chebyshev: the highest polynomial.")
        flags.DEFINE_integer("heads", None, "gat: attention heads of the hidden layer.")
        flags.DEFINE_integer("output_heads", None, "gat: attention heads of the output layer.")
        flags.DEFINE_float("attention_dropout", None, "gat: share of the attention dropped.")
        flags.DEFINE_bool(
            "drop_values", None, "gat: drop what attention weighs, too, at the inputs' rates."
        )
        flags.DEFINE_list("powers", None, "ngcn: powers of the adjacency, such as 0,1,2.")
        flags.DEFINE_integer("replicas", None, "ngcn: towers for each power.")
        flags.DEFINE_enum("head", None, list(HEADS), "ngcn: what combines the towers.")


def define() -> None:
    """Defines the flags. Those of the preset have no default: the preset's value holds."""
    with flag_help.group("Model"):
        flags.DEFINE_enum("model", "mixhop", list(presets.MODELS), "What to train.")
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
    _define_baselines()
    with flag_help.group("Training (unless given, as the preset says)"):
        flags.DEFINE_enum(
            "preset",
            None,
            list(presets.PRESET_HELP),
            "Whose hyper-parameters: "
            + "; ".join(f"{name}: {text}" for name, text in presets.PRESET_HELP.items())
            + ". By default those of the tables here: l2 for MixHop on the citation graphs, "
            "tuned-random on random splits of these with 100 nodes a class, synthetic on the "
            "synthetic graphs, general on your own, and own for the other models.",
        )
        settings_flags.define()


def architecture_request() -> ArchitectureRequest:
    """The architecture that the flags ask for."""
    values = flags.FLAGS
    fields: dict[str, Any] = {
        name: values[name].value
        for name in _BASELINE_FIELDS + _SHARED
        if values[name].value is not None
    }
    if "powers" in fields:
        fields["powers"] = _whole_numbers("powers", fields["powers"], least=0)
    return ArchitectureRequest(
        model=values.model,
        name=values.architecture,
        hidden_dims=None
        if values.hidden_dims is None
        else _whole_numbers("hidden_dims", values.hidden_dims, least=1),
        fields=fields,
    )


def _whole_numbers(flag: str, texts: list[str], least: int) -> tuple[int, ...]:
    valid = texts and all(text.strip().isdecimal() and int(text) >= least for text in texts)
    if not valid:
        raise SettingError(flag, f"takes whole numbers from {least} on", tuple(texts))
    return tuple(map(int, texts))
