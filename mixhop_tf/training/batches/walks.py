"""Batches of the nodes that random walks visit, as in GraphSAINT (Zeng et al., 2020)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.training.batches.draw import Draw, generator

# Batches from which the probabilities are estimated: epochs, and a number for small graphs.
_EPOCHS, _MIN_BATCHES = 20, 200
_STREAM = 2  # random numbers that no batch of a training uses


class WalkSampler:
    """Walks from random targets along the rows of `A + I`, so a walk may stay where it is.

    A node that walks visit often would count too much. So the loss of a target is divided by the
    probability that a batch has it, which is estimated from batches before training. The
    weights of a batch are scaled to a sum of one.

    Args:
        rows: The rows of the graph, one for each direction; a step takes one at random.
        size: Number of nodes of a batch, if no walk meets another.
        length: Number of steps of a walk.
        targets: Nodes whose loss counts, from which the walks begin.
    """

    def __init__(
        self, rows: Sequence[Neighbors], size: int, length: int, targets: np.ndarray
    ) -> None:
        self._rows, self._length = rows, length
        self._targets = np.sort(targets).astype(np.int64)
        self._num_roots = max(1, size // (length + 1))
        self._is_target = np.zeros(rows[0].num_nodes, bool)
        self._is_target[targets] = True
        self._probabilities = self._estimated()

    @property
    def num_batches(self) -> int:
        """Number of batches of an epoch, in which a target is the start of a walk about once."""
        return -(-len(self._targets) // self._num_roots)

    def draw(self, seed: int, number: int) -> Draw:
        """Draws a batch; see `Sampler`."""
        nodes = self._walked(generator(seed, number))
        counted = np.flatnonzero(self._is_target[nodes])
        weights = 1 / self._probabilities[nodes[counted]]
        return Draw(nodes, None, counted, weights / weights.sum())

    def _walked(self, rng: np.random.Generator) -> np.ndarray:
        """Makes the walks of a batch; returns the nodes that they visit, in ascending order."""
        here = rng.choice(self._targets, self._num_roots)
        visited = [here]
        for _ in range(self._length):
            here = self._step(here, rng)
            visited.append(here)
        return np.unique(np.concatenate(visited))

    def _step(self, here: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        chosen = rng.integers(len(self._rows), size=len(here))
        shares = rng.random(len(here))
        there = np.empty_like(here)
        for i, rows in enumerate(self._rows):
            mine = chosen == i
            starts = np.asarray(rows.indptr[here[mine]], np.int64)
            counts = np.asarray(rows.indptr[here[mine] + 1], np.int64) - starts
            there[mine] = rows.indices[starts + (shares[mine] * counts).astype(np.int64)]
        return there

    def _estimated(self) -> np.ndarray:
        """Estimates the probability that a batch has a node from batches of its own, `[n]`."""
        count = max(_MIN_BATCHES, _EPOCHS * self.num_batches)
        seen = np.zeros(len(self._is_target), np.int64)
        for number in range(count):
            seen[self._walked(np.random.default_rng([number, _STREAM]))] += 1
        return np.maximum(seen, 1) / count
