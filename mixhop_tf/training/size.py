"""Decides, without TensorFlow, which graphs are large."""

from __future__ import annotations

from typing import Any

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.limits import are_many


def is_large(graph: Any) -> bool:
    """Says whether a graph has so many nodes that memory counts."""
    return are_many(graph.num_nodes)


def only_multiplies(architecture: Architecture | Baseline) -> bool:
    """Says whether a model takes every operator that can multiply.

    Attention reads the entries, and so does a receptive field, which models without batch norm
    have.
    """
    return (
        isinstance(architecture, Architecture)
        and not architecture.has_attention
        and any(layer.batch_norm for layer in architecture.layers)
    )
