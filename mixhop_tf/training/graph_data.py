"""A graph in plain arrays."""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.errors import SettingError

UNKNOWN = -1
SPLITS = ("train", "val", "test")


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class GraphData:
    """A graph in plain arrays, checked when it is made.

    Args:
        edges: Integers `[m, 2]`; either direction of an edge stands for both.
        labels: `[n]` classes of any type that can be text; None, -1 or an empty text is unknown.
        train, val, test: Indices of labelled nodes, pairwise disjoint.
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

    edges: np.ndarray
    labels: np.ndarray
    train: np.ndarray
    val: np.ndarray
    test: np.ndarray = ()  # type: ignore[assignment]  # made an array below
    features: sp.csr_array = None  # type: ignore[assignment]  # made a matrix below
    name: str = "graph"
    feature_names: tuple[str, ...] | None = None
    node_ids: tuple[str, ...] | None = None
    class_names: tuple[str, ...] = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        def put(field: str, value: Any) -> None:
            object.__setattr__(self, field, value)

        labels, class_names = _numbered(self.labels)
        put("labels", labels)
        put("class_names", class_names)
        put("features", _matrix(self.features, len(labels)))
        put("edges", _edges(self.edges, len(labels)))
        seen = np.zeros(len(labels), bool)
        for part in SPLITS:
            nodes = _nodes(part, getattr(self, part), labels)
            if seen[nodes].any():
                raise SettingError(
                    part, "must share no node with another part", nodes[seen[nodes]][0]
                )
            seen[nodes] = True
            put(part, nodes)
        for field, count in (("feature_names", self.num_features), ("node_ids", len(labels))):
            names = getattr(self, field)
            if names is not None:
                if len(names) != count:
                    raise SettingError(field, f"must hold {count} names", len(names))
                put(field, tuple(map(str, names)))

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


def _numbered(labels: Any) -> tuple[np.ndarray, tuple[str, ...]]:
    """Labels as numbers in the order of the classes' names; whole numbers in their own order."""
    given = np.asarray(labels, object)
    if given.ndim != 1 or not len(given):
        raise SettingError("labels", "must be one for each node", given.shape)
    unknown = np.array([each is None or each == UNKNOWN or each in ("", "-1") for each in given])
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
