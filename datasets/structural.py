"""Features for a graph that comes without any: what the edges alone tell of a node."""

from __future__ import annotations

import logging

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg

from datasets.checks import IntArray

log = logging.getLogger(__name__)

NUM_SPECTRAL = 16
_TOLERANCE = 1e-4
_DENSE_BELOW = 200  # nodes; the iteration wants more of them than eigenvectors


def structural_features(
    name: str, edges: IntArray, num_nodes: int
) -> tuple[sp.csr_array, tuple[str, ...]]:
    """`log(1 + degree)` and the leading eigenvectors of `Â`, with their names.

    `Â = D^-1/2 (A + I) D^-1/2`. The eigenvectors are scaled to a mean square of one, the entry of
    largest magnitude positive: nodes that many short walks join have similar entries.

    Args:
        name: What to call the graph in a message.
        edges: Each undirected edge once, `[m, 2]`.
        num_nodes: Number of nodes `n`.
    """
    degrees = np.bincount(edges.ravel(), minlength=num_nodes)
    vectors = _leading_eigenvectors(edges, degrees)
    log.info(
        "%s has no features: degrees and %d eigenvectors of the adjacency stand in",
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
        # Always from the same vector, so that the same graph has the same features.
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
    largest = np.abs(leading).argmax(axis=0)
    leading = leading * np.sign(leading[largest, np.arange(count)])
    return leading * np.sqrt(num_nodes)
