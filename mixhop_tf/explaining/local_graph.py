"""The part of a graph around a node, from which edges and features can be taken away."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from mixhop_tf.ops.neighbors import Neighbors

Pair = tuple[int, int]


@dataclasses.dataclass(frozen=True, eq=False)
class LocalGraph:
    """A part of a graph with all that the answer for one node depends on.

    It has the nodes that are at most `hops + 1` steps away. So the degrees of all nodes that the
    model reads are those of the whole graph.

    Attributes:
        members: Nodes of the part by their indices in the graph, in ascending order.
        node: Position of the node among them.
        edges: Edges among the members, `[m, 2]`.
        edge_weights: Their weights, or None.
        features: Features of the members, a CSR array or an array.
        directed: Whether edges have a direction.
    """

    members: np.ndarray
    node: int
    edges: np.ndarray
    edge_weights: np.ndarray | None
    features: Any
    directed: bool
    name: str = "graph"

    @classmethod
    def around(cls, graph: Any, features: Any, node: int, hops: int) -> LocalGraph:
        """Cuts out the part around a node."""
        rows = Neighbors.from_edges(graph.edges, graph.num_nodes)
        reached = front = np.array([node])
        for _ in range(hops + 1):
            ends = [rows.indices[rows.indptr[i] : rows.indptr[i + 1]] for i in front.tolist()]
            front = np.setdiff1d(np.concatenate(ends), reached)
            reached = np.union1d(reached, front)
            if not len(front):
                break
        edges = np.asarray(graph.edges)
        kept = np.isin(edges, reached).all(axis=1)
        weights = graph.edge_weights
        taken = features[reached]
        return cls(
            members=reached,
            node=int(np.searchsorted(reached, node)),
            edges=np.searchsorted(reached, edges[kept]),
            edge_weights=None if weights is None else np.asarray(weights)[kept],
            features=taken.tocsr() if hasattr(taken, "tocsr") else np.array(taken),
            directed=bool(graph.directed),
        )

    @property
    def num_nodes(self) -> int:
        """Number of members."""
        return len(self.members)

    def without_edges(self, pairs: list[Pair]) -> LocalGraph:
        """Takes away every edge between the two nodes of each pair, in both directions."""
        low, high = np.sort(self.edges, axis=1).T
        gone = {min(pair) * self.num_nodes + max(pair) for pair in pairs}
        kept = ~np.isin(low * self.num_nodes + high, list(gone))
        weights = None if self.edge_weights is None else self.edge_weights[kept]
        return dataclasses.replace(self, edges=self.edges[kept], edge_weights=weights)

    def without_features(self, cells: list[Pair], means: np.ndarray | None) -> LocalGraph:
        """Sets entries `(node, feature)` to zero, or to the means of their columns."""
        rows, columns = np.array(cells, np.int64).reshape(-1, 2).T
        is_sparse = hasattr(self.features, "tolil")
        features = self.features.tolil() if is_sparse else self.features.copy()
        features[rows, columns] = 0.0 if means is None else means[columns]
        return dataclasses.replace(self, features=features.tocsr() if is_sparse else features)
