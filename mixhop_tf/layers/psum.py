"""Adds up column groups with learned weights, as an output layer."""

from __future__ import annotations

import warnings
from typing import Any

import keras
import tensorflow as tf

from mixhop_tf.regularizers import MeanSquare
from mixhop_tf.tensors import Shape


@keras.saving.register_keras_serializable("mixhop_tf")
class PsumOutput(keras.layers.Layer):
    """Adds up groups of `c` columns: `y = Σ_k softmax(q)_k · x[:, k·c : (k+1)·c]`.

    There are `K = floor(s / c)` groups. The layer ignores columns past `K·c` and warns about them.
    The weights `q` let the model learn which groups, and so which powers, matter. They start at
    zero and have the penalty `penalty · mean(q²)`.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import PsumOutput
    >>> PsumOutput(num_classes=2)(tf.constant([[1.0, 2.0, 3.0, 6.0]])).numpy().tolist()
    [[2.0, 4.0]]

    Args:
        num_classes: Number of classes `c`.
        penalty: Weight of the penalty on `q`.

    Input shape: `[n, s]` with `s ≥ c`. Output shape: `[n, c]`.

    Reference: Section 4.1 of the paper.
    """

    def __init__(self, num_classes: int, penalty: float = 1e-3, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if num_classes < 1:
            raise ValueError(f"`num_classes` must be positive. Received: num_classes={num_classes}")
        self.num_classes = num_classes
        self.penalty = penalty

    def build(self, input_shape: Shape) -> None:
        """Adds `q`."""
        width = input_shape[-1] or 0
        num_groups = width // self.num_classes
        if not num_groups:
            raise ValueError(
                f"The input must have at least one column for each of the {self.num_classes} "
                f"classes. Received: input_shape={input_shape}"
            )
        wasted = width - num_groups * self.num_classes
        if wasted:
            warnings.warn(
                f"{self.name} ignores {wasted} of its {width} columns, because they do not fill a "
                f"group of {self.num_classes} classes.",
                stacklevel=2,
            )
        self.q = self.add_weight(
            name="q",
            shape=(num_groups,),
            initializer="zeros",
            regularizer=MeanSquare(self.penalty) if self.penalty else None,
        )
        self.built = True

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        """Applies the formula of the layer."""
        # Identity blocks times softmax(q), [K·c, c], make it one small product.
        num_used = self.q.shape[0] * self.num_classes
        blocks = tf.nn.softmax(self.q)[:, tf.newaxis, tf.newaxis] * tf.eye(
            self.num_classes, dtype=inputs.dtype
        )
        used = inputs if inputs.shape[1] == num_used else inputs[:, :num_used]
        return tf.matmul(used, tf.reshape(blocks, [num_used, self.num_classes]))

    def compute_output_shape(self, input_shape: Shape) -> Shape:
        """Returns `[n, c]`."""
        return (*input_shape[:-1], self.num_classes)

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {**super().get_config(), "num_classes": self.num_classes, "penalty": self.penalty}
