"""Columns of mean zero and deviation one."""

import keras
import numpy as np
import tensorflow as tf


@keras.saving.register_keras_serializable("mixhop_tf")
class Standardize(keras.layers.Layer):
    """Scales each column by what it was like in training: `y_j = (x_j - mean_j) / deviation_j`.

    The statistics are weights, so that they are saved with the model. A column that was constant in
    training becomes zero plus what it differs by. The output is dense.

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

    def __init__(self, num_features, **kwargs):
        super().__init__(**kwargs)
        self.num_features = num_features
        shape = {"shape": (num_features,), "trainable": False, "dtype": "float32"}
        self.mean = self.add_weight(name="mean", initializer="zeros", **shape)
        self.deviation = self.add_weight(name="deviation", initializer="ones", **shape)
        self.built = True

    def adapt(self, features):
        """Takes the statistics of these features, `[n, s]`: an array, or a SciPy sparse one."""
        # In double precision: the deviation may be small beside the mean.
        features = features.astype(np.float64)
        squares = features.multiply(features) if hasattr(features, "multiply") else features**2
        mean, square = (
            np.asarray(values.sum(axis=0)).ravel() / features.shape[0]
            for values in (features, squares)
        )
        variance = np.maximum(square - mean**2, 0.0)
        # What rounding leaves of a constant column is no deviation.
        constant = variance <= 1e-12 * square
        self.mean.assign(mean)
        self.deviation.assign(np.where(constant, 1.0, np.sqrt(variance)))

    def call(self, inputs):
        """The layer's formula."""
        if isinstance(inputs, tf.SparseTensor):
            inputs = tf.sparse.to_dense(inputs)
        wide = tf.cast(inputs, tf.float32) if inputs.dtype.size < 4 else inputs
        mean, deviation = (
            tf.cast(weight, wide.dtype) for weight in (self.mean.value, self.deviation.value)
        )
        return tf.cast((wide - mean) / deviation, inputs.dtype)

    def compute_output_shape(self, input_shape):
        """The input's."""
        return input_shape

    def get_config(self):
        """The constructor's arguments."""
        return {**super().get_config(), "num_features": self.num_features}
