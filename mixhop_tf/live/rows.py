"""Rows of a sparse matrix that change: arrays for what was loaded, and the rows that changed."""

from __future__ import annotations

import numpy as np

from mixhop_tf.ops.neighbors import Neighbors

Entries = tuple[np.ndarray, np.ndarray, np.ndarray]  # row, column and value of each entry


def gather_rows(indptr: np.ndarray, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Finds the entries of some rows of a CSR matrix.

    Args:
        indptr: Where each row starts, `[n + 1]`.
        nodes: The rows, `[k]`.

    Returns:
        The number of entries of each row `[k]`, and the places of all of them, row by row.

    >>> import numpy as np
    >>> counts, places = gather_rows(np.array([0, 2, 2, 5]), np.array([2, 0]))
    >>> counts.tolist(), places.tolist()
    ([3, 2], [2, 3, 4, 0, 1])
    """
    starts = np.asarray(indptr[nodes], np.int64)
    counts = np.asarray(indptr[nodes + 1], np.int64) - starts
    ends = np.cumsum(counts)
    shift = np.repeat(starts - ends + counts, counts)
    return counts, shift + np.arange(len(shift))


class Changes:
    """Rows that replace those of the loaded matrix, and rows of new nodes.

    Args:
        num_rows: Number of rows of the loaded matrix.
    """

    def __init__(self, num_rows: int) -> None:
        self._rows: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._mask = np.zeros(num_rows, bool)

    def __contains__(self, node: int) -> bool:
        return node in self._rows

    def __getitem__(self, node: int) -> tuple[np.ndarray, np.ndarray]:
        return self._rows[node]

    def put(self, node: int, columns: np.ndarray, values: np.ndarray) -> None:
        """Replaces a row; its columns ascend."""
        self._mask = grown(self._mask, node + 1)
        self._mask[node] = True
        self._rows[node] = columns, values

    def split(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the positions of rows that are as loaded, and of those that changed."""
        changed = self._mask[nodes]
        return np.flatnonzero(~changed), np.flatnonzero(changed)

    def entries(self, nodes: np.ndarray, positions: np.ndarray) -> Entries:
        """Returns the entries of changed rows; `positions` are places in `nodes`."""
        found = [self._rows[node] for node in nodes[positions].tolist()]
        counts = [len(columns) for columns, _ in found]
        columns = [np.empty(0, np.int64), *(columns for columns, _ in found)]
        values = [np.empty(0, np.float32), *(values for _, values in found)]
        return np.repeat(positions, counts), np.concatenate(columns), np.concatenate(values)


class LiveRows:
    """The rows of `A + I`, one of which changes with every edge.

    Args:
        loaded: The rows as they were loaded. The arrays may be mapped from a file.
    """

    def __init__(self, loaded: Neighbors) -> None:
        self._loaded = loaded
        self._changes = Changes(loaded.num_nodes)
        self.sums = loaded.sums()  # of each row, float64; longer than the graph after growth

    def add_node(self, node: int) -> None:
        """Adds a row that holds a self-loop alone."""
        self._put(node, np.array([node]), np.ones(1, np.float32))

    def set(self, node: int, column: int, weight: float | None) -> None:
        """Sets an entry, or removes it if the weight is None."""
        columns, values = self.row(node)
        place = int(np.searchsorted(columns, column))
        is_there = place < len(columns) and columns[place] == column
        if is_there:
            columns, values = np.delete(columns, place), np.delete(values, place)
        if weight is not None:
            columns = np.insert(columns, place, column)
            values = np.insert(values, place, weight)
        self._put(node, columns, values)

    def row(self, node: int) -> tuple[np.ndarray, np.ndarray]:
        """Returns the columns and the values of one row."""
        if node in self._changes:
            return self._changes[node]
        first, last = (int(end) for end in self._loaded.indptr[node : node + 2])
        columns = np.asarray(self._loaded.indices[first:last], np.int64)
        if self._loaded.weights is None:
            return columns, np.ones(last - first, np.float32)
        return columns, np.array(self._loaded.weights[first:last])

    def entries(self, nodes: np.ndarray) -> Entries:
        """Returns the entries of some rows: the row's node, the column and the value of each."""
        same, changed = self._changes.split(nodes)
        counts, places = gather_rows(self._loaded.indptr, nodes[same])
        weights = self._loaded.weights
        values = np.ones(len(places), np.float32) if weights is None else weights[places]
        rows, columns, others = self._changes.entries(nodes, changed)
        return (
            np.concatenate([np.repeat(nodes[same], counts), nodes[rows]]),
            np.concatenate([self._loaded.indices[places].astype(np.int64), columns]),
            np.concatenate([values, others]),
        )

    def _put(self, node: int, columns: np.ndarray, values: np.ndarray) -> None:
        self._changes.put(node, columns, values)
        self.sums = grown(self.sums, node + 1)
        self.sums[node] = values.astype(np.float64).sum()


def grown(array: np.ndarray, size: int) -> np.ndarray:
    """Returns the array, or one with room for twice as much if it is shorter than `size`."""
    if size <= len(array):
        return array
    longer = np.zeros(2 * size, array.dtype)
    longer[: len(array)] = array
    return longer
