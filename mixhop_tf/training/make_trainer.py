"""Makes the trainer that the settings ask for."""

from __future__ import annotations

from typing import Any, overload

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.distributed.group import Group
from mixhop_tf.methods import Method
from mixhop_tf.training.batches.trainer import BatchTrainer
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.method_trainer import MethodTrainer
from mixhop_tf.training.parted.batch_trainer import PartBatchTrainer
from mixhop_tf.training.parted.trainer import PartTrainer
from mixhop_tf.training.settings import Settings
from mixhop_tf.training.trainer import Trainer


@overload
def make_trainer(
    graph: Graph, architecture: Architecture, settings: Settings | None = None, **options: Any
) -> Trainer: ...


@overload
def make_trainer(
    graph: Graph,
    architecture: Architecture | Baseline,
    settings: Settings | None = None,
    **options: Any,
) -> Trainer | MethodTrainer: ...


def make_trainer(
    graph: Graph,
    architecture: Architecture | Baseline,
    settings: Settings | None = None,
    *,
    group: Group | None = None,
    **options: Any,
) -> Trainer | MethodTrainer:
    """Makes a `Trainer`, or the kind that a group, batches or a classical method need.

    Args:
        graph: The graph, with training and validation nodes.
        architecture: The `Architecture` to train, or one of `mixhop_tf.baselines`.
        settings: The hyper-parameters; see `Settings` for the defaults.
        group: The workers that train together; None if this process trains alone.
        **options: Other arguments of `Trainer`.
    """
    is_sampled = settings is not None and settings.batches is not None
    if group is not None:
        together = PartBatchTrainer if is_sampled else PartTrainer
        return together(graph, architecture, settings, group=group, **options)
    if isinstance(architecture, Method):
        return MethodTrainer(graph, architecture, settings, **options)
    kind = BatchTrainer if is_sampled else Trainer
    return kind(graph, architecture, settings, **options)
