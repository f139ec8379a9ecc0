"""The rows of an adjacency with self-loops, in arrays that may be mapped from a file."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from mixhop_tf.errors import SettingError
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.mapped import release_pages
from mixhop_tf.ops.near_rows import fast_width, is_far, near_product

_BLOCK_ROWS = 100_000


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

    # Most entries and rows of a block that is multiplied at once.
    block_entries: ClassVar[int] = 2_000_000
    block_rows: ClassVar[int] = 100_000

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

    def rows(self, start: int, stop: int) -> Any:
        """Returns the rows from `start` to `stop` of `A + I`, float32 `[stop - start, n]`."""
        first, last = int(self.indptr[start]), int(self.indptr[stop])
        values = np.ones(last - first, np.float32)
        if self.weights is not None:
            values = np.asarray(self.weights[first:last])
        indices = np.asarray(self.indices[first:last])
        indptr = np.asarray(self.indptr[start : stop + 1] - first).astype(indices.dtype)
        return sp.csr_array((values, indices, indptr), shape=(stop - start, self.num_nodes))

    def times(self, start: int, stop: int, dense: np.ndarray, result: np.ndarray) -> None:
        """Multiplies the rows from `start` to `stop` of `A + I` by `D [n, k]`.

        Args:
            start, stop: The rows.
            dense: `D`, float32 `[n, k]`.
            result: Array for the first columns of the product, `[stop - start, d]`.
        """
        if not is_far(dense):
            result[:] = (self.rows(start, stop) @ dense)[:, : result.shape[1]]
            return
        first, last = int(self.indptr[start]), int(self.indptr[stop])
        weights = None if self.weights is None else np.asarray(self.weights[first:last])
        indptr = np.asarray(self.indptr[start : stop + 1], np.int64) - first
        near_product(indptr, np.asarray(self.indices[first:last]), weights, dense, result)
        release_pages(self.indices)

    def fast_width(self, width: int) -> int:
        """Returns the number of columns, at least `width`, with which `times` is fastest."""
        return fast_width(self.num_nodes, width)

    def sums(self) -> np.ndarray:
        """Computes the sum of each row of `A + I`, float64 `[n]`."""
        if self.weights is None:
            return np.diff(self.indptr).astype(np.float64)
        result = np.empty(self.num_nodes)
        for start in range(0, self.num_nodes, _BLOCK_ROWS):
            stop = min(start + _BLOCK_ROWS, self.num_nodes)
            ends = np.asarray(self.indptr[start : stop + 1])
            values = np.asarray(self.weights[ends[0] : ends[-1]], np.float64)
            # Every row has an entry, its self-loop, so no segment is empty.
            result[start:stop] = np.add.reduceat(values, ends[:-1] - ends[0])
        return result


def spec_rows(
    graph: Any, spec: AdjacencySpec, *, weighted: bool
) -> list[tuple[Neighbors, Neighbors | None]]:
    """Returns the rows that an `AdjacencySpec` asks for, each with those of the transposed matrix.

    Args:
        graph: The graph.
        spec: The direction, among others.
        weighted: Whether the weights of the edges count.

    Returns:
        One pair, or two for the direction `both`. The second of a pair is None if the matrix is
        symmetric.
    """
    opposite = {"in": "out", "out": "in"}
    directions = ("in", "out") if spec.direction == "both" else (spec.direction,)
    found: dict[str, Neighbors] = {}
    for direction in {*directions, *(opposite[each] for each in directions if each in opposite)}:
        rows = Neighbors.of(graph, direction)
        found[direction] = rows if weighted else Neighbors(rows.indptr, rows.indices)
    return [(found[each], found.get(opposite.get(each, ""))) for each in directions]


def scales(
    rows: Neighbors, spec: AdjacencySpec, transposed: Neighbors | None = None
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Computes what normalisation multiplies the columns and the rows of `A` or `A + I` by.

    Args:
        rows: The rows of `A + I`.
        spec: Normalisation, and whether there are self-loops.
        transposed: The rows of the transposed matrix, for the sums of the columns. By default the
            matrix is symmetric.

    Returns:
        The factors of the columns and of the rows, float32 `[n]`, or None where all are one.
    """
    if spec.normalization == "none":
        return None, None
    loops = 0.0 if spec.self_loops else 1.0
    sums = rows.sums() - loops
    if spec.normalization == "row":
        return None, _power(sums, -1.0)
    after = _power(sums, -0.5)
    return (after if transposed is None else _power(transposed.sums() - loops, -0.5)), after


def _power(sums: np.ndarray, exponent: float) -> np.ndarray:
    """Computes `sums ** exponent` as float32; a row without entries gets zero."""
    with np.errstate(divide="ignore"):
        return np.where(sums > 0, sums**exponent, 0.0).astype(np.float32)


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
