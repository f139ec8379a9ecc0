"""From a preset and what a user asks for to the architecture of a baseline."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from typing import Any

import datasets
from mixhop_tf import baselines
from trainers.architectures import check_activation
from trainers.config import Architecture, Preset
from trainers.errors import RunError

_KINDS: dict[str, Any] = {
    kind.architecture_class.model: kind.architecture_class for kind in baselines.BASELINES
}


def resolve(
    model: str, graph: datasets.Graph, preset: Preset, given: Mapping[str, Any]
) -> Architecture:
    """The architecture of a baseline for a graph.

    Args:
        model: Its name.
        graph: The graph; Chebyshev filters need to know the largest eigenvalue of its Laplacian.
        preset: What it is made of, unless given otherwise.
        given: Fields of the architecture that go before the preset's, by name.

    Raises:
        RunError: In one sentence, if there is no such architecture.
    """
    kind = _KINDS[model]
    names = {field.name for field in dataclasses.fields(kind)}
    fields = {
        "input_dropout": preset.input_dropout,
        "hidden_dropout": preset.hidden_dropout,
        **preset.architecture,
        **given,
    }
    for name in fields.keys() - names:
        raise RunError(f"--{name} is not for --model {model}; leave it out.")
    if "largest_eigenvalue" in names - fields.keys():
        fields["largest_eigenvalue"] = _largest_eigenvalue(graph)
    try:
        found = kind(**fields)
    except ValueError as error:
        raise RunError(f"--model {model}: {error}") from None
    check_activation(found.activation)
    return found


_eigenvalues: dict[tuple[bytes, int], float] = {}


def _largest_eigenvalue(graph: datasets.Graph) -> float:
    """It takes long to find, and is the same for all splits of a graph."""
    key = hashlib.sha256(graph.edges.tobytes()).digest(), graph.num_nodes
    if key not in _eigenvalues:
        _eigenvalues[key] = baselines.largest_eigenvalue(graph.edges, graph.num_nodes)
    return _eigenvalues[key]
