"""What training needs to know about a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from mixhop_tf.errors import SplitError
from mixhop_tf.training.selection import RULES


class Graph(Protocol):
    """An undirected graph with features for all nodes, and labels for some.

    `GraphData` is one; so is any other object with these attributes.
    """

    @property
    def name(self) -> str:
        """Name of the graph."""
        ...

    @property
    def num_nodes(self) -> int:
        """Number of nodes `n`."""
        ...

    @property
    def num_features(self) -> int:
        """Number of feature columns `s`."""
        ...

    @property
    def num_classes(self) -> int:
        """Number of classes `c`."""
        ...

    @property
    def features(self) -> sp.csr_array:
        """Float32 `[n, s]`."""
        ...

    @property
    def edges(self) -> np.ndarray:
        """Integers `[m, 2]`."""
        ...

    @property
    def labels(self) -> np.ndarray:
        """Integers `[n]`: a class in `0 … c-1`, or -1 where unknown."""
        ...

    @property
    def train(self) -> np.ndarray:
        """Indices of the training nodes."""
        ...

    @property
    def val(self) -> np.ndarray:
        """Indices of the validation nodes."""
        ...

    @property
    def test(self) -> np.ndarray:
        """Indices of the test nodes; may be empty."""
        ...

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes."""
        ...

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the feature columns, if they have any."""
        ...

    @property
    def node_ids(self) -> Sequence[str] | np.ndarray | None:
        """The user's ids of the nodes, if they have any."""
        ...


def check_split(graph: Graph, selection: str = "strict") -> None:
    """Raises a `SplitError` unless there are nodes to train on and to select by."""
    needed = ["train", "val"] + ["test"] * RULES[selection].looks_at_test
    for part in needed:
        if not len(getattr(graph, part)):
            raise SplitError(graph.name, part)
