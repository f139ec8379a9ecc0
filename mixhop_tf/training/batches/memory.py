"""Estimates the memory of a training on the whole graph."""

from __future__ import annotations

from typing import Any

from mixhop_tf.architecture import Architecture
from mixhop_tf.baselines import Baseline
from mixhop_tf.ops.neighbors import count_entries

# Measured with graphs of up to ten million edges: the operator with what is made from it, and the
# columns of the layers with their gradients.
_PER_ENTRY, _PER_CELL = 150, 40


def whole_graph_bytes(graph: Any, architecture: Architecture | Baseline) -> int:
    """Estimates the bytes that a training takes if every step uses the whole graph.

    Args:
        graph: The graph.
        architecture: The architecture to train.
    """
    if isinstance(architecture, Architecture):
        columns = sum(layer.width for layer in architecture.layers)
    else:
        columns = architecture.hidden_width
    return _PER_ENTRY * count_entries(graph) + _PER_CELL * graph.num_nodes * columns
