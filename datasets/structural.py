"""Computes features from the edges, for a graph that has none."""

from __future__ import annotations

import logging

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg

from datasets.checks import IntArray
from datasets.errors import DataError
from datasets.local_structure import local_features

log = logging.getLogger(__name__)

STAND_INS = SPECTRAL, LOCAL = "spectral", "local"
NUM_SPECTRAL = 16
_TOLERANCE = 1e-4
_NEARLY = 1 - 1e-6
_DENSE_BELOW = 200  # nodes; the iterative solver needs more nodes than eigenvectors


def structural_features(
    name: str, edges: IntArray, num_nodes: int, kind: str = SPECTRAL
) -> tuple[sp.csr_array, tuple[str, ...]]:
    """Computes features that stand in for missing ones.

    `spectral`: `log(1 + degree)` and the leading eigenvectors of `Â = D^-1/2 (A + I) D^-1/2`. Each
    eigenvector is scaled to a mean square of one, and the first of its entries of largest magnitude
    is positive. Nodes that many short walks connect have similar entries. All entries change with
    the graph.

    `local`: see `local_structure.py`. An entry changes only if the graph changes nearby.

    Args:
        name: Name of the graph in messages.
        edges: Each undirected edge once, `[m, 2]`.
        num_nodes: Number of nodes `n`.
        kind: `spectral` or `local`.

    Returns:
        The features `[n, s]`, and the names of the columns.
    """
    if kind not in STAND_INS:
        raise DataError(f"Unknown stand-ins {kind!r}; choose one of {', '.join(STAND_INS)}.")
    degrees = np.bincount(edges.ravel(), minlength=num_nodes)
    if kind == LOCAL:
        log.info("%s has no features; degrees and random walks are used instead", name)
        return local_features(edges, degrees)
    vectors = _leading_eigenvectors(edges, degrees)
    log.info(
        "%s has no features; its degrees and %d eigenvectors of the adjacency are used instead",
        name,
        vectors.shape[1],
    )
    columns = np.column_stack([np.log1p(degrees), vectors]).astype(np.float32)
    names = ("log_degree", *(f"spectral_{i}" for i in range(1, vectors.shape[1] + 1)))
    return sp.csr_array(columns), names


def _leading_eigenvectors(edges: IntArray, degrees: IntArray) -> np.ndarray:
    num_nodes = len(degrees)
    loops = np.arange(num_nodes)
    rows = np.concatenate([edges[:, 0], edges[:, 1], loops])
    columns = np.concatenate([edges[:, 1], edges[:, 0], loops])
    scale = 1 / np.sqrt(degrees + 1.0)
    adjacency = sp.csr_array((scale[rows] * scale[columns], (rows, columns)), (num_nodes,) * 2)
    count = min(NUM_SPECTRAL, num_nodes)
    if num_nodes < _DENSE_BELOW:
        values, vectors = np.linalg.eigh(adjacency.toarray())
    else:
        # A fixed starting vector gives the same graph the same features.
        rng = np.random.default_rng(0)
        values, vectors = scipy.sparse.linalg.eigsh(
            adjacency,
            count,
            which="LA",
            v0=rng.standard_normal(num_nodes),
            tol=_TOLERANCE,
            rng=rng,
        )
    leading = vectors[:, np.argsort(-values, kind="stable")[:count]]
    # In a symmetric graph entries differ in their sign alone, up to rounding: the first one counts.
    sizes = np.abs(leading)
    largest = (sizes >= _NEARLY * sizes.max(axis=0)).argmax(axis=0)
    leading = leading * np.sign(leading[largest, np.arange(count)])
    return leading * np.sqrt(num_nodes)
