"""From what a user names to an `Architecture`."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import mixhop_tf
from mixhop_tf import Architecture
from mixhop_tf.architecture import HIDDEN_WIDTH
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


def preferred(dataset: str) -> str:
    """The architecture for a graph when none is named."""
    return "learned" if dataset in PUBLISHED["learned"] else "default"


def resolve(text: str, dataset: str, num_classes: int, options: Options) -> Architecture:
    """An architecture from its name, from the original's notation or from a JSON file.

    Args:
        text: `default`, `baseline`, `learned`, `three_layers`; `0:24:0,1:18:7,2:18:7`; or a path.
        dataset: Name of the graph, for the published architectures.
        num_classes: Of the graph.
        options: Widths, activation and dropout.

    Raises:
        RunError: In one sentence, if there is no such architecture.
    """
    try:
        return _with_options(_find(text, dataset, num_classes, options), options)
    except ValueError as error:
        raise RunError(f"--architecture {text}: {error}") from None


def _find(text: str, dataset: str, num_classes: int, options: Options) -> Architecture:
    notation = NOTATIONS.get(text, text)
    if re.fullmatch(r"[\d:, ]+", notation):
        return Architecture.from_notation(
            notation, num_classes=num_classes, hidden_dims=options.hidden_dims or (HIDDEN_WIDTH,)
        )
    if options.hidden_dims is not None:
        raise RunError(
            f"--hidden_dims goes with a notation, default or baseline: {text} has its own widths."
        )
    if text in PUBLISHED:
        if dataset not in PUBLISHED[text]:
            raise RunError(
                f"--architecture {text} was published for {', '.join(PUBLISHED[text])}, not for "
                f"{dataset}; use default, a notation such as 0:20:7,1:20:7, or a JSON file."
            )
        return PUBLISHED[text][dataset]
    path = Path(text).expanduser()
    if path.suffix != ".json" and not path.is_file():
        raise RunError(
            f"--architecture {text} is unknown; use {', '.join((*NOTATIONS, *PUBLISHED))}, a "
            "notation such as 0:24:0,1:18:7,2:18:7, or a JSON file."
        )
    try:
        return Architecture.from_json(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError("the file is not text in UTF-8") from None


def _with_options(architecture: Architecture, options: Options) -> Architecture:
    layers = []
    for i, layer in enumerate(architecture.layers):
        dropout = options.hidden_dropout if i else options.input_dropout
        layers.append(
            dataclasses.replace(
                layer,
                dropout=layer.dropout if dropout is None else dropout,
                activation=layer.activation and (options.activation or layer.activation),
            )
        )
    output_dropout = architecture.output_dropout
    if architecture.output == "dense" and options.hidden_dropout is not None:
        output_dropout = options.hidden_dropout
    return dataclasses.replace(architecture, layers=tuple(layers), output_dropout=output_dropout)
