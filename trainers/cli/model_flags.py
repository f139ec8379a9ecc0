"""The flags that choose what to train: model, architecture, preset."""

from __future__ import annotations

from typing import Any

from absl import flags

from mixhop_tf import SettingError
from mixhop_tf.baselines import HEADS
from trainers.cli import adjacency_flags, batch_flags, flag_help, option_flags, settings_flags
from trainers.paper import presets
from trainers.paper.architectures import ArchitectureRequest

# In --help, the flags below belong to the command that calls `define`.
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
    """Defines the flags. They have no default: the preset's value applies."""
    with flag_help.group("Baselines (the defaults come from the preset)"):
        flags.DEFINE_integer("order", None, "chebyshev: highest order of the polynomials.")
        flags.DEFINE_integer(
            "heads",
            None,
            "gat: attention heads of the hidden layer; mixhop_attention: of each power in the "
            "hidden layers.",
        )
        flags.DEFINE_integer(
            "output_heads", None, "gat, mixhop_attention: heads of the output layer."
        )
        flags.DEFINE_float(
            "attention_dropout",
            None,
            "gat, mixhop_attention: share of the attention coefficients to drop.",
        )
        flags.DEFINE_bool(
            "drop_values",
            None,
            "gat, mixhop_attention: also drop the values that attention weighs, at the rates of "
            "the layers' inputs.",
        )
        flags.DEFINE_list("powers", None, "ngcn: powers of the adjacency, such as 0,1,2.")
        flags.DEFINE_integer("replicas", None, "ngcn: towers for each power.")
        flags.DEFINE_enum("head", None, list(HEADS), "ngcn: layer that combines the towers.")
        option_flags.define()


def define() -> None:
    """Defines the flags. Hyper-parameters have no default: the preset's value applies."""
    with flag_help.group("Model"):
        flags.DEFINE_enum(
            "model",
            "mixhop",
            list(presets.MODELS),
            "Model to train; mixhop_attention: MixHop whose powers learn attention; manireg, "
            "semiemb, lp, deepwalk, ica, planetoid: older methods, see docs/classical.md.",
        )
        flags.DEFINE_string(
            "architecture",
            None,
            "Architecture of MixHop: default (powers 0, 1, 2), baseline (power 1, a GCN), learned "
            "(published for the citation graphs) or three_layers (published for Pubmed); a "
            "notation with the widths of each power, power:layer 1:layer 2, such as "
            "0:24:0,1:18:7,2:18:7; or a JSON file. By default learned on the citation graphs, and "
            "default on others.",
        )
        flags.DEFINE_list("hidden_dims", None, "Widths of the hidden layers, such as 60 or 60,30.")
        flags.DEFINE_string("activation", None, "Activation of hidden layers: relu, tanh, elu, …")
        flags.DEFINE_float("input_dropout", None, "Share of the feature values to drop.")
        flags.DEFINE_float("hidden_dropout", None, "Share of the hidden values to drop.")
        flags.DEFINE_bool(
            "shared_first_kernel",
            False,
            "MixHop: use one kernel for all powers of the first layer. The record then holds the "
            "share of delta operators.",
        )
        adjacency_flags.define()
    _define_baselines()
    with flag_help.group("Training (the defaults come from the preset)"):
        flags.DEFINE_enum(
            "preset",
            None,
            list(presets.PRESET_HELP),
            "Hyper-parameters to start from. "
            + "; ".join(f"{name}: {text}" for name, text in presets.PRESET_HELP.items())
            + ". By default, MixHop uses l2 on the citation graphs and auto on your own, and a "
            "baseline uses own. All except ngcn use tuned-random on random splits of the citation "
            "graphs with 100 or more nodes per class, and synthetic on the synthetic graphs.",
        )
        settings_flags.define()
        batch_flags.define()


def architecture_request() -> ArchitectureRequest:
    """The architecture that the flags describe."""
    values = flags.FLAGS
    fields: dict[str, Any] = {
        name: values[name].value
        for name in _BASELINE_FIELDS + _SHARED
        if values[name].value is not None
    }
    fields |= option_flags.given(values.model)
    if "powers" in fields:
        fields["powers"] = _whole_numbers("powers", fields["powers"], least=0)
    return ArchitectureRequest(
        model=values.model,
        name=values.architecture,
        hidden_dims=None
        if values.hidden_dims is None
        else _whole_numbers("hidden_dims", values.hidden_dims, least=1),
        fields=fields,
        adjacency=adjacency_flags.adjacency,
        jumping=values.jumping,
    )


def _whole_numbers(flag: str, texts: list[str], least: int) -> tuple[int, ...]:
    valid = texts and all(text.strip().isdecimal() and int(text) >= least for text in texts)
    if not valid:
        raise SettingError(flag, f"takes whole numbers from {least} on", tuple(texts))
    return tuple(map(int, texts))
