"""How many nodes a served model takes."""

from __future__ import annotations

# A sparse request may name ten times as many nodes as the training graph has, or 100,000.
_GROWTH, _MIN_LIMIT = 10, 100_000


def max_served_nodes(num_nodes: int) -> int:
    """Returns the largest number of nodes in a sparse request by default.

    Args:
        num_nodes: Number of nodes of the training graph.
    """
    return max(_MIN_LIMIT, _GROWTH * num_nodes)
