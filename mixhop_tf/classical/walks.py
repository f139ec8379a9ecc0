"""Random walks on a graph, and the pairs of nodes that they bring together."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp


class Walker:
    """Makes many random walks at once.

    A step goes from node `u` to node `v` with the probability `A_uv / sum over w of A_uw`. A node
    without neighbours stays where it is.

    Args:
        adjacency: `A [n, n]` without negative entries, in CSR.
    """

    def __init__(self, adjacency: sp.csr_array) -> None:
        self._ends = adjacency.indptr.astype(np.int64)
        self._neighbors = adjacency.indices
        weights = adjacency.data.astype(np.float64)
        self._sums = None if np.all(weights == 1) else np.concatenate([[0.0], np.cumsum(weights)])

    @property
    def num_nodes(self) -> int:
        """Number of nodes `n`."""
        return len(self._ends) - 1

    def walk(self, starts: np.ndarray, length: int, rng: np.random.Generator) -> np.ndarray:
        """Makes a walk from each start.

        Args:
            starts: Nodes `[k]`.
            length: Number of steps of a walk.
            rng: Draws the steps.

        Returns:
            The nodes of each walk, its start first, int64 `[k, length + 1]`.
        """
        walks = np.empty((len(starts), length + 1), np.int64)
        walks[:, 0] = starts
        for step in range(length):
            walks[:, step + 1] = self._step(walks[:, step], rng.random(len(starts)))
        return walks

    def _step(self, here: np.ndarray, shares: np.ndarray) -> np.ndarray:
        first, last = self._ends[here], self._ends[here + 1]
        if self._sums is None:
            chosen = first + (shares * (last - first)).astype(np.int64)
        else:
            low, high = self._sums[first], self._sums[last]
            chosen = np.searchsorted(self._sums, low + shares * (high - low), side="right") - 1
            chosen = np.clip(chosen, first, np.maximum(last - 1, first))
        moves = last > first
        there = here.copy()
        there[moves] = self._neighbors[chosen[moves]]
        return there


def near(walks: np.ndarray, window: int) -> np.ndarray:
    """Marks the pairs of different nodes that are at most `window` steps apart in a walk.

    Args:
        walks: Nodes of the walks `[k, length + 1]`.
        window: Largest distance.

    Returns:
        1 at `[walk, i, j]` if the nodes at the places `i` and `j` are such a pair, else 0; float32
        `[k, length + 1, length + 1]`.
    """
    places = np.arange(walks.shape[1])
    band = np.abs(places[:, None] - places) <= window
    return (band & (walks[:, :, None] != walks[:, None, :])).astype(np.float32)


def label_pairs(
    nodes: np.ndarray, labels: np.ndarray, count: int, alike: bool, rng: np.random.Generator
) -> np.ndarray:
    """Draws pairs of labelled nodes whose labels are the same, or differ.

    Args:
        nodes: Labelled nodes `[k]`.
        labels: Their classes `[k]`.
        count: Number of pairs.
        alike: Whether the labels of a pair are the same.
        rng: Draws the pairs.

    Returns:
        Pairs of nodes `[count, 2]`: the first of each is uniform over the nodes that have such a
        partner, the second uniform over its partners. There are none if no node has a partner.
    """
    order = np.argsort(labels, kind="stable")
    ordered = labels[order]
    first_of = np.searchsorted(ordered, labels, side="left")
    past_of = np.searchsorted(ordered, labels, side="right")
    sizes = past_of - first_of
    partners = sizes - 1 if alike else len(nodes) - sizes
    able = np.flatnonzero(partners > 0)
    if not len(able):
        return np.empty((0, 2), np.int64)
    chosen = rng.choice(able, count)
    offsets = (rng.random(count) * partners[chosen]).astype(np.int64)
    if alike:  # skip the node itself
        rank = np.empty(len(nodes), np.int64)
        rank[order] = np.arange(len(nodes))
        places = first_of[chosen] + offsets
        places += places >= rank[chosen]
    else:  # skip the block of its class
        places = offsets + np.where(offsets >= first_of[chosen], sizes[chosen], 0)
    return np.stack([nodes[chosen], nodes[order[places]]], axis=1)
