"""The flags that only a baseline has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from absl import flags

from trainers import flag_help
from trainers.errors import RunError

# The flags below belong, in --help, to the command line that calls `define`.
flags.disclaim_key_flags()

_NAMES = (
    "order",
    "heads",
    "output_heads",
    "attention_dropout",
    "drop_values",
    "powers",
    "replicas",
    "head",
)
HEADS = ("dense", "psum")
_SHARED = ("activation", "input_dropout", "hidden_dropout")


def define() -> None:
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


def given(hidden_dims: Sequence[int] | None) -> dict[str, Any]:
    """The fields of a baseline's architecture that the flags ask for."""
    values = flags.FLAGS
    if values.architecture is not None:
        raise RunError(f"--architecture is for MixHop; a {values.model} takes --hidden_dims.")
    found: dict[str, Any] = {
        name: values[name].value for name in _NAMES + _SHARED if values[name].value is not None
    }
    if "powers" in found:
        if not all(text.strip().isdecimal() for text in found["powers"]):
            raise RunError(f"--powers takes whole numbers, not {','.join(found['powers'])!r}.")
        found["powers"] = tuple(map(int, found["powers"]))
    if hidden_dims is not None:
        if len(hidden_dims) != 1:
            raise RunError(f"A {values.model} has one hidden layer: give --hidden_dims one number.")
        found["hidden_width"] = hidden_dims[0]
    return found


def see_none_given() -> None:
    """Raises a `RunError` if a flag of a baseline was given to MixHop."""
    for name in _NAMES:
        if flags.FLAGS[name].value is not None:
            raise RunError(f"--{name} is for a baseline; name it with --model, or leave it out.")
