"""Trains architectures on many deals of the labelled nodes, so that few nodes decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mixhop_tf.architecture import Architecture
from mixhop_tf.pruning.comparison import DealScore
from mixhop_tf.training.choose import redealt
from mixhop_tf.training.deal_trainer import DealTrainer
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.settings import Settings


def compare(
    graph: Graph,
    architectures: Mapping[str, Architecture],
    settings: Settings,
    *,
    deals: int,
    seed: int = 0,
    scaling: str = "auto",
    done: Sequence[DealScore] = (),
    on_score: Callable[[DealScore], object] | None = None,
) -> list[DealScore]:
    """Trains architectures on the same deals of the training and validation nodes.

    Deal 0 is the split of the graph; each further one deals its training and validation nodes anew.
    Test nodes take no part. An architecture compiles once.

    Args:
        graph: The graph.
        architectures: The architectures by name.
        settings: Settings of the trainings.
        deals: Number of deals.
        seed: Seed of the deals and of the weights.
        scaling: Scaling of the features.
        done: Scores that were made before.
        on_score: Called with each score that is made.

    Returns:
        The scores of all architectures.
    """
    scores = {(each.name, each.deal): each for each in done}
    for name, architecture in architectures.items():
        missing = [deal for deal in range(deals) if (name, deal) not in scores]
        if not missing:
            continue
        trainer = DealTrainer(graph, architecture, settings, scaling=scaling)
        for deal in missing:
            run = trainer.deal(redealt(graph, deal, seed)).run(seed + deal)
            score = DealScore.of(name, deal, run)
            scores[name, deal] = score
            if on_score:
                on_score(score)
    return [scores[name, deal] for name in architectures for deal in range(deals)]
