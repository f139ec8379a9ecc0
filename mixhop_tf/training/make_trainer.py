"""Makes the trainer that the settings ask for."""

from __future__ import annotations

from typing import Any

from mixhop_tf.architecture import Architecture
from mixhop_tf.baselines import Baseline
from mixhop_tf.training.batches.trainer import BatchTrainer
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.settings import Settings
from mixhop_tf.training.trainer import Trainer


def make_trainer(
    graph: Graph,
    architecture: Architecture | Baseline,
    settings: Settings | None = None,
    **options: Any,
) -> Trainer:
    """Makes a `Trainer`, or a `BatchTrainer` if the settings have batches.

    Args:
        graph: The graph, with training and validation nodes.
        architecture: The `Architecture` to train, or one of `mixhop_tf.baselines`.
        settings: The hyper-parameters; see `Settings` for the defaults.
        **options: Other arguments of `Trainer`.
    """
    is_sampled = settings is not None and settings.batches is not None
    kind = BatchTrainer if is_sampled else Trainer
    return kind(graph, architecture, settings, **options)
