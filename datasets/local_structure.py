"""Computes features of each node from the edges near it, for a graph that has none and may grow."""

from __future__ import annotations

import itertools

import numpy as np
import scipy.sparse as sp

from datasets.checks import IntArray

STEPS = 4  # of a random walk; a step more needs rows of `S^3`, which fill up on most graphs
_ENTRIES_AT_ONCE = 20_000_000  # of rows of `S^2`


def local_features(edges: IntArray, degrees: IntArray) -> tuple[sp.csr_array, tuple[str, ...]]:
    """Computes degrees, degrees of neighbours, and return probabilities of random walks.

    The columns are `log(1 + degree)`, the mean of that over the neighbours, and the probability
    that a random walk from the node is back after 2, 3 and 4 steps. A new edge changes them only
    within two hops of its ends.

    The return probabilities are `diag(P^t)` for `P = D^-1 A`. They equal `diag(S^t)` for the
    symmetric `S = D^-1/2 A D^-1/2`, so that `diag(S^4) = Σ_j (S^2)_ij²` and
    `diag(S^3) = Σ_j (S^2)_ij S_ij`. The rows of `S^2` are computed in blocks, to bound the memory.

    Args:
        edges: Each undirected edge once, `[m, 2]`.
        degrees: Number of neighbours of each node, `[n]`.

    Returns:
        The features `[n, 5]`, and the names of the columns.
    """
    num_nodes = len(degrees)
    scale = np.divide(1, np.sqrt(degrees), out=np.zeros(num_nodes), where=degrees > 0)
    rows, columns = (np.concatenate([edges[:, i], edges[:, 1 - i]]) for i in (0, 1))
    shape = (num_nodes, num_nodes)
    walk = sp.csr_array((scale[rows] * scale[columns], (rows, columns)), shape)
    returns = np.zeros((num_nodes, STEPS - 1))
    returns[:, 0] = _dots(walk, walk)
    for start, end in _blocks(walk, degrees):
        near = walk[start:end]
        two = sp.csr_array(near @ walk)
        returns[start:end, 1] = _dots(two, near)
        returns[start:end, 2] = _dots(two, two)
    log_degrees = np.log1p(degrees)
    sums = np.bincount(rows, log_degrees[columns], minlength=num_nodes)
    around = np.divide(sums, degrees, out=np.zeros(num_nodes), where=degrees > 0)
    table = np.column_stack([log_degrees, around, returns]).astype(np.float32)
    names = ("log_degree", "neighbour_log_degree", *(f"return_{t}" for t in range(2, STEPS + 1)))
    return sp.csr_array(table), names


def _dots(first: sp.csr_array, second: sp.csr_array) -> np.ndarray:
    """The sum over each row of the products of entries."""
    return np.asarray(first.multiply(second).sum(axis=1)).ravel()


def _blocks(walk: sp.csr_array, degrees: IntArray) -> list[tuple[int, int]]:
    """Ranges of rows whose entries of `S^2` fit into memory together."""
    # Row i of S² has at most Σ_{j ∈ N(i)} degree_j entries, and at most n.
    adjacency = sp.csr_array((np.ones(len(walk.data)), walk.indices, walk.indptr), walk.shape)
    most = np.minimum(adjacency @ degrees.astype(float), len(degrees))
    ends = np.cumsum(most) // _ENTRIES_AT_ONCE
    cuts = [0, *(np.flatnonzero(np.diff(ends)) + 1).tolist(), len(degrees)]
    return list(itertools.pairwise(cuts))
