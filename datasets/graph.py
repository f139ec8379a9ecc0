"""`Graph` holds a node-classification problem and checks it on construction."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from datasets import checks
from datasets.checks import SPLITS, UNKNOWN, IntArray
from datasets.edge_lists import Weights, canonical_edges, checked_edges, merged_edges
from datasets.errors import DataError, short
from datasets.paths import user_path

if TYPE_CHECKING:
    import networkx as nx

    from datasets.recipes.recipe import Recipe

_EDGES_AT_ONCE = 2**22
_REPLACEABLE = {"labels", "num_classes", "class_names", *SPLITS}


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Graph:
    """Holds a graph with features for all nodes and labels for some.

    The constructor checks every field and makes every array read-only, so code that receives a
    `Graph` does not check it again. Names of nodes and classes are printable text without spaces at
    the ends.

    Args:
        name: Name of the graph in tables and records.
        num_nodes: Number of nodes `n`, at least 1.
        num_classes: Number of classes `c`, at least 1.
        features: Finite numbers `[n, s]`, a SciPy sparse or a dense matrix. They are stored as
            float32 CSR with sorted indices.
        edges: int64 `[m, 2]`, each edge once, no self-loops, sorted (see `canonical_edges`). In a
            directed graph a row is `(source, target)`, and the opposite pair is another edge.
        edge_weights: float32 `[m]`, positive, one for each row of `edges`; None if all are one.
        directed: Whether the directions of edges count.
        labels: int64 `[n]`, a class in `0 … c-1`, or -1 if unknown.
        train: Indices of the training nodes. The three splits are pairwise disjoint, may be empty,
            and contain only labelled nodes.
        val: Indices of the validation nodes.
        test: Indices of the test nodes.
        class_names: `c` distinct strings. By default `"0"`, `"1"`, ….
        node_ids: `[n]` distinct strings, the user's own ids, or `None` if the index is the only id.
        feature_names: `s` distinct strings, or `None`. A model that was trained with names finds
            its columns by name.
        recipe: How the features were made from the user's columns, or None. It is dropped if it
            does not give these `feature_names`.

    Raises:
        DataError: A field is invalid; one sentence says what is wrong and what to do.

    Examples:
        >>> graph = Graph(name="pair", num_nodes=2, num_classes=2, features=np.eye(2),
        ...               edges=[[0, 1]], labels=[0, 1], train=[0], val=[], test=[1])
        >>> graph.homophily()
        0.0
    """

    name: str
    num_nodes: int
    num_classes: int
    features: sp.csr_array
    edges: IntArray
    edge_weights: Weights | None = None
    directed: bool = False
    labels: IntArray
    train: IntArray
    val: IntArray
    test: IntArray
    class_names: tuple[str, ...] = ()
    node_ids: NDArray[np.str_] | None = None
    feature_names: tuple[str, ...] | None = None
    recipe: Recipe | None = None

    def __post_init__(self) -> None:
        put = self._put
        put("name", checks.checked_name(self.name))
        put("num_nodes", checks.positive(self.name, "nodes", self.num_nodes))
        put("num_classes", checks.positive(self.name, "classes", self.num_classes))
        put("features", checks.checked_features(self.name, self.features, self.num_nodes))
        if not isinstance(self.directed, (bool, np.bool_)):
            raise DataError(
                f"{self.name}: `directed` must be True or False, but is {short(self.directed)}."
            )
        put("directed", bool(self.directed))
        edges, weights = checked_edges(
            self.name, self.edges, self.edge_weights, self.directed, self.num_nodes
        )
        put("edges", edges)
        put("edge_weights", weights)
        self._check_labels()
        put("node_ids", checks.checked_node_ids(self.name, self.node_ids, self.num_nodes))
        put(
            "feature_names",
            checks.checked_feature_names(self.name, self.feature_names, self.num_features),
        )
        recipe = self.recipe
        if recipe and not recipe.stand_ins and recipe.feature_names != self.feature_names:
            put("recipe", None)

    def _put(self, field: str, value: Any) -> None:
        object.__setattr__(self, field, value)

    def _check_labels(self) -> None:
        """Checks the fields that `replaced` may change."""
        put, name, num_classes = self._put, self.name, self.num_classes
        put("labels", checks.checked_labels(name, self.labels, self.num_nodes, num_classes))
        for split in SPLITS:
            put(split, checks.checked_split(name, split, getattr(self, split), self.labels))
        checks.check_disjoint(name, {split: getattr(self, split) for split in SPLITS})
        put("class_names", checks.checked_class_names(name, self.class_names, num_classes))

    @property
    def num_edges(self) -> int:
        """Number of distinct edges; in a directed graph, of ordered pairs."""
        return len(self.edges)

    @property
    def num_features(self) -> int:
        """Number of feature columns `s`."""
        return int(self.features.shape[1])

    def degrees(self) -> IntArray:
        """Counts the distinct neighbours of each node, in either direction, `[n]`."""
        edges = canonical_edges(self.edges, self.num_nodes) if self.directed else self.edges
        return np.bincount(edges.ravel(), minlength=self.num_nodes)

    def homophily(self) -> float:
        """Computes the share of edges that join two nodes of the same class.

        Only edges between labelled nodes count, each row of `edges` once, whatever its weight and
        direction. The share is NaN if there is no such edge.
        """
        alike, counts = self._labelled_ends()
        total = int(counts.sum()) // 2
        return alike / total if total else float("nan")

    def adjusted_homophily(self) -> float:
        """Computes how much more often edges join nodes of one class than chance would.

        `(h - Σ_k D_k² / (2m)²) / (1 - Σ_k D_k² / (2m)²)`, with the homophily `h`, the number `m`
        of edges between labelled nodes, and the sum `D_k` of their ends in class `k`. It is 0 for
        edges by chance, and 1 if all edges join nodes of one class. It is NaN if there is no such
        edge, or if all labelled ends are of one class. Each row of `edges` counts once, whatever
        its weight and direction. (Platonov et al., 2023)
        """
        alike, counts = self._labelled_ends()
        total = int(counts.sum()) // 2
        if not total:
            return float("nan")
        shares = counts[: np.flatnonzero(counts)[-1] + 1] / (2 * total)
        chance = float(np.sum(shares**2))
        return (alike / total - chance) / (1 - chance) if chance < 1 else float("nan")

    def _labelled_ends(self) -> tuple[int, IntArray]:
        """Counts edges between nodes of one class, and the ends in each class `[c]`.

        Only edges between labelled nodes count.
        """
        alike, counts = 0, np.zeros(self.num_classes, np.int64)
        for edges in self._edge_blocks():
            ends = self.labels[edges]
            ends = ends[(ends != UNKNOWN).all(axis=1)]
            alike += int(np.count_nonzero(ends[:, 0] == ends[:, 1]))
            counts += np.bincount(ends.ravel(), minlength=self.num_classes)
        return alike, counts

    def _edge_blocks(self) -> Iterator[IntArray]:
        """Yields all edges in parts of bounded size."""
        for start in range(0, self.num_edges, _EDGES_AT_ONCE):
            yield self.edges[start : start + _EDGES_AT_ONCE]

    def undirected(self) -> Graph:
        """Returns the graph without directions; the weights of both directions add up.

        Returns:
            A new graph, or this one if it is undirected.
        """
        if not self.directed:
            return self
        edges, weights = merged_edges(
            self.edges, self.num_nodes, self.name, weights=self.edge_weights, node_ids=self.node_ids
        )
        return dataclasses.replace(self, edges=edges, edge_weights=weights, directed=False)

    def with_split(self, train: ArrayLike, val: ArrayLike, test: ArrayLike) -> Graph:
        """Returns the same graph with another split.

        Args:
            train: Indices of the training nodes.
            val: Indices of the validation nodes.
            test: Indices of the test nodes.

        Returns:
            A new graph; this one is unchanged.
        """
        return self.replaced(train=np.asarray(train), val=np.asarray(val), test=np.asarray(test))

    def replaced(self, **changes: Any) -> Self:
        """Returns the graph with other labels, classes or splits.

        Unlike `dataclasses.replace`, it neither copies nor checks features and edges again.

        Args:
            **changes: New values of `labels`, `num_classes`, `class_names`, `train`, `val`, `test`.

        Returns:
            A new graph; this one is unchanged.

        Raises:
            DataError: A new value is invalid.
        """
        if not changes.keys() <= _REPLACEABLE:
            raise TypeError(f"`replaced` changes {', '.join(sorted(_REPLACEABLE))} only.")
        other = object.__new__(type(self))
        other.__dict__.update({**self.__dict__, **changes})
        other._put("num_classes", checks.positive(self.name, "classes", other.num_classes))
        other._check_labels()
        return other

    def save(self, path: str | Path) -> Path:
        """Writes the graph to a file `.npz`, a store `.store`, or else a folder of CSV files.

        The graph is written completely or not at all. `datasets.load(path)` reads it back, and
        `datasets.load(path, directed=True)` a directed one.

        Args:
            path: The file or folder to write.

        Returns:
            The path that was written, with `~` expanded.

        Raises:
            DataError: The path cannot be written, or CSV files cannot hold this graph.
        """
        from datasets.formats import csv_writer, npz
        from datasets.store import writer as store

        target = user_path(path)
        writers = {".npz": npz.write, ".store": store.write}
        writer = writers.get(target.suffix, csv_writer.write)
        try:
            return writer(self, target)
        except OSError as error:
            raise DataError(
                f"{target} cannot be written ({error.strerror}); choose another path or free space."
            ) from None

    @classmethod
    def from_networkx(cls, graph: nx.Graph, **options: Any) -> Graph:
        """Makes a `Graph` from a networkx graph.

        Args:
            graph: A networkx graph, directed or not.
            **options: Options of `datasets.formats.networkx_graph.from_networkx`.

        Returns:
            The graph, with the names of the nodes as `node_ids`.

        Raises:
            DataError: The networkx graph lacks labels, or an attribute is invalid.
        """
        from datasets.formats import networkx_graph

        return networkx_graph.from_networkx(graph, **options)

    def to_networkx(self) -> nx.Graph:
        """Makes a networkx graph with the node attributes `x`, `label` and `split`.

        It is a `DiGraph` if this graph is directed. If there are weights, they are the edge
        attribute `weight`.
        """
        from datasets.formats import networkx_graph

        return networkx_graph.to_networkx(self)
