"""The rows of an adjacency with self-loops, in arrays that may be mapped from a file."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.errors import SettingError


@dataclasses.dataclass(frozen=True, eq=False)
class Neighbors:
    """Holds the rows of `A + I` one after the other.

    Row `i` has the columns `indices[indptr[i] : indptr[i + 1]]`, in ascending order and with `i`
    itself. The arrays may be mapped from a file, so nothing here reads all of them unless it must.

    Args:
        indptr: int64 `[n + 1]`.
        indices: int32 or int64 `[k]`.
        weights: float32 `[k]`; None if all are one. A self-loop has the weight 1.
    """

    indptr: np.ndarray
    indices: np.ndarray
    weights: np.ndarray | None = None

    @classmethod
    def of(cls, graph: Any, direction: str = "undirected") -> Neighbors:
        """Returns the rows of a graph.

        A graph that is mapped from a file has them, as `neighbors` and, if it is directed,
        `neighbors_in`. For other graphs they are made from the edges.

        Args:
            graph: The graph.
            direction: Which neighbours a row has: `undirected`, `in` for the nodes that point to
                the row's node, or `out` for the nodes that it points to.
        """
        stored = getattr(graph, "neighbors", None)
        if stored is not None and graph.directed == (direction != "undirected"):
            found = graph.neighbors_in if direction == "in" else stored
            return cls(found.indptr, found.indices, found.weights)
        return cls.from_edges(graph.edges, graph.num_nodes, graph.edge_weights, direction)

    @classmethod
    def from_edges(
        cls,
        edges: np.ndarray,
        num_nodes: int,
        weights: np.ndarray | None = None,
        direction: str = "undirected",
    ) -> Neighbors:
        """Makes the rows from edges `[m, 2]`; repeated edges count once, or their weights add up.

        Self-loops among the edges are ignored.
        """
        edges = np.asarray(edges).reshape(-1, 2)
        kept = edges[:, 0] != edges[:, 1]
        first, second = edges[kept, 0], edges[kept, 1]
        values = np.ones(len(first)) if weights is None else np.asarray(weights, np.float64)[kept]
        ends = {"out": (first, second), "in": (second, first)}.get(direction)
        if ends is None:
            if direction != "undirected":
                raise SettingError("direction", "must be undirected, in or out", direction)
            ends = np.concatenate([first, second]), np.concatenate([second, first])
            values = np.concatenate([values, values])
        shape = (num_nodes, num_nodes)
        matrix = sp.csr_array(sp.coo_array((values, ends), shape=shape))
        matrix.sum_duplicates()
        if weights is None:
            matrix.data[:] = 1  # a repeated edge counts once
        matrix = sp.csr_array(matrix + sp.eye_array(num_nodes, format="csr"))
        matrix.sort_indices()
        entries = None if weights is None else matrix.data.astype(np.float32)
        small = np.int32 if num_nodes <= np.iinfo(np.int32).max else np.int64
        return cls(matrix.indptr.astype(np.int64), matrix.indices.astype(small), entries)

    @property
    def num_nodes(self) -> int:
        """Number of nodes `n`."""
        return len(self.indptr) - 1

    @property
    def num_entries(self) -> int:
        """Number of entries of `A + I`."""
        return int(self.indptr[-1])

    def rows(self, start: int, stop: int) -> sp.csr_array:
        """Returns the rows from `start` to `stop` of `A + I`, float32 `[stop - start, n]`."""
        first, last = int(self.indptr[start]), int(self.indptr[stop])
        values = np.ones(last - first, np.float32)
        if self.weights is not None:
            values = np.asarray(self.weights[first:last])
        indices = np.asarray(self.indices[first:last])
        indptr = np.asarray(self.indptr[start : stop + 1] - first).astype(indices.dtype)
        return sp.csr_array((values, indices, indptr), shape=(stop - start, self.num_nodes))


def feature_matrix(graph: Any) -> Any:
    """Returns the features of a graph `[n, s]`: an array, which may be mapped, or a CSR array.

    A graph that is mapped from a file has them as `feature_matrix`; its `features` would be a copy.
    """
    mapped = getattr(graph, "feature_matrix", None)
    return graph.features if mapped is None else mapped


def count_entries(graph: Any) -> int:
    """Counts the entries of `A + I`. Repeated edges that no file has merged count again."""
    stored = getattr(graph, "neighbors", None)
    if stored is not None:
        return len(stored.indices) * (1 + bool(graph.directed))
    return 2 * len(graph.edges) + graph.num_nodes
