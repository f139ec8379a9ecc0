"""A changing graph at one moment, and one change of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp


@dataclasses.dataclass(frozen=True, eq=False)
class Snapshot:
    """A graph at one moment, in the arrays that a model takes.

    Args:
        features: `[n, s]`.
        edges: `[m, 2]`; in an undirected graph, each pair once.
        edge_weights: `[m]`, or None if the model takes no weights.
        directed: Whether the directions of edges count.
    """

    features: sp.csr_array
    edges: np.ndarray
    edge_weights: np.ndarray | None
    directed: bool

    @property
    def num_nodes(self) -> int:
        """Number of nodes `n`."""
        return int(self.features.shape[0])


@dataclasses.dataclass(frozen=True, eq=False)
class Change:
    """A change of a graph that has been checked; see `LiveGraph.change`."""

    node: int | None
    features: np.ndarray | None
    edges: Sequence[tuple[int, int, float]]
