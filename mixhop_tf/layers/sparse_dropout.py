"""Dropout for sparse and dense tensors."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable("mixhop_tf")
class SparseDropout(keras.layers.Layer):
    """Drops entries in training: `y = x·m / (1 - rate)` with `m ~ Bernoulli(1 - rate)`.

    Of a sparse tensor stored entries are drawn for, and dropped ones are no longer stored; dense
    tensors are treated like `keras.layers.Dropout` does. An entry takes 16 random bits, so the rate
    is kept to within 1/131,072.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import SparseDropout
    >>> y = SparseDropout(0.5, seed=1)(tf.ones([3, 4]), training=True)
    >>> sorted(set(y.numpy().ravel().tolist()))
    [0.0, 2.0]

    Args:
        rate: Share of the entries to drop, in `[0, 1)`.
        seed: Integer, or None for one drawn at random.

    Call arguments:
        inputs: Dense tensor or `tf.SparseTensor` of any shape.
        training: Whether to drop; otherwise the input passes unchanged.

    Input shape: any. Output shape: the same.

    Reference: Section 5.2 of the paper; the original drops stored feature entries.
    """

    def __init__(self, rate, seed=None, **kwargs):
        super().__init__(**kwargs)
        if not 0.0 <= rate < 1.0:
            raise ValueError(f"`rate` must lie in [0, 1). Received: rate={rate}")
        self.rate = float(rate)
        self.seed = seed
        # What is compared with 16 random bits; the scale goes with the rate that results.
        self._threshold = round(self.rate * 2**16)
        if self._threshold == 2**16:
            raise ValueError(f"`rate` is too close to 1. Received: rate={rate}")
        self._scale = 2**16 / (2**16 - self._threshold)
        if self.rate:
            self.seed_generator = keras.random.SeedGenerator(seed)
        self.built = True

    def call(self, inputs, training=False):
        """The layer's formula."""
        if not training or not self.rate:
            return inputs
        if isinstance(inputs, tf.SparseTensor):
            # Dropped entries are left out, not stored as zeros: what follows has less to do.
            kept = tf.reshape(tf.where(self._keep(inputs.values)), [-1])
            return tf.SparseTensor(
                tf.gather(inputs.indices, kept),
                tf.gather(inputs.values, kept) * self._scale,
                inputs.dense_shape,
            )
        # A mask of numbers: one product forward and one backward.
        zero = tf.zeros([], inputs.dtype)
        return inputs * tf.where(self._keep(inputs), tf.cast(self._scale, inputs.dtype), zero)

    def _keep(self, x):
        size = tf.size(x)
        words = tf.random.stateless_uniform(
            [(size + 3) // 4], self._next_seed(), minval=None, maxval=None, dtype=tf.uint64
        )
        bits = tf.reshape(tf.bitcast(words, tf.uint16), [-1])[:size]
        return tf.reshape(bits, tf.shape(x)) >= self._threshold

    def _next_seed(self):
        return tf.cast(self.seed_generator.next(), tf.int32)

    def compute_output_shape(self, input_shape):
        """The input's."""
        return input_shape

    def get_config(self):
        """The constructor's arguments."""
        return {**super().get_config(), "rate": self.rate, "seed": self.seed}
