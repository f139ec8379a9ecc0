"""Scales columns to mean zero and deviation one."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf.tensors import Matrix, Shape

_ROWS = 1 << 17  # rows that are read at once: they may be mapped, and float64 takes twice as much


@keras.saving.register_keras_serializable("mixhop_tf")
class Standardize(keras.layers.Layer):
    """Standardises each column: `y_j = (x_j - mean_j) / deviation_j`.

    Mean and deviation are those of the training graph: call `adapt` with its features before you
    call the layer. The statistics are weights, so they are saved with the model. A column that is
    constant in the training graph has the deviation one. The output is dense.

    Example:
    >>> import numpy as np
    >>> from mixhop_tf import Standardize
    >>> layer = Standardize(2)
    >>> layer.adapt(np.array([[1.0, 5.0], [3.0, 5.0]]))
    >>> layer(np.array([[1.0, 5.0], [5.0, 6.0]])).numpy()
    array([[-1.,  0.],
           [ 3.,  1.]], dtype=float32)

    Args:
        num_features: Number of columns `s` of the input.

    Call arguments:
        inputs: A dense tensor or a `tf.SparseTensor`.

    Input shape: `[n, s]`. Output shape: the same.
    """

    def __init__(self, num_features: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.num_features = num_features
        shape = {"shape": (num_features,), "trainable": False, "dtype": "float32"}
        self.mean = self.add_weight(name="mean", initializer="zeros", **shape)
        # Zero marks missing statistics, because `adapt` never stores a deviation of zero.
        self.deviation = self.add_weight(name="deviation", initializer="zeros", **shape)
        self.built = True

    def adapt(self, features: np.ndarray | sp.csr_array) -> None:
        """Stores the mean and the deviation of each column.

        Args:
            features: Features of the training graph `[n, s]`, an array or a SciPy sparse array.
        """
        num_nodes = features.shape[0]
        sums = [_sums(features[i : i + _ROWS]) for i in range(0, num_nodes, _ROWS)]
        mean, square = (sum(each) / num_nodes for each in zip(*sums, strict=True))
        variance = np.maximum(square - mean**2, 0.0)
        deviation = np.sqrt(variance)
        # Rounding can leave a constant column a tiny deviation, which counts as zero.
        constant = (variance <= 1e-12 * square) | (deviation < np.finfo(np.float32).tiny)
        self.mean.assign(mean)
        self.deviation.assign(np.where(constant, 1.0, deviation))

    def call(self, inputs: Matrix) -> tf.Tensor:
        """Applies the formula of the layer."""
        self.check_adapted()
        if isinstance(inputs, tf.SparseTensor):
            inputs = tf.sparse.to_dense(inputs)
        wide = tf.cast(inputs, tf.float32) if inputs.dtype.size < 4 else inputs
        mean, deviation = (
            tf.cast(weight, wide.dtype) for weight in (self.mean.value, self.deviation.value)
        )
        return tf.cast((wide - mean) / deviation, inputs.dtype)

    def check_adapted(self) -> None:
        """Raises a `ValueError` if the layer has no statistics yet.

        Inside a `tf.function` the check runs when the function is traced.
        """
        deviation = self.deviation.value
        with tf.init_scope():
            if not tf.executing_eagerly() or not isinstance(deviation, tf.Variable):
                return  # values cannot be read inside a graph or a scope of Keras
            if not np.any(deviation.numpy()):
                raise ValueError(
                    f"`{self.name}` has no statistics of the features yet; call `adapt` with the "
                    "training graph's features first, or load weights that contain them."
                )

    def compute_output_shape(self, input_shape: Shape) -> Shape:
        """Returns the shape of the input."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {**super().get_config(), "num_features": self.num_features}


def _sums(features: np.ndarray | sp.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Adds up the columns and their squares."""
    # Double precision, because the deviation may be much smaller than the mean.
    features = features.astype(np.float64)
    squares = features.multiply(features) if hasattr(features, "multiply") else features**2
    total, square = (np.asarray(values.sum(axis=0)).ravel() for values in (features, squares))
    return total, square
