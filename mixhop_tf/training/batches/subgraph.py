"""Cuts subgraphs out of the rows of a graph, in NumPy and without a copy of the graph."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.neighbors import Neighbors

_ROWS = 2048  # of a graph that are read at once, so that their entries stay in the cache
_SIEVE = 1 << 20  # places of a sieve, a power of two
_SPREAD = 0x9E3779B1  # keeps the nodes of different groups apart


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
    sieve = _Sieve(nodes)

    def find(_: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        kept = sieve.kept(wanted)
        columns = positions[wanted[kept]]
        inside = columns >= 0
        return kept[inside], columns[inside]

    def find_among_few(_: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        columns = positions[wanted]
        inside = np.flatnonzero(columns >= 0)
        return inside, columns[inside]

    positions[nodes] = np.arange(len(nodes), dtype=np.int32)
    is_small = len(positions) < 4 * len(nodes)
    entries = _cut(neighbors, nodes, find_among_few if is_small else find)
    positions[nodes] = -1
    return entries


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
    spread = groups * _SPREAD
    sieve = _Sieve(nodes + spread)

    def find(rows: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        kept = sieve.kept(spread[rows] + wanted)
        of_group = groups[rows[kept]] * num_nodes + wanted[kept]
        columns = np.minimum(np.searchsorted(keys, of_group), len(keys) - 1)
        inside = keys[columns] == of_group
        return kept[inside], columns[inside]

    return _cut(neighbors, nodes, find)


class _Sieve:
    """Drops most of the numbers that are not among given ones.

    Nearly all neighbours of a batch are outside of it. This table fits into the cache, unlike
    one with a place for each node of a large graph.
    """

    def __init__(self, numbers: np.ndarray) -> None:
        self._table = np.zeros(_SIEVE, bool)
        self._table[numbers & (_SIEVE - 1)] = True

    def kept(self, numbers: np.ndarray) -> np.ndarray:
        """Returns the positions of the numbers that may be among the given ones."""
        return np.flatnonzero(self._table[numbers & (_SIEVE - 1)])


def _cut(
    neighbors: Neighbors,
    nodes: np.ndarray,
    find: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]],
) -> Entries:
    """Reads the rows of the nodes, a few at once, and keeps what `find` finds.

    Args:
        neighbors: The rows of the graph.
        nodes: The nodes `[m]`.
        find: From the row and the neighbour of each entry to the entries that are kept and their
            columns.
    """
    none = np.empty(0, np.int64)
    rows, columns, places = [none], [none], [none]
    for start in range(0, len(nodes), _ROWS):
        owners, read = neighbours_of(neighbors, nodes[start : start + _ROWS])
        owners += start
        kept, found = find(owners, np.asarray(neighbors.indices[read]))
        rows.append(owners[kept])
        columns.append(found.astype(np.int64))
        if neighbors.weights is not None:
            places.append(read[kept])
    values = None if neighbors.weights is None else neighbors.weights[np.concatenate(places)]
    return Entries(np.concatenate(rows), np.concatenate(columns), values)
