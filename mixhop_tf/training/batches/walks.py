"""Batches of the nodes that random walks visit, as in GraphSAINT (Zeng et al., 2020)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.training.batches.draw import Draw, generator

_CHUNK = 1 << 18  # rows that are multiplied at once


class WalkSampler:
    """Walks from random targets along the rows of `A + I`, so a walk may stay where it is.

    A node that walks visit often would count too much. So the loss of a target is divided by the
    probability that a batch has it, and the weights of a batch are scaled to a sum of one.

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
        self._probabilities = self._visited()

    @property
    def num_batches(self) -> int:
        """Number of batches of an epoch, in which a target is the start of a walk about once."""
        return -(-len(self._targets) // self._num_roots)

    def draw(self, seed: int, number: int) -> Draw:
        """Draws a batch; see `Sampler`."""
        rng = generator(seed, number)
        here = rng.choice(self._targets, self._num_roots)
        visited = [here]
        for _ in range(self._length):
            here = self._step(here, rng)
            visited.append(here)
        nodes = np.unique(np.concatenate(visited))
        counted = np.flatnonzero(self._is_target[nodes])
        weights = 1 / self._probabilities[nodes[counted]]
        return Draw(nodes, None, counted, weights / weights.sum())

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

    def _visited(self) -> np.ndarray:
        """Computes the probability `1 - exp(-E)` that a batch has a node, float64 `[n]`.

        `E` is the expected number of visits, `Σ_t p Pᵗ` times the number of walks, where `p` is the
        distribution of the starts and `P` the matrix of a step.
        """
        here = self._is_target / len(self._targets)
        visits = here.copy()
        for _ in range(self._length):
            steps = [_stepped(rows, here) for rows in self._rows]
            here = np.mean(steps, axis=0)
            visits += here
        return -np.expm1(-self._num_roots * visits)


def _stepped(rows: Neighbors, here: np.ndarray) -> np.ndarray:
    """Computes `p P`, the distribution after one step, with `P = D^-1 (A + I)`."""
    there = np.zeros_like(here)
    for start in range(0, rows.num_nodes, _CHUNK):
        stop = min(start + _CHUNK, rows.num_nodes)
        indptr = np.asarray(rows.indptr[start : stop + 1])
        counts = np.diff(indptr)
        given = np.repeat(here[start:stop] / counts, counts)
        indices = np.asarray(rows.indices[indptr[0] : indptr[-1]])
        there += np.bincount(indices, given, len(here))
    return there
