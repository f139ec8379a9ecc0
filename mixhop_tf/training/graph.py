"""The interface of a graph that training needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.errors import SettingError, SplitError
from mixhop_tf.training.selection import RULES


class Graph(Protocol):
    """A graph with features for all nodes and labels for some.

    `GraphData` implements it, and so does any other object with these attributes.
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
        """Features of the nodes, float32 `[n, s]`."""
        ...

    @property
    def edges(self) -> np.ndarray:
        """Edges as pairs of node indices, integers `[m, 2]`."""
        ...

    @property
    def edge_weights(self) -> np.ndarray | None:
        """Positive weights of the edges `[m]`; None if all are one."""
        ...

    @property
    def directed(self) -> bool:
        """Whether an edge leads from its first node to its second, and not back."""
        ...

    @property
    def labels(self) -> np.ndarray:
        """Classes of the nodes, integers `[n]` in `0 … c-1`, or -1 if unknown."""
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
        """Indices of the test nodes; there may be none."""
        ...

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes."""
        ...

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the feature columns, if there are any."""
        ...

    @property
    def node_ids(self) -> Sequence[str] | np.ndarray | None:
        """Ids of the nodes as the user knows them, if there are any."""
        ...


class Resplit:
    """A graph with other training, validation and test nodes; it shares the arrays.

    Args:
        graph: The graph.
        train: Indices of the training nodes.
        val: Indices of the validation nodes.
        test: Indices of the test nodes.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        train: np.ndarray,
        val: np.ndarray,
        test: np.ndarray | None = None,
    ) -> None:
        self._graph = graph
        self.train, self.val = train, val
        self.test = np.empty(0, np.int64) if test is None else test

    def __getattr__(self, name: str) -> Any:
        """Takes everything else from the graph, which may map it from a file when it is needed."""
        if name.startswith("_"):  # a copy has no graph yet
            raise AttributeError(name)
        return getattr(self._graph, name)


def check_direction(graph: Graph, architecture: Architecture | Baseline) -> None:
    """Raises a `SettingError` if an architecture needs directions that the graph does not have."""
    if not isinstance(architecture, Architecture) or graph.directed:
        return
    if architecture.adjacency.is_directed:
        rule = f"must be undirected: the edges of {graph.name} have no direction"
        raise SettingError("direction", rule, architecture.adjacency.direction)


def check_split(graph: Graph, selection: str = "strict") -> None:
    """Raises a `SplitError` if the graph lacks nodes to train on or to select the best step."""
    needed = ["train", "val"] + ["test"] * RULES[selection].looks_at_test
    for part in needed:
        if not len(getattr(graph, part)):
            raise SplitError(graph.name, part)
