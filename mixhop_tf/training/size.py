"""Decides, without TensorFlow, which graphs are large."""

from __future__ import annotations

from typing import Any

from mixhop_tf.architecture import Architecture
from mixhop_tf.baselines import Baseline

# From so many nodes on, a graph is large. Its runs differ in their last digits from those of the
# same graph by the other way, so another value would change results.
MANY_NODES = 200_000


def is_large(graph: Any) -> bool:
    """Says whether a graph has so many nodes that memory counts."""
    return graph.num_nodes >= MANY_NODES


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
