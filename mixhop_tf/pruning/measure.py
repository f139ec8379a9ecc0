"""Measures the units of a trained wide network on a graph, or on batches of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mixhop_tf.distributed.group import Group
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.pruning.importance import MEASURES
from mixhop_tf.pruning.shrink import Scores
from mixhop_tf.tensors import Pair
from mixhop_tf.training.batches.source import BatchSource
from mixhop_tf.training.batches.spec import Batches
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.inputs import Inputs
from mixhop_tf.training.parted.inputs import PartInputs

_NUM_BATCHES = 20
# A unit has vanished if its norm is less than this share of the largest norm in its layer. Proximal
# steps make exact zeros, but the gradient of the lasso only makes small numbers.
VANISHED = 1e-3


def measured(
    model: MixHopModel,
    graph: Graph,
    importance: str,
    batches: str | None,
    group: Group | None = None,
) -> Scores:
    """Measures how much each unit matters on the validation nodes.

    If the network was trained on batches, so are its units measured: the scores are the means over
    up to 20 batches of validation nodes, each weighed by the number of these nodes.

    Args:
        model: The trained `MixHopModel`.
        graph: The graph.
        importance: Name of the measure; see `mixhop_tf.pruning.importance`.
        batches: The batches that the network was trained on, if any.
        group: The workers that measure together, each with some rows of the graph; on batches all
            measure the same.

    Returns:
        For each layer, a dictionary from power to the scores of its units.
    """
    parts = _parts(model, graph, batches, group)
    scores = [MEASURES[importance](model, *part) for part in parts]
    shares = [len(nodes) for _, nodes, _ in parts]
    mean = scores[0] if len(scores) == 1 else _mean(scores, shares)
    if group is None or batches is None:
        return mean
    return [  # every worker measured on the same batches, but the last digits may differ
        {power: group.agreed(values).numpy() for power, values in layer.items()} for layer in mean
    ]


def _mean(scores: Sequence[Scores], shares: Sequence[int]) -> Scores:
    return [
        {power: np.average([each[power] for each in layers], 0, shares) for power in layers[0]}
        for layers in zip(*scores, strict=True)
    ]


def without_vanished(scores: Scores, norms: Scores) -> Scores:
    """Gives units that the lasso made vanish the score `-inf`.

    Args:
        scores: Scores of all units.
        norms: Norms of all units.
    """
    marked = []
    for layer, norm in zip(scores, norms, strict=True):
        floor = VANISHED * max(float(values.max()) for values in norm.values())
        marked.append(
            {
                power: np.where(norm[power] > floor, values, -np.inf)
                for power, values in layer.items()
            }
        )
    return marked


def _parts(
    model: MixHopModel, graph: Graph, batches: str | None, group: Group | None
) -> list[tuple[Pair, Any, Any]]:
    """Lists what is measured on: inputs, validation nodes and their labels."""
    if group is not None and batches is None:
        part = PartInputs.of(graph, model, group)
        own = part.partition.own(graph.val)
        return [(part.pair, part.partition.local(graph.val), graph.labels[graph.val[own]])]
    if batches is None:
        inputs = Inputs.of(graph, model)
        return [(inputs.pair, inputs.val, inputs.val_labels)]
    source = BatchSource(graph, model, Batches.parse(batches))
    parts = source.scaled_parts(source.val_sampler, _NUM_BATCHES)
    return [part for part in parts if len(part[1])]
