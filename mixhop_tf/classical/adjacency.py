"""The adjacency that classical methods read: symmetric, without self-loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.ops.neighbors import Neighbors


def plain_adjacency(graph: Any) -> sp.csr_array:
    """Returns `A` with the weights of the edges, float32 `[n, n]`, sorted and without diagonal.

    Args:
        graph: The graph. Directions are ignored.
    """
    rows = Neighbors.of(graph)
    with_loops = rows.rows(0, rows.num_nodes)
    adjacency = sp.csr_array(with_loops - sp.eye_array(rows.num_nodes, dtype="f4", format="csr"))
    adjacency.eliminate_zeros()
    adjacency.sort_indices()
    return adjacency


def without_edges_of(adjacency: sp.csr_array, nodes: np.ndarray) -> sp.csr_array:
    """Returns `A [n, n]` without the edges of some nodes.

    Args:
        adjacency: `A [n, n]`.
        nodes: Indices of the nodes.
    """
    kept = np.ones(adjacency.shape[0], adjacency.dtype)
    kept[nodes] = 0
    others = sp.diags_array(kept)
    remaining = sp.csr_array(others @ adjacency @ others)
    remaining.eliminate_zeros()
    remaining.sort_indices()
    return remaining
