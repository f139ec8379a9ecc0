"""The flags that say how the adjacency is made from the edges, and how far the layers reach."""

from __future__ import annotations

import dataclasses
from typing import Any

from absl import flags

from mixhop_tf import AdjacencySpec
from mixhop_tf.layer_spec import NORMALIZATIONS

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()

_OF_ADJACENCY = ("direction", "normalization", "self_loops")
NAMES = (*_OF_ADJACENCY, "jumping")


def define() -> None:
    """Defines the flags. They have no default, because an architecture may have its own."""
    flags.DEFINE_enum(
        "normalization",
        None,
        NORMALIZATIONS,
        "MixHop: how the adjacency is scaled. symmetric: by the square roots of the degrees of "
        "both ends; row: by the degree of the node, as in a random walk; none: not at all. By "
        "default symmetric, and row with attention.",
    )
    flags.DEFINE_bool(
        "self_loops",
        None,
        "MixHop: add an edge from each node to itself. By default yes, except with --direction "
        "both.",
    )
    flags.DEFINE_bool(
        "jumping",
        None,
        "MixHop: jumping connections, so that the output reads the columns of all hidden layers.",
    )


def adjacency(
    start: AdjacencySpec, direction: str | None = None, *, sums: bool = False
) -> AdjacencySpec:
    """The adjacency `start` with the values of the flags that were given.

    Args:
        start: The adjacency.
        direction: Replaces the value of the flag.
        sums: Whether neighbours are added up, unless a flag says otherwise.
    """
    start = start.summing() if sums else start
    values = flags.FLAGS
    given: dict[str, Any] = {
        name: values[name].value for name in _OF_ADJACENCY if values[name].present
    }
    wanted = given.pop("direction", start.direction)
    return dataclasses.replace(start.turned(direction or wanted), **given)
