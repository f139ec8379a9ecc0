"""`LiveGraph` predicts nodes of a graph that changes."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mixhop_tf.errors import SettingError
from mixhop_tf.live.answers import FieldModel
from mixhop_tf.live.features import LiveFeatures
from mixhop_tf.live.field import Direction, Field
from mixhop_tf.live.rows import LiveRows
from mixhop_tf.live.states import Change, Snapshot
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.neighbors import Neighbors, feature_matrix

MAX_FIELD = 1_000_000


class LiveGraph:
    """Keeps a graph in memory, changes it, and predicts some of its nodes exactly.

    A node's logits depend only on nodes that are a few hops away, if batch norm has frozen
    statistics. So an answer is computed from that part of the graph alone, the receptive field, and
    yet it is the answer for the whole changed graph.

    Nodes are numbered. A new node gets the next number; a removed one stays without edges. Several
    threads may use the object: a prediction sees the graph either before a change or after it.

    Example:
    >>> import numpy as np
    >>> from mixhop_tf import Architecture, GraphData, LiveGraph, build_model, freeze_statistics
    >>> graph = GraphData(edges=[[0, 1], [1, 2]], labels=[0, 1, 0], train=[0], val=[1])
    >>> model = build_model(Architecture.default(2), num_features=3, num_classes=2, seed=0)
    >>> inputs = graph.features.toarray(), model.operator(graph.edges, 3)
    >>> live = LiveGraph(freeze_statistics(model, inputs), graph)
    >>> live.add_node([1.0, 0.0, 0.0], neighbors=[2])
    3
    >>> live.predict([3])["probabilities"].shape
    (1, 2)

    Args:
        model: A model whose batch norm is frozen, such as `load_saved_model(…).model`.
        graph: The graph: an object with `num_nodes`, `edges`, `edge_weights`, `directed` and
            `features`, or one that is mapped from a store.
        features: Features `[n, s]` in place of those of the graph.
        max_field: Largest number of nodes that an answer may depend on.

    Raises:
        SettingError: The model or the graph does not fit.
    """

    def __init__(
        self, model: GraphModel, graph: Any, *, features: Any = None, max_field: int = MAX_FIELD
    ) -> None:
        self._answers = FieldModel(model)
        self._directed, self._weighted = self._answers.directed, model.weighted
        if self._directed and not graph.directed:
            raise SettingError("graph", "must be directed, because the model reads directions")
        if self._weighted and graph.edge_weights is None:
            raise SettingError("graph", "must have edge weights, because the model takes them")
        self._features = LiveFeatures(feature_matrix(graph) if features is None else features)
        if self._features.width != model.num_features:
            rule = f"must have {model.num_features:,} columns, as the model does"
            raise SettingError("features", rule, self._features.width)
        self._rows = {
            name: LiveRows(_loaded(graph, name, self._weighted))
            for name in (("in", "out") if self._directed else ("undirected",))
        }
        self._opposite = {"in": "out", "out": "in", "undirected": "undirected"}
        self._directions = [
            Direction(self._rows[name], self._rows[self._opposite[name]])
            for name in self._answers.directions
        ]
        self._size = int(graph.num_nodes)
        self._removed: set[int] = set()
        self._max_field = max_field
        self._lock = threading.RLock()

    @property
    def num_nodes(self) -> int:
        """Number of nodes that there have been, with those that were removed."""
        return self._size

    @property
    def hops(self) -> int:
        """Number of hops that an answer depends on."""
        return self._answers.hops

    def predict(self, nodes: Sequence[int] | np.ndarray) -> dict[str, np.ndarray]:
        """Predicts the classes of some nodes.

        Args:
            nodes: Numbers of the nodes `[k]`.

        Returns:
            The arrays `logits [k, c]`, `probabilities [k, c]`, `labels [k]`, and `field_size`, the
            number of nodes that the answer depends on.

        Raises:
            SettingError: A number is no node, or the node was removed.
            FieldSizeError: The answer depends on more than `max_field` nodes.
        """
        with self._lock:
            found = np.array([self._checked(node) for node in nodes], np.int64)
            field = Field.of(self._directions, found, self.hops, self._max_field)
            operators = [
                field.operator(self._answers.model, direction, entries)
                for direction, entries in zip(self._directions, field.entries, strict=True)
            ]
            features = self._features.entries(field.members)
        answer = self._answers.predict(
            len(field.members), features, operators, np.searchsorted(field.members, found)
        )
        return answer | {"field_size": np.array(len(field.members))}

    def add_node(
        self,
        features: Any,
        neighbors: Iterable[int] = (),
        weights: Iterable[float] | None = None,
    ) -> int:
        """Adds a node with its edges.

        Args:
            features: Features of the node `[s]`.
            neighbors: Nodes that it is joined to. In a directed graph, the edges lead to them.
            weights: Weights of these edges, which a `weighted` model needs.

        Returns:
            The number of the node.

        Raises:
            SettingError: An argument does not fit; nothing is changed.
        """
        with self._lock:
            node = self._size
            others = list(neighbors)
            values: list[Any] = [None] * len(others) if weights is None else list(weights)
            if len(values) != len(others):
                raise SettingError("weights", f"must be {len(others):,}, one for each neighbour")
            pairs = list(zip([node] * len(others), others, values, strict=True))
            self.apply(self.check(node=node, features=features, edges=pairs))
            return node

    def set_features(self, node: int, features: Any) -> None:
        """Replaces the features of a node; see `add_node`."""
        with self._lock:
            self.apply(self.check(node=self._checked(node), features=features))

    def add_edges(self, edges: Iterable[Sequence[int]], weights: Any = None) -> None:
        """Adds edges `[m, 2]`, or sets the weights of those that are there.

        Raises:
            SettingError: An end is no node, or a weight does not fit; nothing is changed.
        """
        with self._lock:
            pairs = [tuple(pair) for pair in edges]
            values = [None] * len(pairs) if weights is None else list(weights)
            if len(values) != len(pairs):
                raise SettingError("weights", f"must be {len(pairs):,}, one for each edge")
            joined = [(*pair, value) for pair, value in zip(pairs, values, strict=True)]
            self.apply(self.check(edges=joined))

    def remove_edges(self, edges: Iterable[Sequence[int]]) -> None:
        """Removes edges `[m, 2]`; those that are not there do not matter."""
        with self._lock:
            pairs = [(self._checked(a), self._checked(b)) for a, b in edges]
            self._set_all([(a, b, None) for a, b in pairs])

    def remove_node(self, node: int) -> None:
        """Removes a node with its edges."""
        with self._lock:
            node = self._checked(node)
            self._set_all([(node, other, None) for other in self.neighbors(node)])
            if self._directed:
                others = self._rows["in"].row(node)[0].tolist()
                self._set_all([(other, node, None) for other in others if other != node])
            self._removed.add(node)

    def neighbors(self, node: int) -> list[int]:
        """Returns the nodes that a node is joined to, or that its edges lead to."""
        with self._lock:
            rows = self._rows["out" if self._directed else "undirected"]
            return [other for other in rows.row(self._checked(node))[0].tolist() if other != node]

    def has_edge(self, source: int, target: int) -> bool:
        """Says whether there is an edge between two nodes."""
        return target in self.neighbors(source)

    def check(
        self,
        *,
        node: int | None = None,
        features: Any = None,
        edges: Iterable[Sequence[Any]] = (),
    ) -> Change:
        """Checks a change without making it, so that a caller can write it down first.

        Args:
            node: A node whose features are set; `num_nodes` for a new one.
            features: Its features `[s]`.
            edges: Triples of two ends and a weight. The weight is None if the model takes none.

        Raises:
            SettingError: An argument does not fit.
        """
        row = None if features is None else self._features.check(features)
        end = self._size if node is None else max(self._size, node + 1)
        found = []
        for source, target, weight in edges:
            ends = self._checked(source, end), self._checked(target, end)
            if ends[0] == ends[1]:
                raise SettingError("edges", "must join two different nodes", source)
            found.append((*ends, self._checked_weight(weight)))
        return Change(node, row, found)

    def apply(self, change: Change) -> None:
        """Makes a change that `check` returned, all of it at once."""
        with self._lock:
            if change.node is not None and change.node >= self._size:
                for rows in self._rows.values():
                    rows.add_node(change.node)
                self._size = change.node + 1
            if change.node is not None and change.features is not None:
                self._features.put(change.node, change.features)
            self._set_all(change.edges)

    def snapshot(self) -> Snapshot:
        """Copies the graph as it is now; removed nodes are there without edges."""
        with self._lock:
            return self._part(np.arange(self._size))

    def around(self, nodes: Sequence[int] | np.ndarray) -> tuple[np.ndarray, Snapshot]:
        """Copies the part of the graph that the answers for some nodes depend on.

        Every edge of its inner nodes is there. So a model gives these nodes the same logits as in
        the whole graph.

        Args:
            nodes: Numbers of the nodes.

        Returns:
            The numbers of the nodes in the copy, ascending, and the copy.
        """
        both = [Direction(rows, rows) for rows in self._rows.values()]
        with self._lock:
            found = np.array([self._checked(node) for node in nodes], np.int64)
            inner = Field.of(self._directions, found, self.hops, self._max_field).members
            outer = Field.of(both, inner, 1, self._max_field).members
            return outer, self._part(outer)

    def _part(self, nodes: np.ndarray) -> Snapshot:
        """Copies the graph of some nodes, which ascend, with the edges between them."""
        name = "out" if self._directed else "undirected"
        rows, columns, values = self._rows[name].entries(nodes)
        kept = np.isin(columns, nodes) & (rows != columns if self._directed else rows < columns)
        edges = np.stack([np.searchsorted(nodes, part[kept]) for part in (rows, columns)], axis=1)
        weights = values[kept] if self._weighted else None
        return Snapshot(self._features.matrix(nodes), edges, weights, self._directed)

    def _set_all(self, edges: Iterable[tuple[int, int, float | None]]) -> None:
        """Sets the entries of edges; None removes one."""
        for source, target, weight in edges:
            if self._directed:
                self._rows["out"].set(source, target, weight)
                self._rows["in"].set(target, source, weight)
            else:
                self._rows["undirected"].set(source, target, weight)
                self._rows["undirected"].set(target, source, weight)

    def _checked(self, node: Any, end: int | None = None) -> int:
        """Checks that this is the number of a node."""
        is_number = isinstance(node, (int, np.integer)) and not isinstance(node, bool)
        if not is_number or not 0 <= node < (self._size if end is None else end):
            raise SettingError("node", f"must be from 0 to {self._size - 1:,}", node)
        if node in self._removed:
            raise SettingError("node", "must not have been removed", node)
        return int(node)

    def _checked_weight(self, weight: Any) -> float:
        if not self._weighted:
            if weight is not None:
                raise SettingError("weights", "do not fit: the model takes no weights")
            return 1.0
        if weight is None:
            raise SettingError("weights", "do not fit: the model needs the weights of the edges")
        is_number = isinstance(weight, (int, float, np.number)) and not isinstance(weight, bool)
        value = np.float32(weight) if is_number else np.float32(np.nan)
        if not (np.isfinite(value) and value > 0):
            raise SettingError("weights", "must be positive numbers", weight)
        return float(value)


def _loaded(graph: Any, direction: str, weighted: bool) -> Neighbors:
    found = Neighbors.of(graph, direction)
    return found if weighted else Neighbors(found.indptr, found.indices)
