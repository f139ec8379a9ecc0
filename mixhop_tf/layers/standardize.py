"""Columns of mean zero and deviation one."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf.tensors import Matrix, Shape


@keras.saving.register_keras_serializable("mixhop_tf")
class Standardize(keras.layers.Layer):
    """Scales each column by what it was like in training: `y_j = (x_j - mean_j) / deviation_j`.

    The layer must `adapt` to the training graph's features before it is called. The statistics are
    weights, so that they are saved with the model. A column that was constant in training has the
    deviation one. The output is dense.

    Example:
    >>> import numpy as np
    >>> from mixhop_tf import Standardize
    >>> layer = Standardize(2)
    >>> layer.adapt(np.array([[1.0, 5.0], [3.0, 5.0]]))
    >>> layer(np.array([[1.0, 5.0], [5.0, 6.0]])).numpy()
    array([[-1.,  0.],
           [ 3.,  1.]], dtype=float32)

    Args:
        num_features: Width of the input `s`.

    Call arguments:
        inputs: Dense tensor or `tf.SparseTensor`.

    Input shape: `[n, s]`. Output shape: the same.
    """

    def __init__(self, num_features: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.num_features = num_features
        shape = {"shape": (num_features,), "trainable": False, "dtype": "float32"}
        self.mean = self.add_weight(name="mean", initializer="zeros", **shape)
        # Zero means that there are no statistics yet: `adapt` gives no column that deviation.
        self.deviation = self.add_weight(name="deviation", initializer="zeros", **shape)
        self.built = True

    def adapt(self, features: np.ndarray | sp.csr_array) -> None:
        """Stores the statistics of these features `[n, s]`, an array or a SciPy sparse array."""
        # In double precision: the deviation may be small beside the mean.
        features = features.astype(np.float64)
        squares = features.multiply(features) if hasattr(features, "multiply") else features**2
        mean, square = (
            np.asarray(values.sum(axis=0)).ravel() / features.shape[0]
            for values in (features, squares)
        )
        variance = np.maximum(square - mean**2, 0.0)
        deviation = np.sqrt(variance)
        # A constant column has what rounding leaves, or less than single precision can tell from 0.
        constant = (variance <= 1e-12 * square) | (deviation < np.finfo(np.float32).tiny)
        self.mean.assign(mean)
        self.deviation.assign(np.where(constant, 1.0, deviation))

    def call(self, inputs: Matrix) -> tf.Tensor:
        """The layer's formula."""
        self.check_adapted()
        if isinstance(inputs, tf.SparseTensor):
            inputs = tf.sparse.to_dense(inputs)
        wide = tf.cast(inputs, tf.float32) if inputs.dtype.size < 4 else inputs
        mean, deviation = (
            tf.cast(weight, wide.dtype) for weight in (self.mean.value, self.deviation.value)
        )
        return tf.cast((wide - mean) / deviation, inputs.dtype)

    def check_adapted(self) -> None:
        """Raises a `ValueError` unless the layer has statistics.

        Inside a `tf.function` the check takes place when the function is traced.
        """
        deviation = self.deviation.value
        with tf.init_scope():
            if not tf.executing_eagerly() or not isinstance(deviation, tf.Variable):
                return  # in a graph or scope of Keras' own, where no value can be read
            if not np.any(deviation.numpy()):
                raise ValueError(
                    f"`{self.name}` has no statistics of the features yet: call `adapt` with the "
                    "training graph's features first, or load weights that have them."
                )

    def compute_output_shape(self, input_shape: Shape) -> Shape:
        """The shape of the input."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {**super().get_config(), "num_features": self.num_features}
