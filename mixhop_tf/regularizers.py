"""Penalties on kernels and output weights."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable("mixhop_tf")
class GroupLasso(keras.regularizers.Regularizer):
    """Penalises kernels with `lasso·Σ_columns ‖w_column‖₂ + l2·Σ w²`.

    The lasso drives whole columns to zero, and `l2` shrinks all weights. The gradient of an
    all-zero column's norm is defined as zero.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import GroupLasso
    >>> float(GroupLasso(lasso=2.0, l2=1.0)(tf.constant([[3.0, 0.0], [4.0, 0.0]])))
    35.0

    Args:
        lasso: Coefficient of the column norms.
        l2: Coefficient of the squared weights, without a factor ½.

    Reference: Section 4.2 of the paper; the original always adds both.
    """

    def __init__(self, lasso: float = 0.0, l2: float = 0.0) -> None:
        if lasso < 0 or l2 < 0:
            raise ValueError(
                f"`lasso` and `l2` must not be negative. Received: lasso={lasso}, l2={l2}"
            )
        self.lasso = lasso
        self.l2 = l2

    def __call__(self, x: Any) -> tf.Tensor:
        """Returns the penalty of a kernel `[s, d]`."""
        x = tf.convert_to_tensor(x)
        if not self.lasso:
            return 2.0 * self.l2 * tf.nn.l2_loss(x)

        @tf.custom_gradient
        def penalty(x: tf.Tensor) -> Any:
            squares = tf.reduce_sum(tf.square(x), axis=0)
            norms = tf.math.sqrt(squares)

            def gradient(upstream: tf.Tensor) -> tf.Tensor:
                # The norm of an all-zero column is 0, and dividing by it would give NaN.
                scale = tf.math.divide_no_nan(self.lasso, norms) + 2.0 * self.l2
                return x * (upstream * scale)

            return tf.reduce_sum(self.lasso * norms + self.l2 * squares), gradient

        return penalty(x)

    def get_config(self) -> dict[str, float]:
        """Returns the arguments of the constructor."""
        return {"lasso": self.lasso, "l2": self.l2}


@keras.saving.register_keras_serializable("mixhop_tf")
class MeanSquare(keras.regularizers.Regularizer):
    """Penalises weights with `coefficient · mean(w²)`.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf.regularizers import MeanSquare
    >>> float(MeanSquare(0.5)(tf.constant([1.0, 3.0])))
    2.5

    Args:
        coefficient: Weight of the penalty.

    Reference: The original's penalty on the output weights.
    """

    def __init__(self, coefficient: float) -> None:
        self.coefficient = coefficient

    def __call__(self, x: Any) -> tf.Tensor:
        """Returns the penalty of a weight of any shape."""
        return self.coefficient * tf.reduce_mean(tf.square(x))

    def get_config(self) -> dict[str, float]:
        """Returns the arguments of the constructor."""
        return {"coefficient": self.coefficient}
