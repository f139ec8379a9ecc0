"""Relu and dropout of many rows with one array kept for the gradient, instead of three."""

from __future__ import annotations

from collections.abc import Sequence

import keras
import tensorflow as tf

from mixhop_tf.layers import SparseDropout
from mixhop_tf.layers.graph_norm import MANY_ROWS


def can_join(steps: Sequence[keras.layers.Layer], h: tf.Tensor) -> bool:
    """Says whether these steps are a relu and a dropout, and `h` has many rows."""
    if len(steps) != 2:
        return False
    first, second = steps
    return (
        isinstance(first, keras.layers.Activation)
        and first.activation is keras.activations.relu
        and isinstance(second, SparseDropout)
        and second.rate > 0
        and h.shape[0] is not None
        and h.shape[0] >= MANY_ROWS
    )


def relu_dropout(h: tf.Tensor, dropout: SparseDropout) -> tf.Tensor:
    """Computes `dropout(relu(h))` in training.

    An entry of the result is zero if relu or dropout makes it so, and its gradient is then zero,
    too. So the result itself tells the gradient.
    """

    @tf.custom_gradient
    def joined(h: tf.Tensor) -> tuple[tf.Tensor, object]:
        kept = tf.where(dropout.keep(h), tf.nn.relu(h), tf.zeros([], h.dtype))
        result = kept * dropout.scale

        def gradient(g: tf.Tensor) -> tf.Tensor:
            # Unlike `tf.where`, this op can write into the memory of `g`.
            return tf.raw_ops.ReluGrad(gradients=g, features=result) * dropout.scale

        return result, gradient

    return joined(h)
