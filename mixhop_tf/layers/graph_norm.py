"""Normalises columns by the statistics of the graph that is passed in."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from mixhop_tf.tensors import Shape


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

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        """Applies the formula of the layer, and stores the statistics while `recording`."""
        if self.recording:
            self.store_statistics(inputs)
        mean, variance = (
            (self.mean, self.variance) if self.frozen else tf.nn.moments(inputs, axes=[0])
        )
        scale = tf.math.rsqrt(variance + self.epsilon)
        return inputs * scale + (self.beta - mean * scale)

    def store_statistics(self, inputs: tf.Tensor) -> None:
        """Stores the mean and variance of `inputs`, for use when frozen."""
        mean, variance = tf.nn.moments(inputs, axes=[0])
        self.mean.assign(mean)
        self.variance.assign(variance)

    def compute_output_shape(self, input_shape: Shape) -> Shape:
        """Returns the shape of the input."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {**super().get_config(), "epsilon": self.epsilon, "frozen": self.frozen}
