"""Trains narrow networks while the lasso grows; `stability` says what they tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mixhop_tf.architecture import Architecture
from mixhop_tf.models.weights import weights_of
from mixhop_tf.pruning.measure import without_vanished
from mixhop_tf.pruning.settings import LearnSettings, StabilitySettings
from mixhop_tf.pruning.shrink import unit_norms
from mixhop_tf.pruning.stability import PathPoint
from mixhop_tf.training.choose import redealt
from mixhop_tf.training.deal_trainer import DealTrainer
from mixhop_tf.training.graph import Graph


def search_paths(
    graph: Graph,
    settings: LearnSettings,
    stability: StabilitySettings,
    *,
    seed: int = 0,
    scaling: str = "auto",
    done: Sequence[PathPoint] = (),
    on_search: Callable[[list[PathPoint]], object] | None = None,
) -> list[PathPoint]:
    """Trains narrow networks on deals of the labelled nodes while the lasso grows.

    Each coefficient goes on from the weights of the one before. A search ends when a hidden layer
    has no more than `stability.fewest` columns. All searches share one compiled step.

    Args:
        graph: The graph, with training and validation nodes.
        settings: Settings with the searched powers, the number of layers and the adjacency.
        stability: Settings of the searches.
        seed: Seed of the deals and of the weights.
        scaling: Scaling of the features.
        done: Points of searches that were made before.
        on_search: Called with the points of each search that is made.

    Returns:
        The points of all searches, in order.
    """
    points = list(done)
    missing = sorted(set(range(stability.searches)) - {point.search for point in done})
    if missing:
        wide = stability.wide_architecture(settings, graph.num_classes)
        trainer = DealTrainer(graph, wide, stability.wide_settings, scaling=scaling)
    for number in missing:
        trainer.deal(redealt(graph, number + 1, seed)).start(seed + number)
        found = _path(trainer, wide, number, stability)
        points += found
        if on_search:
            on_search(found)
    return sorted(points, key=lambda point: (point.search, point.lasso))


def _path(
    trainer: DealTrainer, wide: Architecture, number: int, stability: StabilitySettings
) -> list[PathPoint]:
    """Makes one search."""
    found: list[PathPoint] = []
    lasso, steps = trainer.settings.lasso, stability.first_steps
    for _ in range(stability.most_points):
        reached = trainer.go_on(steps, lasso)
        found.append(
            PathPoint(
                search=number,
                lasso=lasso,
                val_accuracy=reached.val_accuracy,
                val_loss=reached.val_loss,
                alive=_alive(trainer, wide),
            )
        )
        sums = [sum(layer.values()) for layer in found[-1].alive]
        if min(sums[: len(wide.layers) - 1] or sums) <= stability.fewest or not min(sums):
            break
        lasso, steps = lasso * stability.growth, stability.steps
    return found


def _alive(trainer: DealTrainer, wide: Architecture) -> tuple[dict[int, int], ...]:
    model = trainer.model
    norms = unit_norms(wide, weights_of(model), model.num_classes)
    return tuple(
        {power: int(np.sum(values > -np.inf)) for power, values in layer.items()}
        for layer in without_vanished(norms, norms)
    )
