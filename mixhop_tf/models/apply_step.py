"""Applies one step of a MixHop model."""

from __future__ import annotations

import keras

from mixhop_tf.layers import AttentiveMixHopLayer, GraphNorm, MixHopLayer, SparseDropout
from mixhop_tf.ops.sparse import shared_rows
from mixhop_tf.tensors import Matrix, Operator


def apply_step(
    step: keras.layers.Layer,
    h: Matrix,
    adjacency: Operator,
    training: bool = False,
    unit_rows: bool = False,
) -> Matrix:
    """Applies one of a model's `steps`."""
    if isinstance(step, AttentiveMixHopLayer):
        return step((h, adjacency), unit_rows=unit_rows, training=training)
    if isinstance(step, MixHopLayer):
        return step((h, adjacency), unit_rows=unit_rows)
    if isinstance(step, SparseDropout):
        return step(h, training=training)
    if isinstance(step, GraphNorm):
        return step(h, shared_rows(adjacency))
    return step(h)
