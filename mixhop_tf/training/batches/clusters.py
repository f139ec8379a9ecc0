"""Batches that unite parts of a partition, as in Cluster-GCN (Chiang et al., 2019)."""

from __future__ import annotations

import numpy as np

from mixhop_tf.training.batches.draw import Draw, Shuffle
from mixhop_tf.training.batches.partition import Partition


class ClusterSampler:
    """Unites parts at random, so that edges between parts are seen, too.

    An epoch has every part with a target once. Parts without a target would not change the loss.
    The loss of a batch is divided by the number of targets that a batch has on average, so that an
    epoch counts every target the same.

    Args:
        partition: The partition of the graph.
        parts: Number of parts of a batch.
        targets: Nodes whose loss counts.
    """

    def __init__(self, partition: Partition, parts: int, targets: np.ndarray) -> None:
        self._partition, self._parts = partition, parts
        self._is_target = np.zeros(len(partition.order), bool)
        self._is_target[targets] = True
        self._used = partition.parts_of(targets)
        self._num_targets = int(self._is_target.sum())
        self._shuffle = Shuffle(self._used, self.num_batches)

    @property
    def num_batches(self) -> int:
        """Number of batches of an epoch."""
        return -(-len(self._used) // self._parts)

    def draw(self, seed: int, number: int) -> Draw:
        """Draws a batch; see `Sampler`."""
        # Batches of nearly the same number of parts: a last one of few parts would be noisy.
        nodes = self._partition.nodes(self._shuffle.piece(seed, number))
        counted = np.flatnonzero(self._is_target[nodes])
        weight = self.num_batches / self._num_targets
        return Draw(nodes, None, counted, np.full(len(counted), weight))
