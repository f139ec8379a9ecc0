"""From which size on a graph is large, and how many nodes a served model takes."""

from __future__ import annotations

# A sparse request may name ten times as many nodes as the training graph has, or 100,000.
_GROWTH, _MIN_LIMIT = 10, 100_000
# From so many rows on, memory counts, and float32 sums lose digits. Other operations are used then,
# whose results differ in their last digits, so another value would change the runs on record.
MANY_ROWS = 200_000


def are_many(num_rows: int | None) -> bool:
    """Says whether a matrix or a graph has many rows. A number that is not known is small."""
    return num_rows is not None and num_rows >= MANY_ROWS


def max_served_nodes(num_nodes: int) -> int:
    """Returns the largest number of nodes in a sparse request by default.

    Args:
        num_nodes: Number of nodes of the training graph.
    """
    return max(_MIN_LIMIT, _GROWTH * num_nodes)
