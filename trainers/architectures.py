"""From what a user names to an `Architecture`."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import keras

import mixhop_tf
from mixhop_tf import Architecture
from mixhop_tf.architecture import HIDDEN_WIDTH
from mixhop_tf.notation import is_rate
from trainers.config import Preset
from trainers.errors import RunError

# Published for one graph each; Citeseer's learned architecture is the default one.
PUBLISHED = {
    "learned": {
        "cora": mixhop_tf.CORA_LEARNED,
        "citeseer": mixhop_tf.CITESEER_LEARNED,
        "pubmed": mixhop_tf.PUBMED_LEARNED,
    },
    "three_layers": {"pubmed": mixhop_tf.PUBMED_THREE_LAYERS},
}
NOTATIONS = {"default": "0,1,2", "baseline": "1"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Options:
    """What goes with the name of an architecture; None leaves it to the architecture."""

    hidden_dims: tuple[int, ...] | None = None
    activation: str | None = None
    input_dropout: float | None = None
    hidden_dropout: float | None = None


_NONE = Options()


def preferred(dataset: str) -> str:
    """The architecture for a graph when none is named."""
    return "learned" if dataset in PUBLISHED["learned"] else "default"


def resolve(
    text: str, dataset: str, num_classes: int, preset: Preset, options: Options = _NONE
) -> Architecture:
    """An architecture from its name, from the original's notation or from a JSON file.

    Args:
        text: `default`, `baseline`, `learned`, `three_layers`; `0:24:0,1:18:7,2:18:7`; or a path.
        dataset: Name of the graph, for the published architectures.
        num_classes: Of the graph.
        preset: Gives the dropout of an architecture that does not bring its own.
        options: Widths, activation and dropout that go before.

    Raises:
        RunError: In one sentence, if there is no such architecture.
    """
    for flag in ("input_dropout", "hidden_dropout"):
        rate = getattr(options, flag)
        if rate is not None and not is_rate(rate):
            raise RunError(f"--{flag} must be at least 0 and less than 1, not {rate}.")
    try:
        found, brings_dropout = _find(text, dataset, num_classes, options.hidden_dims)
        if not brings_dropout:
            found = with_dropout(found, preset.input_dropout, preset.hidden_dropout)
        found = with_dropout(found, options.input_dropout, options.hidden_dropout)
        found = _with_activation(found, options.activation)
        for layer in found.layers:
            if layer.activation is not None:
                check_activation(layer.activation)
        if found.output == "psum" and found.layers[-1].width < num_classes:
            raise ValueError(
                f"its output has {found.layers[-1].width} columns, but {dataset} has {num_classes} "
                "classes and needs a column for each."
            )
        return found
    except ValueError as error:
        raise RunError(f"--architecture {text}: {error}") from None


def _find(
    text: str, dataset: str, num_classes: int, hidden_dims: tuple[int, ...] | None
) -> tuple[Architecture, bool]:
    """The architecture, and whether it brings its own dropout."""
    notation = NOTATIONS.get(text, text)
    if re.fullmatch(r"[\d:, ]+", notation):
        widths = hidden_dims or (HIDDEN_WIDTH,)
        return (
            Architecture.from_notation(notation, num_classes=num_classes, hidden_dims=widths),
            False,
        )
    if hidden_dims is not None:
        raise RunError(
            f"--hidden_dims goes with a notation, default or baseline: {text} has its own widths."
        )
    if text in PUBLISHED:
        if dataset not in PUBLISHED[text]:
            raise RunError(
                f"--architecture {text} was published for {', '.join(PUBLISHED[text])}, not for "
                f"{dataset}; use default, a notation such as 0:20:7,1:20:7, or a JSON file."
            )
        return PUBLISHED[text][dataset], text == "three_layers"
    path = Path(text).expanduser()
    if path.suffix != ".json" and not path.is_file():
        raise RunError(
            f"--architecture {text} is unknown; use {', '.join((*NOTATIONS, *PUBLISHED))}, a "
            "notation such as 0:24:0,1:18:7,2:18:7, or a JSON file."
        )
    try:
        found = mixhop_tf.architecture_from_json(path.read_text(encoding="utf-8"))
        if not isinstance(found, Architecture):
            raise RunError(f"--architecture {text} is that of a {found.model}; use --model.")
        return found, True
    except UnicodeDecodeError:
        raise ValueError("the file is not text in UTF-8.") from None


def check_activation(name: str) -> None:
    """It must be one of Keras', and give a column for a column."""
    try:
        kept = keras.activations.get(name)(keras.ops.zeros([1, 2])).shape == (1, 2)
    except (ValueError, TypeError):
        kept = False
    if not kept:
        raise RunError(
            f"The activation {name} is none that Keras applies entry by entry; use relu, tanh, "
            "elu or the like."
        )


def with_dropout(
    architecture: Architecture, first: float | None, others: float | None
) -> Architecture:
    """With these rates, where they are given."""
    rates = [first, *[others] * len(architecture.layers)]
    layers = tuple(
        layer if rate is None else dataclasses.replace(layer, dropout=rate)
        for layer, rate in zip(architecture.layers, rates, strict=False)
    )
    output = architecture.output_dropout
    if architecture.output == "dense" and others is not None:
        output = others
    return dataclasses.replace(architecture, layers=layers, output_dropout=output)


def _with_activation(architecture: Architecture, activation: str | None) -> Architecture:
    """With this activation after each layer that has one."""
    if activation is None:
        return architecture
    return dataclasses.replace(
        architecture,
        layers=tuple(
            dataclasses.replace(layer, activation=layer.activation and activation)
            for layer in architecture.layers
        ),
    )
