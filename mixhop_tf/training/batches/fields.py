"""Batches of small neighbourhoods, one for each target, as in ShaDow (Zeng et al., 2021)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.training.batches.draw import Draw, Shuffle, generator
from mixhop_tf.training.batches.subgraph import neighbours_of


class FieldSampler:
    """Gives each target a field: itself, some of its neighbours, some of theirs, and so on.

    The fields of a batch are subgraphs side by side. Only the loss of the targets counts.

    Args:
        rows: The rows of the graph, one for each direction.
        size: Number of nodes of a batch, if all fields were as large as they can be.
        depth: Largest number of steps from the target.
        fanout: Number of neighbours that a node contributes at most, for each direction.
        targets: Nodes whose loss counts.
    """

    def __init__(
        self,
        rows: Sequence[Neighbors],
        size: int,
        depth: int,
        fanout: int,
        targets: np.ndarray,
    ) -> None:
        self._rows, self._depth, self._fanout = rows, depth, fanout
        self._targets = np.sort(targets).astype(np.int64)
        branches = fanout * len(rows)
        largest = sum(branches**step for step in range(depth + 1))
        self._num_roots = max(1, size // largest)
        self._shuffle = Shuffle(self._targets, self.num_batches)

    @property
    def num_batches(self) -> int:
        """Number of batches of an epoch, in which every target has a field once."""
        return -(-len(self._targets) // self._num_roots)

    def draw(self, seed: int, number: int) -> Draw:
        """Draws a batch; see `Sampler`."""
        roots = self._shuffle.piece(seed, number)
        rng, num_nodes = generator(seed, number), self._rows[0].num_nodes
        keys = front = np.arange(len(roots)) * num_nodes + roots
        for _ in range(self._depth):
            groups, nodes = np.divmod(front, num_nodes)
            found = [self._sampled(rows, groups, nodes, rng) for rows in self._rows]
            front = _new(np.concatenate(found), np.sort(keys))
            keys = np.sort(np.concatenate([keys, front]))
        counted = np.searchsorted(keys, np.arange(len(roots)) * num_nodes + roots)
        groups, nodes = np.divmod(keys, num_nodes)
        return Draw(nodes, groups, counted, np.full(len(roots), 1 / len(roots)))

    def _sampled(
        self, rows: Neighbors, groups: np.ndarray, nodes: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Draws neighbours, as keys `group · n + node`: all of a node with few of them."""
        counts = np.asarray(rows.indptr[nodes + 1] - rows.indptr[nodes], np.int64)
        few = counts <= self._fanout + 1  # with the node itself
        owners, places = neighbours_of(rows, nodes[few])
        found = [groups[few][owners] * rows.num_nodes + rows.indices[places]]
        starts = np.asarray(rows.indptr[nodes[~few]], np.int64)
        # With replacement: many neighbours are seldom drawn twice.
        shares = rng.random((len(starts), self._fanout))
        chosen = starts[:, None] + (shares * counts[~few, None]).astype(np.int64)
        drawn = groups[~few, None] * rows.num_nodes + rows.indices[chosen]
        return np.concatenate([*found, drawn.ravel()])


def _new(found: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Returns the found numbers that are not known, in ascending order and each once.

    `np.setdiff1d`, which hashes, takes several times as long.
    """
    found = np.sort(found)
    found = found[np.diff(found, prepend=-1) != 0]
    places = np.minimum(np.searchsorted(known, found), len(known) - 1)
    return found[known[places] != found]
