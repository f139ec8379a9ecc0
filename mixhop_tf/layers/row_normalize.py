"""Rows of unit length."""

import keras
import tensorflow as tf

EPSILON = 1e-12


def row_scale(x, epsilon=EPSILON):
    """`1 / sqrt(max(‖x_i‖₂², epsilon))` of each row of a dense or sparse `x`, `[n, 1]`.

    In float32 at least: half precision knows no such epsilon. A sparse `x` stores each entry once.
    """
    dtype = x.dtype
    x = tf.cast(x, tf.float32) if dtype.size < 4 else x
    if isinstance(x, tf.SparseTensor):
        # A product with one column of ones: quicker than a segment sum over the rows' indices.
        ones = tf.ones([tf.shape(x)[1], 1], x.dtype)
        squares = tf.sparse.sparse_dense_matmul(x.with_values(tf.square(x.values)), ones)
    else:
        squares = tf.reduce_sum(tf.square(x), axis=1, keepdims=True)
    scale = tf.math.rsqrt(tf.maximum(squares, epsilon))
    # A row of zeros times the largest number is zero; times infinity it would be NaN.
    return tf.cast(tf.minimum(scale, tf.cast(dtype.max, scale.dtype)), dtype)


@keras.saving.register_keras_serializable("mixhop_tf")
class RowNormalize(keras.layers.Layer):
    """Scales each row to unit length: `y_i = x_i / sqrt(max(‖x_i‖₂², epsilon))`.

    An all-zero row stays zero.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import RowNormalize
    >>> RowNormalize()(tf.constant([[3.0, 4.0], [0.0, 0.0]])).numpy()
    array([[0.6, 0.8],
           [0. , 0. ]], dtype=float32)

    Args:
        epsilon: Smallest squared length divided by.

    Call arguments:
        inputs: Dense tensor, or `tf.SparseTensor` that stores each entry once.

    Input shape: `[n, s]`. Output shape: the same.

    Reference: The original normalises the features after their dropout.
    """

    def __init__(self, epsilon=EPSILON, **kwargs):
        super().__init__(**kwargs)
        if epsilon <= 0:
            raise ValueError(f"`epsilon` must be positive. Received: epsilon={epsilon}")
        self.epsilon = epsilon
        self.built = True

    def call(self, inputs):
        """The layer's formula."""
        scale = row_scale(inputs, self.epsilon)
        if not isinstance(inputs, tf.SparseTensor):
            return inputs * scale
        rows = inputs.indices[:, 0]
        return inputs.with_values(inputs.values * tf.gather(scale[:, 0], rows))

    def compute_output_shape(self, input_shape):
        """The input's."""
        return input_shape

    def get_config(self):
        """The constructor's arguments."""
        return {**super().get_config(), "epsilon": self.epsilon}
