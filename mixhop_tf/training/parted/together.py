"""What the training loops of several workers share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.distributed.group import Group
from mixhop_tf.training.checkpoint import Checkpoint
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.parted.checkpoint import SharedCheckpoint
from mixhop_tf.training.parted.inputs import check_partable
from mixhop_tf.training.run import Run
from mixhop_tf.training.settings import Settings
from mixhop_tf.training.trainer import OnStep, Trainer


class TogetherTrainer(Trainer):
    """Trains one model by several workers, each of which makes the same calls.

    Every worker returns the same run. The chief alone keeps the checkpoint.

    Args:
        graph: The graph, with training and validation nodes.
        architecture: The `Architecture` to train, or one of `mixhop_tf.baselines`.
        settings: The hyper-parameters.
        group: The workers.

    The other arguments are those of `Trainer`.
    """

    def __init__(
        self,
        graph: Graph,
        architecture: Architecture | Baseline,
        settings: Settings | None = None,
        *,
        group: Group,
        **options: Any,
    ) -> None:
        check_partable(architecture, settings or Settings())
        self._group = group
        with group.watched():
            super().__init__(graph, architecture, settings, **options)

    def run(
        self,
        seed: int,
        on_step: OnStep | None = None,
        weights: Mapping[str, np.ndarray] | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> Run:
        """Trains from a seed of the weights and of dropout; see `Trainer.run`.

        Raises:
            DivergedError: The loss has become infinite or NaN.
            WorkerError: A worker is lost.
        """
        kept = checkpoint or self._checkpoint
        shared = None if kept is None else SharedCheckpoint(kept, self._group)
        with self._group.watched():
            run = super().run(seed, on_step, weights, shared)
        return dataclasses.replace(run, workers=self._group.size)


def summed(
    group: Group, gradients: Sequence[tf.Tensor], metrics: tf.Tensor
) -> tuple[list[tf.Tensor], tf.Tensor]:
    """Adds up gradients and metrics over all workers, in one message."""
    tensors = [tf.convert_to_tensor(each) for each in (*gradients, metrics)]
    flat = [tf.reshape(each, [-1]) for each in tensors]
    total = group.sum(tf.concat(flat, axis=0))
    *sums, metrics = tf.split(total, [each.shape[0] for each in flat])
    return [tf.reshape(a, b.shape) for a, b in zip(sums, tensors, strict=False)], metrics
