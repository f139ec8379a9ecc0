"""Dropout for sparse and dense tensors."""

from __future__ import annotations

from typing import Any, NamedTuple

import keras
import tensorflow as tf

from mixhop_tf.ops.random_bits import random_bits
from mixhop_tf.tensors import Matrix, Shape


class Before(NamedTuple):
    """How much of a larger matrix lies before the rows that dropout gets.

    Attributes:
        rows: Number of rows.
        entries: Number of stored entries in these rows, if the matrix is sparse.
    """

    rows: int = 0
    entries: int = 0


@keras.saving.register_keras_serializable("mixhop_tf")
class SparseDropout(keras.layers.Layer):
    """Drops entries in training: `y = x·m / (1 - rate)` with `m ~ Bernoulli(1 - rate)`.

    The layer removes dropped entries from a sparse tensor. In a dense tensor they become zero, as
    with `keras.layers.Dropout`. Each entry takes 16 random bits, so the rate is exact to within
    1/131,072.

    The rows may be a part of a larger matrix. With `before` set, they are dropped as in the whole
    matrix: the random bits of the rows before are skipped.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import SparseDropout
    >>> y = SparseDropout(0.5, seed=1)(tf.ones([3, 4]), training=True)
    >>> sorted(set(y.numpy().ravel().tolist()))
    [0.0, 2.0]

    Args:
        rate: Fraction of the entries to drop, in `[0, 1)`.
        seed: Seed of the random bits. None draws a random seed.

    Call arguments:
        inputs: A dense tensor or a `tf.SparseTensor` of any shape.
        training: Whether to drop entries. Otherwise the output is the input.

    Input shape: any. Output shape: the same.

    Reference: Section 5.2 of the paper; the original drops stored feature entries.
    """

    def __init__(self, rate: float, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not 0.0 <= rate < 1.0:
            raise ValueError(f"`rate` must be in [0, 1). Received: rate={rate}")
        self.rate = float(rate)
        self.seed = seed
        # The threshold rounds the rate to 16 bits, and the scale must fit the rounded rate.
        self._threshold = round(self.rate * 2**16)
        if self._threshold == 2**16:
            raise ValueError(f"`rate` is too close to 1. Received: rate={rate}")
        self.scale = 2**16 / (2**16 - self._threshold)
        if self.rate:
            self.seed_generator = keras.random.SeedGenerator(seed)
        self.before = Before()
        self.built = True

    def call(self, inputs: Matrix, training: bool = False) -> Matrix:
        """Applies the formula of the layer."""
        if not training or not self.rate:
            return inputs
        if isinstance(inputs, tf.SparseTensor):
            # Storing zeros would cost time in the next product.
            kept = tf.reshape(tf.where(self.keep(inputs.values)), [-1])
            return tf.SparseTensor(
                tf.gather(inputs.indices, kept),
                tf.gather(inputs.values, kept) * self.scale,
                inputs.dense_shape,
            )
        # A mask of numbers needs only one product forward and one backward.
        zero = tf.zeros([], inputs.dtype)
        return inputs * tf.where(self.keep(inputs), tf.cast(self.scale, inputs.dtype), zero)

    def keep(self, x: tf.Tensor, seed: tf.Tensor | None = None) -> tf.Tensor:
        """Draws which entries to keep, a mask of the shape of `x`.

        Args:
            x: The entries.
            seed: Seed of the mask, int32 `[2]`; by default the next one.
        """
        seed = self.next_seed() if seed is None else seed
        bits = random_bits(tf.size(x), seed, self._skipped(x))
        return tf.reshape(bits, tf.shape(x)) >= self._threshold

    def _skipped(self, x: tf.Tensor) -> int:
        """Counts the random numbers of the rows before; stored entries are a tensor of rank 1."""
        if len(x.shape) == 1:
            return self.before.entries
        return self.before.rows * x.shape[1:].num_elements() if self.before.rows else 0

    def next_seed(self) -> tf.Tensor:
        """Returns the seed of the next mask, int32 `[2]`: that of the layer and a count."""
        return tf.cast(self.seed_generator.next(), tf.int32)

    def compute_output_shape(self, input_shape: Shape) -> Shape:
        """Returns the shape of the input."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {**super().get_config(), "rate": self.rate, "seed": self.seed}
