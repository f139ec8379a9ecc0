"""Estimates the memory of a training on the whole graph."""

from __future__ import annotations

from typing import Any

from mixhop_tf.architecture import Architecture
from mixhop_tf.baselines import Baseline
from mixhop_tf.ops.neighbors import count_entries
from mixhop_tf.training.size import is_large, only_multiplies

# Bytes of an entry of the operator as a sparse tensor, with what is made from it; the same of a
# `RowOperator`; and of a cell of the layers with its gradients. A training on a million nodes, ten
# million edges and 75 columns took 3.0 GB, 0.4 of them for TensorFlow itself.
_PER_ENTRY, _PER_ROW_ENTRY, _PER_CELL = 150, 8, 40


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
    per_entry = _PER_ROW_ENTRY if is_large(graph) and only_multiplies(architecture) else _PER_ENTRY
    return per_entry * count_entries(graph) + _PER_CELL * graph.num_nodes * columns
