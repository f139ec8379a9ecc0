"""Scales rows to unit length."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from mixhop_tf.tensors import Matrix, Shape

EPSILON = 1e-12


def row_scale(x: Matrix, epsilon: float = EPSILON, order: int = 2) -> tf.Tensor:
    """Computes the scale of each row, `1 / sqrt(max(‖x_i‖₂², epsilon))`, `[n, 1]`.

    With `order` 1 it is `1 / max(‖x_i‖₁, epsilon)`. The computation takes place in float32 or
    more, because half precision cannot hold such a small epsilon. `x` is dense, or sparse with each
    entry stored once.
    """
    dtype = x.dtype
    x = tf.cast(x, tf.float32) if dtype.size < 4 else x
    measure = tf.square if order == 2 else tf.abs
    if isinstance(x, tf.SparseTensor):
        # A product with a column of ones is faster than a segment sum over the row indices.
        ones = tf.ones([tf.shape(x)[1], 1], x.dtype)
        sums = tf.sparse.sparse_dense_matmul(x.with_values(measure(x.values)), ones)
    else:
        sums = tf.reduce_sum(measure(x), axis=1, keepdims=True)
    sums = tf.maximum(sums, epsilon)
    scale = tf.math.rsqrt(sums) if order == 2 else 1.0 / sums
    # Zero times infinity would be NaN, so the scale stays finite.
    return tf.cast(tf.minimum(scale, tf.cast(dtype.max, scale.dtype)), dtype)


@keras.saving.register_keras_serializable("mixhop_tf")
class RowNormalize(keras.layers.Layer):
    """Scales each row to unit length: `y_i = x_i / sqrt(max(‖x_i‖₂², epsilon))`.

    With `order` 1 the magnitudes in a row add up to one instead. An all-zero row stays zero.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import RowNormalize
    >>> RowNormalize()(tf.constant([[3.0, 4.0], [0.0, 0.0]])).numpy()
    array([[0.6, 0.8],
           [0. , 0. ]], dtype=float32)

    Args:
        epsilon: Lower bound of the squared length, or of the sum of magnitudes; positive.
        order: The norm that becomes one: 2 for the length, 1 for the sum of magnitudes.

    Call arguments:
        inputs: A dense tensor, or a `tf.SparseTensor` that stores each entry once.

    Input shape: `[n, s]`. Output shape: the same.

    Reference: The original normalises the features after their dropout, with order 2. Kipf and
    Welling normalise them before it, with order 1.
    """

    def __init__(self, epsilon: float = EPSILON, order: int = 2, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if order not in (1, 2):
            raise ValueError(f"`order` must be 1 or 2. Received: order={order}")
        if epsilon <= 0:
            raise ValueError(f"`epsilon` must be positive. Received: epsilon={epsilon}")
        self.epsilon = epsilon
        self.order = order
        self.built = True

    def call(self, inputs: Matrix) -> Matrix:
        """Applies the formula of the layer."""
        scale = row_scale(inputs, self.epsilon, self.order)
        if not isinstance(inputs, tf.SparseTensor):
            return inputs * scale
        rows = inputs.indices[:, 0]
        return inputs.with_values(inputs.values * tf.gather(scale[:, 0], rows))

    def compute_output_shape(self, input_shape: Shape) -> Shape:
        """Returns the shape of the input."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {**super().get_config(), "epsilon": self.epsilon, "order": self.order}
