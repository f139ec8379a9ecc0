"""A graph in plain arrays."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from mixhop_tf.errors import SettingError

UNKNOWN = -1


class GraphData:
    """A graph in plain arrays, checked when it is made.

    Args:
        edges: Integers `[m, 2]`; either direction of an edge stands for both.
        labels: `[n]` classes of any type that can be text. None, NaN, -1 or an empty text is
            unknown.
        train, val, test: Indices of labelled nodes, or masks `[n]`; pairwise disjoint.
        features: Dense or SciPy sparse `[n, s]`; one column for each node if there are none.
        name: Name of the graph.
        feature_names: Names of the columns.
        node_ids: Names of the nodes.

    Example:
    >>> from mixhop_tf import GraphData
    >>> graph = GraphData(edges=[[0, 1], [1, 2]], labels=["a", "b", None], train=[0], val=[1])
    >>> graph.num_classes, graph.labels.tolist()
    (2, [0, 1, -1])
    """

    def __init__(
        self,
        *,
        edges: ArrayLike,
        labels: Sequence[Any] | np.ndarray,
        train: ArrayLike,
        val: ArrayLike,
        test: ArrayLike = (),
        features: ArrayLike | sp.sparray | sp.spmatrix | None = None,
        name: str = "graph",
        feature_names: Sequence[str] | None = None,
        node_ids: Sequence[str] | None = None,
    ) -> None:
        self.name = name
        self.labels, self.class_names = _numbered(labels)
        self.features = _matrix(features, self.num_nodes)
        self.edges = _edges(edges, self.num_nodes)
        self.train, self.val, self.test = _disjoint(
            {"train": train, "val": val, "test": test}, self.labels
        )
        self.feature_names = _names("feature_names", feature_names, self.num_features)
        self.node_ids = _names("node_ids", node_ids, self.num_nodes)

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        *,
        label: str,
        train: Iterable[Any],
        val: Iterable[Any],
        test: Iterable[Any] = (),
        features: Sequence[str] = (),
        name: str | None = None,
    ) -> GraphData:
        """The graph of a networkx one; its directions and weights are not used.

        Args:
            graph: A `networkx` graph.
            label: Node attribute that holds the class; nodes without it are unlabelled.
            train, val, test: Nodes, by their networkx names.
            features: Names of node attributes that hold numbers. Without any, every node gets a
                column of its own.
            name: Name of the graph; its networkx name by default.
        """
        ids = list(graph)
        index = {node: i for i, node in enumerate(ids)}
        parts = {}
        for part, nodes in (("train", train), ("val", val), ("test", test)):
            for node in (nodes := list(nodes)):
                if node not in index:
                    raise SettingError(part, "must hold nodes of the graph", node)
            parts[part] = np.array([index[node] for node in nodes], np.int64)
        columns = []
        for attribute in features:
            values = [graph.nodes[node].get(attribute) for node in ids]
            if any(value is None for value in values):
                raise SettingError("features", "must hold attributes of every node", attribute)
            columns.append(values)
        matrix = _array("features", columns, np.float32).T if columns else None
        return cls(
            edges=np.array([(index[u], index[v]) for u, v in graph.edges()], np.int64),
            labels=np.array([graph.nodes[node].get(label) for node in ids], object),
            features=_matrix(matrix, len(ids)),
            feature_names=tuple(features) or None,
            node_ids=tuple(map(str, ids)),
            name=name or str(getattr(graph, "name", "")) or "graph",
            **parts,
        )

    @property
    def num_nodes(self) -> int:
        """Number of nodes `n`."""
        return len(self.labels)

    @property
    def num_features(self) -> int:
        """Number of feature columns `s`."""
        return int(self.features.shape[1])

    @property
    def num_classes(self) -> int:
        """Number of classes `c`."""
        return len(self.class_names)


def _disjoint(parts: Mapping[str, ArrayLike], labels: np.ndarray) -> list[np.ndarray]:
    """The nodes of each part, none of them in two."""
    seen = np.zeros(len(labels), bool)
    disjoint = []
    for part, given in parts.items():
        nodes = _nodes(part, given, labels)
        if seen[nodes].any():
            shared = int(nodes[seen[nodes]][0])
            raise SettingError(part, "must share no node with another part", shared)
        seen[nodes] = True
        disjoint.append(nodes)
    return disjoint


def _names(argument: str, names: Sequence[str] | None, count: int) -> tuple[str, ...] | None:
    if names is None:
        return None
    if len(names) != count:
        raise SettingError(argument, f"must hold {count} names", len(names))
    return tuple(map(str, names))


def _numbered(labels: Any) -> tuple[np.ndarray, tuple[str, ...]]:
    """Labels as numbers in the order of the classes' names; whole numbers in their own order."""
    given = np.asarray(labels, object)
    if given.ndim != 1 or not len(given):
        raise SettingError("labels", "must be one for each node", given.shape)
    unknown = np.array([_is_unknown(label) for label in given])
    known = set(given[~unknown].tolist())
    try:
        classes = sorted(known)
    except TypeError:  # of several types
        classes = sorted(known, key=str)
    if not classes:
        raise SettingError("labels", "must hold at least one class", "none")
    index = {each: i for i, each in enumerate(classes)}
    numbers = [UNKNOWN if none else index[each] for each, none in zip(given, unknown, strict=True)]
    return np.array(numbers, np.int64), tuple(map(str, classes))


