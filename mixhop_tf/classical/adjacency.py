"""The adjacency that classical methods read: symmetric, without self-loops."""

from __future__ import annotations

from typing import Any

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
