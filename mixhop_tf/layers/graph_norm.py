"""Normalises columns by the statistics of the graph that is passed in."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from mixhop_tf.limits import are_many
from mixhop_tf.tensors import Shape

_ROWS_AT_ONCE = 1_024


@keras.saving.register_keras_serializable("mixhop_tf")
class GraphNorm(keras.layers.Layer):
    """Normalises each column over the nodes: `y = (x - mean) / sqrt(variance + epsilon) + beta`.

    The mean and the biased variance are those of the graph that is passed in, both in training and
    in inference. So the output of a node depends on all nodes of its graph. There is no learned
    scale. For serving, `mixhop_tf.freeze_statistics` stores the training graph's statistics, and a
    frozen layer uses them.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import GraphNorm
    >>> GraphNorm(epsilon=1e-12)(tf.constant([[1.0], [3.0]])).numpy().round(3).tolist()
    [[-1.0], [1.0]]

    Args:
        epsilon: Small positive number that is added to the variance.
        frozen: Whether the layer uses the stored statistics.

    Call arguments:
        inputs: The columns.
        operator: The operator of the graph. One whose rows are on several workers knows the
            moments of all of them.

    Input shape: `[n, s]`. Output shape: the same.

    Reference: The original's batch norm.
    """

    def __init__(self, epsilon: float = 1e-3, frozen: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if epsilon <= 0:
            raise ValueError(f"`epsilon` must be positive. Received: epsilon={epsilon}")
        self.epsilon = epsilon
        self.frozen = frozen
        self.recording = False

    def build(self, input_shape: Shape) -> None:
        """Adds the offset and the weights that store statistics."""
        width = (input_shape[-1],)
        self.beta = self.add_weight(name="beta", shape=width, initializer="zeros")
        self.mean = self.add_weight(name="mean", shape=width, initializer="zeros", trainable=False)
        self.variance = self.add_weight(
            name="variance", shape=width, initializer="ones", trainable=False
        )
        self.built = True

    def call(self, inputs: tf.Tensor, operator: Any = None) -> tf.Tensor:
        """Applies the formula of the layer, and stores the statistics while `recording`."""
        if self.recording:
            self.store_statistics(inputs, operator)
        if not self.frozen and hasattr(operator, "normalized"):
            return operator.normalized(inputs, self.beta, self.epsilon)
        if not self.frozen and are_many(inputs.shape[0]):
            return _normalized(inputs, self.beta, self.epsilon)
        mean, variance = (
            (self.mean, self.variance) if self.frozen else tf.nn.moments(inputs, axes=[0])
        )
        scale = tf.math.rsqrt(variance + self.epsilon)
        return inputs * scale + (self.beta - mean * scale)

    def store_statistics(self, inputs: tf.Tensor, operator: Any = None) -> None:
        """Stores the mean and variance of `inputs`, for use when frozen."""
        alone = exact_moments if are_many(inputs.shape[0]) else _moments
        mean, variance = getattr(operator, "moments", alone)(inputs)
        self.mean.assign(mean)
        self.variance.assign(variance)

    def compute_output_shape(self, input_shape: Shape) -> Shape:
        """Returns the shape of the input."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {**super().get_config(), "epsilon": self.epsilon, "frozen": self.frozen}


def _moments(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    return tf.nn.moments(x, axes=[0])


def exact_moments(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Computes the mean and the biased variance of each column, added up in double precision."""
    mean = column_means(x)
    return mean, column_means(tf.math.squared_difference(x, mean))


def column_means(x: tf.Tensor) -> tf.Tensor:
    """Computes the mean of each column `[d]`: float32 sums of a few rows, then float64 sums."""
    n = x.shape[0]
    whole = n - n % _ROWS_AT_ONCE
    blocks = tf.reshape(x[:whole], [-1, _ROWS_AT_ONCE, x.shape[1]])
    sums = tf.reduce_sum(tf.cast(tf.reduce_sum(blocks, axis=1), tf.float64), axis=0)
    rest = tf.reduce_sum(tf.cast(x[whole:], tf.float64), axis=0)
    return tf.cast((sums + rest) / n, x.dtype)


def _normalized(x: tf.Tensor, beta: tf.Tensor, epsilon: float) -> tf.Tensor:
    """Normalises the columns of many rows, and keeps nothing but `x` for the gradient."""

    @tf.custom_gradient
    def normalized(x: tf.Tensor, beta: tf.Tensor) -> tuple[tf.Tensor, object]:
        mean, variance = exact_moments(x)
        scale = tf.math.rsqrt(variance + epsilon)

        def gradient(g: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            slope = column_means(g)
            tilt = column_means(g * (x - mean)) * tf.square(scale)
            return scale * (g - slope - (x - mean) * tilt), slope * x.shape[0]

        return x * scale + (beta - mean * scale), gradient

    return normalized(x, tf.convert_to_tensor(beta))
