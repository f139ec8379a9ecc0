"""The architecture of MixHop with attention, from the fields of its preset."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from mixhop_tf import AdjacencySpec, Architecture, SettingError

_OPTIONS = ("activation", "attention_dropout", "batch_norm", "hidden_dropout", "input_dropout")
_LAYERS = ("hidden_powers", "output_powers", "hidden_dims", "heads", "output_heads", "drop_values")


def architecture(
    fields: Mapping[str, Any], adjacency: AdjacencySpec, jumping: bool, num_classes: int
) -> Architecture:
    """Makes the architecture.

    Args:
        fields: Powers and heads of the hidden layers and of the output, widths, and dropout.
        adjacency: How the adjacency is made from the edges.
        jumping: Whether there are jumping connections.
        num_classes: Number of classes.

    Raises:
        SettingError: A field belongs to another model.
        ValueError: The fields do not fit together.
    """
    for name in fields.keys() - {*_OPTIONS, *_LAYERS}:
        rule = "must be left out, because MixHop with attention does not have it"
        raise SettingError(name, rule, fields[name])
    hidden, output, widths = (fields[name] for name in _LAYERS[:3])
    powers = tuple(dict.fromkeys((*hidden, *output)))

    def capacities(power: int) -> list[int]:
        return [*[int(power in hidden)] * len(widths), num_classes * (power in output)]

    made = Architecture.from_notation(
        ",".join(":".join(map(str, (power, *capacities(power)))) for power in powers),
        num_classes=num_classes,
        hidden_dims=widths,
        heads=fields["heads"],
        adjacency=adjacency,
        jumping=jumping,
        **{name: fields[name] for name in _OPTIONS},
    )
    dropping = {"drop_values": fields["drop_values"]}
    layers = [dataclasses.replace(layer, **dropping) for layer in made.layers]
    layers[-1] = dataclasses.replace(layers[-1], heads=fields["output_heads"])
    return dataclasses.replace(made, layers=tuple(layers))
