"""A graph in plain arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from mixhop_tf.errors import SettingError

UNKNOWN = -1


class GraphData:
    """Holds a graph in plain arrays, which are checked when it is made.

    Args:
        edges: Pairs of node indices `[m, 2]`; either direction of an edge stands for both, unless
            the graph is `directed`.
        labels: Classes of the nodes `[n]`, of any type that can be text. None, NaN, -1 and an empty
            text stand for an unknown class.
        train: Training nodes: indices of labelled nodes, or a mask `[n]`.
        val: Validation nodes, in the same form. The three splits are pairwise disjoint.
        test: Test nodes, in the same form.
        features: Features of the nodes, a dense or SciPy sparse array `[n, s]`. By default every
            node gets a column of its own.
        edge_weights: Positive weights of the edges `[m]`; None if all are one. Weights of repeated
            edges add up.
        directed: Whether an edge leads from its first node to its second, and not back.
        name: Name of the graph, for messages.
        feature_names: Names of the feature columns.
        node_ids: Ids of the nodes as you know them.

    Raises:
        SettingError: An argument breaks a rule; the message names both.

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
        edge_weights: ArrayLike | None = None,
        directed: bool = False,
        name: str = "graph",
        class_names: Sequence[str] | None = None,
        feature_names: Sequence[str] | None = None,
        node_ids: Sequence[str] | None = None,
    ) -> None:
        self.name = name
        self.labels, self.class_names = _numbered(labels)
        if class_names is not None:
            self.class_names = _classes(class_names, labels)
            self.labels = np.asarray(labels, np.int64)
        self.features = _matrix(features, self.num_nodes)
        self.edges = _edges(edges, self.num_nodes)
        self.edge_weights = _weights(edge_weights, len(self.edges))
        self.directed = bool(directed)
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
        weight: str | None = None,
        directed: bool = False,
        name: str | None = None,
    ) -> GraphData:
        """Makes a graph from a networkx graph.

        Args:
            graph: A `networkx` graph.
            label: Name of the node attribute that holds the class. Nodes without it are unlabelled.
            train: Training nodes, by their networkx names.
            val: Validation nodes.
            test: Test nodes.
            features: Names of node attributes that hold numbers. If there are none, every node gets
                a column of its own.
            weight: Name of the edge attribute that holds the weight, such as `weight`. Edges
                without it have the weight 1. By default edges have no weights.
            directed: Whether to keep the directions of a `DiGraph`.
            name: Name of the graph. The default is its networkx name.
        """
        if directed and not graph.is_directed():
            raise SettingError("directed", "must be False for a networkx graph without directions")
        given = [data.get(weight) for *_, data in graph.edges(data=True)] if weight else []
        weighted = any(value is not None for value in given)
        ids = list(graph)
        index = {node: i for i, node in enumerate(ids)}
        parts: dict[str, Any] = {}
        for part, nodes in (("train", train), ("val", val), ("test", test)):
            for node in (nodes := list(nodes)):
                if node not in index:
                    raise SettingError(part, "must name nodes of the graph", node)
            parts[part] = np.array([index[node] for node in nodes], np.int64)
        columns = []
        for attribute in features:
            values = [graph.nodes[node].get(attribute) for node in ids]
            if any(value is None for value in values):
                rule = "must name attributes that every node has"
                raise SettingError("features", rule, attribute)
            columns.append(values)
        matrix = _array("features", columns, np.float32).T if columns else None
        return cls(
            edges=np.array([(index[u], index[v]) for u, v in graph.edges()], np.int64),
            labels=np.array([graph.nodes[node].get(label) for node in ids], object),
            features=_matrix(matrix, len(ids)),
            edge_weights=[1.0 if value is None else value for value in given] if weighted else None,
            directed=directed,
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
    """Returns the nodes of each part, after a check that no node is in two parts."""
    seen = np.zeros(len(labels), bool)
    disjoint = []
    for part, given in parts.items():
        nodes = _nodes(part, given, labels)
        if seen[nodes].any():
            shared = int(nodes[seen[nodes]][0])
            raise SettingError(part, "must not share a node with another part", shared)
        seen[nodes] = True
        disjoint.append(nodes)
    return disjoint


def _names(argument: str, names: Sequence[str] | None, count: int) -> tuple[str, ...] | None:
    if names is None:
        return None
    if len(names) != count:
        raise SettingError(argument, f"must hold {count} names, but holds {len(names)}")
    return tuple(map(str, names))


def _numbered(labels: Any) -> tuple[np.ndarray, tuple[str, ...]]:
    """Numbers the classes in sorted order, and returns the labels as numbers and the names."""
    given = np.asarray(labels, object)
    if given.ndim != 1 or not len(given):
        raise SettingError("labels", "must be a list with one label for each node", labels)
    unknown = np.array([_is_unknown(label) for label in given])
    known = set(given[~unknown].tolist())
    try:
        classes = sorted(known)
    except TypeError:  # labels of different types cannot be compared
        classes = sorted(known, key=str)
    if not classes:
        raise SettingError("labels", "must name the class of at least one node", labels)
    index = {each: i for i, each in enumerate(classes)}
    numbers = [UNKNOWN if none else index[each] for each, none in zip(given, unknown, strict=True)]
    return np.array(numbers, np.int64), tuple(map(str, classes))


def _classes(names: Sequence[str], labels: Any) -> tuple[str, ...]:
    """The names of the classes, after a check that the labels are their numbers."""
    numbers = np.asarray(labels)
    if not np.issubdtype(numbers.dtype, np.integer):
        raise SettingError("labels", "must be whole numbers with `class_names`", labels)
    if numbers.min() < UNKNOWN or numbers.max() >= len(names):
        raise SettingError("labels", f"must be from {UNKNOWN} to {len(names) - 1}", labels)
    return tuple(map(str, names))


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
        rule = f"must have the shape [{num_nodes}, s], but have the shape {list(dense.shape)}"
        raise SettingError("features", rule)
    matrix = sp.csr_array(dense, dtype=np.float32)
    matrix.sum_duplicates()
    finite = np.isfinite(matrix.data)
    if not finite.all():
        raise SettingError("features", "must be finite", matrix.data[~finite][0].item())
    return matrix


def _edges(edges: Any, num_nodes: int) -> np.ndarray:
    pairs = _array("edges", edges)
    if not pairs.size:
        return np.empty((0, 2), np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        rule = (
            "must be whole numbers of the shape [m, 2], but have the type "
            f"{pairs.dtype} and the shape {list(pairs.shape)}"
        )
        raise SettingError("edges", rule)
    for end in (pairs.min(), pairs.max()):
        if not 0 <= end < num_nodes:
            raise SettingError("edges", f"must join nodes from 0 to {num_nodes - 1}", int(end))
    return pairs.astype(np.int64)


def _weights(weights: Any, num_edges: int) -> np.ndarray | None:
    if weights is None:
        return None
    values = _array("edge_weights", weights, np.float32)
    if values.shape != (num_edges,):
        rule = f"must have the shape [{num_edges}], but have the shape {list(values.shape)}"
        raise SettingError("edge_weights", rule)
    valid = np.isfinite(values) & (values > 0)
    if not valid.all():
        raise SettingError("edge_weights", "must be positive", values[~valid][0].item())
    return values


def _nodes(part: str, nodes: Any, labels: np.ndarray) -> np.ndarray:
    indices = _array(part, nodes)
    if indices.dtype == bool and indices.shape == labels.shape:
        indices = np.flatnonzero(indices)
    if not indices.size:
        return np.empty(0, np.int64)
    if indices.ndim != 1 or not np.issubdtype(indices.dtype, np.integer):
        raise SettingError(
            part, "must be a list of node indices or a mask with one entry for each node", nodes
        )
    for end in (indices.min(), indices.max()):
        if not 0 <= end < len(labels):
            raise SettingError(part, f"must hold nodes from 0 to {len(labels) - 1}", int(end))
    indices = np.unique(indices).astype(np.int64)
    if (labels[indices] == UNKNOWN).any():
        node = int(indices[labels[indices] == UNKNOWN][0])
        raise SettingError(part, "must hold nodes that have a label", node)
    return indices


def _array(name: str, values: Any, dtype: type | None = None) -> np.ndarray:
    try:
        return np.asarray(values, dtype)
    except (TypeError, ValueError):  # it is text, or its rows have different lengths
        raise SettingError(name, "must be an array of numbers", values) from None
