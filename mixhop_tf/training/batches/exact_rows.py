"""Rows of the whole graph's adjacency at some of its nodes, and products with them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.neighbors import Neighbors, scales
from mixhop_tf.training.batches.subgraph import neighbours_of

_ROWS = 50_000  # of a product that are read at once
_CELLS = 1 << 26  # of the columns that are multiplied at once


class Places(NamedTuple):
    """Entries of a sparse matrix.

    Attributes:
        rows, columns: Nodes of the entries, `[k]`.
        values: float32 `[k]`.
    """

    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray


class ExactRows:
    """Reads rows of `Â`, normalised by the degrees of the whole graph.

    Args:
        rows: The rows of `A + I`.
        spec: How the adjacency is made.
        transposed: The rows of the transposed matrix. By default the matrix is symmetric.
    """

    def __init__(
        self, rows: Neighbors, spec: AdjacencySpec, transposed: Neighbors | None = None
    ) -> None:
        self._rows, self._self_loops = rows, spec.self_loops
        self._before, self._after = scales(rows, spec, transposed)

    @property
    def num_nodes(self) -> int:
        """Number of nodes `n` of the whole graph."""
        return self._rows.num_nodes

    def entries(
        self, nodes: np.ndarray, most: int | None = None, rng: np.random.Generator | None = None
    ) -> Places:
        """Reads the rows of some nodes.

        Args:
            nodes: The nodes `[m]`.
            most: Number of entries that a row has at most. A longer row is replaced by a sample,
                whose values are scaled up so that every sum over the row keeps its expectation.
            rng: Draws the sample.
        """
        starts = np.asarray(self._rows.indptr[nodes], np.int64)
        counts = np.asarray(self._rows.indptr[nodes + 1], np.int64) - starts
        if most is None or rng is None:
            owners, places = neighbours_of(self._rows, nodes)
            factors = None
        else:
            owners, places = _sampled(starts, counts, most, rng)
            factors = np.maximum(counts / most, 1.0).astype(np.float32)
        columns = np.asarray(self._rows.indices[places], np.int64)
        values = np.ones(len(columns), np.float32)
        if self._rows.weights is not None:
            values *= self._rows.weights[places]
        if self._before is not None:
            values *= self._before[columns]
        if self._after is not None:
            values *= self._after[nodes][owners]
        if factors is not None:
            values *= factors[owners]
        rows = nodes[owners]
        if self._self_loops:
            return Places(rows, columns, values)
        kept = rows != columns
        return Places(rows[kept], columns[kept], values[kept])

    def neighbourhood(self, nodes: np.ndarray) -> np.ndarray:
        """Returns the nodes and all their neighbours, in ascending order."""
        found = np.zeros(self.num_nodes, bool)
        for some in _blocks(nodes):
            found[self._rows.indices[neighbours_of(self._rows, some)[1]]] = True
        return np.flatnonzero(found)

    def times(self, nodes: np.ndarray, columns: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Computes the rows `nodes` of `Â X`, where `x` has the rows `columns` of `X`."""
        result = np.empty((len(nodes), x.shape[1]), np.float32)
        positions = np.full(self.num_nodes, -1, np.int32)
        positions[columns] = np.arange(len(columns), dtype=np.int32)
        start = 0
        for some in _blocks(nodes):
            rows, others, values = self.entries(some)
            ends = np.searchsorted(rows, some, side="right")
            indptr = np.concatenate([[0], ends]).astype(np.int32)
            matrix = sp.csr_array((values, positions[others], indptr), (len(some), len(columns)))
            result[start : start + len(some)] = matrix @ x
            start += len(some)
        return result


def field(
    operators: Sequence[ExactRows],
    needs: Sequence[tuple[int, np.ndarray]],
    most: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, list[Places]]:
    """Collects all that products with `Â`, one after the other, need for the rows of some nodes.

    Args:
        operators: The adjacency, or the forward and the backward one.
        needs: Numbers of products, each with the nodes whose rows need so many.
        most: Number of entries that a row has at most; see `ExactRows.entries`.
        rng: Draws samples of longer rows.

    Returns:
        The nodes of the field in ascending order, and for each operator the entries of their rows.
        The outermost nodes have none.
    """
    none = np.empty(0, np.int64)
    known, reached = none, none
    found = [[Places(none, none, np.empty(0, np.float32))] for _ in operators]
    for left in range(max(count for count, _ in needs), -1, -1):
        begun = [nodes for count, nodes in needs if count == left]
        front = np.setdiff1d(np.concatenate([reached, *begun]), known)
        known = np.union1d(known, front)
        if not left:
            break
        for operator, parts in zip(operators, found, strict=True):
            parts.append(operator.entries(front, most, rng))
        reached = np.concatenate([parts[-1].columns for parts in found])
    joined = [Places(*map(np.concatenate, zip(*parts, strict=True))) for parts in found]
    return known, joined


def hops_at(
    operators: Sequence[ExactRows],
    powers: Sequence[int],
    read: Callable[[np.ndarray], np.ndarray | sp.csr_array],
    nodes: np.ndarray,
) -> list[np.ndarray]:
    """Computes the rows `nodes` of `Â^j X` for each power `j`, exactly; -j means backward.

    Args:
        operators: The adjacency, or the forward and the backward one.
        powers: The powers.
        read: Reads rows of `X`.
        nodes: Nodes in ascending order, `[m]`.

    Returns:
        For each power an array `[m, s]`.
    """
    found = {0: _read(read, nodes)}
    for sign, operator in zip((1, -1), operators, strict=False):
        depth = max(0, *(sign * power for power in powers))
        levels = [nodes]
        for _ in range(depth):
            levels.append(operator.neighbourhood(levels[-1]))
        width = found[0].shape[1]
        made = [np.empty((len(nodes), width), np.float32) for _ in range(depth)]
        step = max(1, _CELLS // max(1, len(levels[-1])))
        for first in range(0, width if depth else 0, step):
            x = _read(read, levels[-1], slice(first, first + step))
            for power, (inner, outer) in enumerate(itertools.pairwise(reversed(levels)), 1):
                x = operator.times(outer, inner, x)
                made[power - 1][:, first : first + step] = x[np.searchsorted(outer, nodes)]
        found |= {sign * power: array for power, array in enumerate(made, 1)}
    return [found[power] for power in powers]


def _sampled(
    starts: np.ndarray, counts: np.ndarray, most: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draws at most so many places of each row: one from each of `most` equal pieces of it."""
    kept = np.minimum(counts, most)
    owners = np.repeat(np.arange(len(starts)), kept)
    ranks = np.arange(len(owners)) - np.repeat(np.cumsum(kept) - kept, kept)
    long = (counts > most)[owners]
    spread = ((ranks + rng.random(len(owners))) * (counts[owners] / most)).astype(np.int64)
    places = starts[owners] + np.where(long, np.minimum(spread, counts[owners] - 1), ranks)
    return owners, places


def _blocks(nodes: np.ndarray) -> list[np.ndarray]:
    return [nodes[start : start + _ROWS] for start in range(0, len(nodes), _ROWS)]


def _read(
    read: Callable[[np.ndarray], np.ndarray | sp.csr_array],
    nodes: np.ndarray,
    columns: slice = slice(None),
) -> np.ndarray:
    """Reads some columns of some rows, a few rows at once, as a dense array."""
    parts = []
    for some in _blocks(nodes):
        rows = read(some)[:, columns]
        parts.append(np.array(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float32))
    return np.concatenate(parts)
