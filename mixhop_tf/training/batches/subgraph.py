"""Cuts subgraphs out of the rows of a graph, in NumPy and without a copy of the graph."""

from __future__ import annotations

import dataclasses

import numpy as np

from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.neighbors import Neighbors


@dataclasses.dataclass(frozen=True, eq=False)
class Entries:
    """The entries of a sparse matrix `[m, m]`, in row-major order.

    Attributes:
        rows, columns: Positions of the entries, int64 `[k]`.
        values: float32 `[k]`; None if all are one.
    """

    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray | None

    def normalized(self, num_nodes: int, spec: AdjacencySpec) -> tuple[np.ndarray, np.ndarray]:
        """Normalises the entries of `A + I` by the sums of this matrix; see `AdjacencySpec`.

        Args:
            num_nodes: Number of rows `m`.
            spec: How the adjacency is made.

        Returns:
            The indices int64 `[k, 2]` and the values float32 `[k]`.
        """
        rows, columns, values = self.rows, self.columns, self.values
        if not spec.self_loops:
            kept = rows != columns
            rows, columns = rows[kept], columns[kept]
            values = None if values is None else values[kept]
        entries = np.ones(len(rows)) if values is None else values.astype(np.float64)
        if spec.normalization != "none":
            row_sums = np.bincount(rows, entries, num_nodes)
            if spec.normalization == "row":
                entries = entries / row_sums[rows]
            else:
                column_sums = np.bincount(columns, entries, num_nodes)
                entries = entries / np.sqrt(row_sums[rows] * column_sums[columns])
        return np.stack([rows, columns], axis=1), entries.astype(np.float32)


def neighbours_of(neighbors: Neighbors, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gathers the rows of some nodes.

    Returns:
        For each entry the position of its node in `nodes`, and its place in `neighbors.indices`,
        both int64 `[k]`.
    """
    starts = np.asarray(neighbors.indptr[nodes], np.int64)
    counts = np.asarray(neighbors.indptr[nodes + 1], np.int64) - starts
    owners = np.repeat(np.arange(len(nodes)), counts)
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    places = np.arange(total) + np.repeat(starts - (ends - counts), counts)
    return owners, places


def induced(neighbors: Neighbors, nodes: np.ndarray, positions: np.ndarray) -> Entries:
    """Cuts out the rows and columns of some nodes.

    Args:
        neighbors: The rows of the graph.
        nodes: Distinct nodes in ascending order, `[m]`.
        positions: Scratch int32 `[n]` that holds -1 everywhere, before and after the call. A new
            one for every batch would cost more than the batch.
    """
    rows, places = neighbours_of(neighbors, nodes)
    positions[nodes] = np.arange(len(nodes), dtype=np.int32)
    columns = positions[neighbors.indices[places]]
    positions[nodes] = -1
    return _kept(neighbors, rows, columns, places, columns >= 0)


def induced_in_groups(
    neighbors: Neighbors, nodes: np.ndarray, groups: np.ndarray, num_nodes: int
) -> Entries:
    """Cuts out one subgraph for each group, side by side; no entry joins two groups.

    Args:
        neighbors: The rows of the graph.
        nodes: Nodes `[m]`, in ascending order of `(group, node)`, each once in a group.
        groups: Group of each, `[m]`.
        num_nodes: Number of nodes `n` of the graph.
    """
    keys = groups * num_nodes + nodes
    rows, places = neighbours_of(neighbors, nodes)
    wanted = groups[rows] * num_nodes + neighbors.indices[places]
    columns = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return _kept(neighbors, rows, columns, places, keys[columns] == wanted)


def _kept(
    neighbors: Neighbors,
    rows: np.ndarray,
    columns: np.ndarray,
    places: np.ndarray,
    kept: np.ndarray,
) -> Entries:
    values = None if neighbors.weights is None else neighbors.weights[places[kept]]
    return Entries(rows[kept], columns[kept].astype(np.int64), values)