def _is_unknown(label: Any) -> bool:
    is_nan = isinstance(label, float) and np.isnan(label)
    return label is None or is_nan or label == UNKNOWN or label in ("", "-1")


def _matrix(features: Any, num_nodes: int) -> sp.csr_array:
    if features is None:
        return sp.csr_array(sp.eye_array(num_nodes, dtype=np.float32))
    dense: Any = features
    if not sp.issparse(features):
        dense = _array("features", features, np.float32)
    if dense.ndim != 2 or dense.shape[0] != num_nodes or not dense.shape[1]:
        raise SettingError("features", f"must have the shape [{num_nodes}, s]", dense.shape)
    matrix = sp.csr_array(dense, dtype=np.float32)
    matrix.sum_duplicates()
    if not np.isfinite(matrix.data).all():
        raise SettingError("features", "must be finite", "NaN or infinite")
    return matrix


def _edges(edges: Any, num_nodes: int) -> np.ndarray:
    pairs = _array("edges", edges)
    if not pairs.size:
        return np.empty((0, 2), np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise SettingError("edges", "must be whole numbers of the shape [m, 2]", pairs.shape)
    for end in (pairs.min(), pairs.max()):
        if not 0 <= end < num_nodes:
            raise SettingError("edges", f"must join nodes in 0 … {num_nodes - 1}", int(end))
    return pairs.astype(np.int64)


def _nodes(part: str, nodes: Any, labels: np.ndarray) -> np.ndarray:
    indices = _array(part, nodes)
    if indices.dtype == bool and indices.shape == labels.shape:
        indices = np.flatnonzero(indices)
    if not indices.size:
        return np.empty(0, np.int64)
    if indices.ndim != 1 or not np.issubdtype(indices.dtype, np.integer):
        raise SettingError(part, "must be indices of nodes", indices.tolist())
    for end in (indices.min(), indices.max()):
        if not 0 <= end < len(labels):
            raise SettingError(part, f"must hold nodes in 0 … {len(labels) - 1}", int(end))
    indices = np.unique(indices).astype(np.int64)
    if (labels[indices] == UNKNOWN).any():
        node = int(indices[labels[indices] == UNKNOWN][0])
        raise SettingError(part, "must hold nodes that have a label", node)
    return indices


def _array(name: str, values: Any, dtype: type | None = None) -> np.ndarray:
    try:
        return np.asarray(values, dtype)
    except (TypeError, ValueError):  # text, or rows of different lengths
        raise SettingError(name, "must be an array of numbers", reprlib.repr(values)) from None
