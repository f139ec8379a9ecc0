"""What a sampler draws: the nodes of a batch, and those whose loss counts."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np


class Draw(NamedTuple):
    """The nodes of one batch.

    Attributes:
        nodes: Nodes `[m]`, in ascending order; with groups, of `(group, node)`.
        groups: Group of each node; each group becomes a subgraph of its own. None is one group.
        counted: Positions in `nodes` of the nodes whose loss counts, `[k]`.
        weights: How much the loss of each counts, float64 `[k]`. A batch of all nodes has
            `1 / number of targets` for each.
    """

    nodes: np.ndarray
    groups: np.ndarray | None
    counted: np.ndarray
    weights: np.ndarray


class Sampler(Protocol):
    """Draws batches. The same seed and number give the same batch."""

    @property
    def num_batches(self) -> int:
        """Number of batches of an epoch, in which a target occurs about once."""
        ...

    def draw(self, seed: int, number: int) -> Draw:
        """Draws a batch.

        Args:
            seed: Seed of the run.
            number: Number of the batch, from 0 on; an epoch follows the other.
        """
        ...


class Shuffle:
    """Divides items at random among the batches of an epoch, in pieces of nearly equal size.

    The order of an epoch is kept, since a large graph has many batches with it.

    Args:
        items: The items, `[k]`.
        num_batches: Number of batches of an epoch.
    """

    def __init__(self, items: np.ndarray, num_batches: int) -> None:
        self._items, self._num_batches = items, num_batches
        self._kept: tuple[tuple[int, int], np.ndarray] | None = None

    def piece(self, seed: int, number: int) -> np.ndarray:
        """Returns the items of the batch of this number."""
        epoch, place = divmod(number, self._num_batches)
        kept = self._kept  # read once, since several threads draw
        if kept is None or kept[0] != (seed, epoch):
            order = np.random.default_rng([seed, epoch, 0]).permutation(self._items)
            kept = self._kept = (seed, epoch), order
        size, longer = divmod(len(self._items), self._num_batches)
        start = place * size + min(place, longer)  # the first pieces have one item more
        return kept[1][start : start + size + (place < longer)]


def generator(seed: int, number: int) -> np.random.Generator:
    """Returns the generator of one batch, which no shuffling uses."""
    return np.random.default_rng([seed, number, 1])
