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


def shuffled(seed: int, epoch: int, items: np.ndarray) -> np.ndarray:
    """Shuffles the items of an epoch."""
    return np.random.default_rng([seed, epoch, 0]).permutation(items)


def generator(seed: int, number: int) -> np.random.Generator:
    """Returns the generator of one batch, which no shuffling uses."""
    return np.random.default_rng([seed, number, 1])
