"""Estimates the memory of a training on the whole graph."""

from __future__ import annotations

from typing import Any

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.ops.neighbors import count_entries, feature_matrix
from mixhop_tf.training.size import is_large, only_multiplies

# Bytes of an entry of the operator as a sparse tensor, with what is made from it, and of a cell of
# the layers with its gradients.
_PER_ENTRY, _PER_CELL = 150, 40
# The same of a large graph, whose layers are computed in blocks: an entry of a `RowOperator`, a
# cell that enters a product, and a feature. A training on a million nodes with 20 features, ten
# million edges and 75 columns took 1.9 GB, 0.7 of them for TensorFlow itself.
_PER_ROW_ENTRY, _PER_PRODUCT_CELL, _PER_FEATURE, _PER_SPARSE_FEATURE = 12, 32, 8, 40


def whole_graph_bytes(graph: Any, architecture: Architecture | Baseline) -> int:
    """Estimates the bytes that a training takes if every step uses the whole graph.

    Args:
        graph: The graph.
        architecture: The architecture to train.
    """
    if isinstance(architecture, Architecture):
        if is_large(graph) and only_multiplies(architecture):
            return _large_graph_bytes(graph, architecture)
        columns = sum(layer.width for layer in architecture.layers)
    else:
        columns = architecture.num_columns
    return _PER_ENTRY * count_entries(graph) + _PER_CELL * graph.num_nodes * columns


def _large_graph_bytes(graph: Any, architecture: Architecture) -> int:
    features, (first, *others) = feature_matrix(graph), architecture.layers
    columns = min(first.width, features.shape[1]) + sum(layer.width for layer in others)
    is_sparse = hasattr(features, "nnz")
    return (
        _PER_ROW_ENTRY * count_entries(graph)
        + _PER_PRODUCT_CELL * graph.num_nodes * columns
        + (_PER_SPARSE_FEATURE * features.nnz if is_sparse else _PER_FEATURE * features.size)
    )
