"""`Graph`: a node-classification problem, checked when it is made."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from datasets import checks
from datasets.checks import SPLITS, UNKNOWN, IntArray
from datasets.errors import DataError
from datasets.paths import user_path

if TYPE_CHECKING:
    import networkx as nx


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Graph:
    """An undirected graph with features for all nodes and labels for some.

    Every field is checked and every array made read-only on construction, so code that is handed a
    `Graph` need not check it again. Names of nodes and classes are printable text without space
    around it.

    Args:
        name: What the graph is called in tables and records.
        num_nodes: Number of nodes `n`, at least 1.
        num_classes: Number of classes `c`, at least 1.
        features: SciPy sparse or dense, `[n, s]`, finite; kept as float32 CSR with sorted indices.
        edges: int64 `[m, 2]`, each undirected edge once, no self-loops (see `canonical_edges`).
        labels: `[n]`, a class in `0 … c-1`, or -1 where unknown.
        train, val, test: Node indices, pairwise disjoint, each of a labelled node. May be empty.
        class_names: `c` strings; `"0"`, `"1"`, … when not given.
        node_ids: `[n]` distinct strings, the user's own ids; `None` where nodes have no other name
            than their index.
        feature_names: `s` distinct strings, or `None`: a model that was trained with names finds
            its columns by them.

    Example:
    >>> graph = Graph(name="pair", num_nodes=2, num_classes=2, features=np.eye(2), edges=[[0, 1]],
    ...               labels=[0, 1], train=[0], val=[], test=[1])
    >>> graph.homophily()
    0.0
    """

    name: str
    num_nodes: int
    num_classes: int
    features: sp.csr_array
    edges: IntArray
    labels: IntArray
    train: IntArray
    val: IntArray
    test: IntArray
    class_names: tuple[str, ...] = ()
    node_ids: NDArray[np.str_] | None = None
    feature_names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        def put(field: str, value: Any) -> None:
            object.__setattr__(self, field, value)

        put("name", checks.checked_name(self.name))
        put("num_nodes", checks.positive(self.name, "nodes", self.num_nodes))
        put("num_classes", checks.positive(self.name, "classes", self.num_classes))
        put("features", checks.checked_features(self.name, self.features, self.num_nodes))
        put("edges", checks.checked_edges(self.name, self.edges, self.num_nodes))
        put(
            "labels",
            checks.checked_labels(self.name, self.labels, self.num_nodes, self.num_classes),
        )
        for split in SPLITS:
            put(split, checks.checked_split(self.name, split, getattr(self, split), self.labels))
        checks.check_disjoint(self.name, {split: getattr(self, split) for split in SPLITS})
        put(
            "class_names", checks.checked_class_names(self.name, self.class_names, self.num_classes)
        )
        put("node_ids", checks.checked_node_ids(self.name, self.node_ids, self.num_nodes))
        put(
            "feature_names",
            checks.checked_feature_names(self.name, self.feature_names, self.num_features),
        )

    @property
    def num_edges(self) -> int:
        """Number of distinct undirected edges, self-loops not counted."""
        return len(self.edges)

    @property
    def num_features(self) -> int:
        """Number of feature columns `s`."""
        return int(self.features.shape[1])

    def degrees(self) -> IntArray:
        """Neighbours of each node, `[n]`."""
        return np.bincount(self.edges.ravel(), minlength=self.num_nodes)

    def homophily(self) -> float:
        """Share of the edges between labelled nodes that join two nodes of one class (NaN: no such
        edge).
        """
        ends = self.labels[self.edges]
        ends = ends[(ends != UNKNOWN).all(axis=1)]
        return float((ends[:, 0] == ends[:, 1]).mean()) if len(ends) else float("nan")

    def with_split(self, train: ArrayLike, val: ArrayLike, test: ArrayLike) -> Graph:
        """The same graph under another split."""
        return dataclasses.replace(
            self, train=np.asarray(train), val=np.asarray(val), test=np.asarray(test)
        )

    def save(self, path: str | Path) -> Path:
        """Writes the graph, whole or not at all: one file when `path` ends in `.npz`, else a CSV
        folder.

        `datasets.load(path)` reads either back.
        """
        from datasets.formats import csv_writer, npz

        target = user_path(path)
        writer = npz.write if target.suffix == ".npz" else csv_writer.write
        try:
            return writer(self, target)
        except OSError as error:
            raise DataError(
                f"{target} cannot be written ({error.strerror}); name another place, or make room."
            ) from None

    @classmethod
    def from_networkx(cls, graph: nx.Graph, **options: Any) -> Graph:
        """A `Graph` from a networkx one; `datasets.formats.networkx_graph` lists the options."""
        from datasets.formats import networkx_graph

        return networkx_graph.from_networkx(graph, **options)

    def to_networkx(self) -> nx.Graph:
        """A `networkx.Graph` with node attributes `x`, `label` and `split`."""
        from datasets.formats import networkx_graph

        return networkx_graph.to_networkx(self)
