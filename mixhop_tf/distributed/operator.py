"""An operator whose rows are on several workers."""

from __future__ import annotations

from typing import NamedTuple

import tensorflow as tf

from mixhop_tf.distributed.exchange import Exchange
from mixhop_tf.distributed.group import Group
from mixhop_tf.distributed.partition import Partition
from mixhop_tf.distributed.rows import OwnRows
from mixhop_tf.limits import are_many

_ROWS_AT_ONCE = 1_024
_COLUMNS_AT_ONCE = 10  # that all workers receive, if there are many rows


class _Scaled(NamedTuple):
    """Holds the factors of rows as tensors: a graph of operations has copies of other arrays."""

    entries: OwnRows
    before: tf.Tensor | None
    after: tf.Tensor | None

    @classmethod
    def of(cls, rows: OwnRows) -> _Scaled:
        """Makes the tensors."""
        factors = (
            None if each is None else tf.constant(each) for each in (rows.before, rows.after)
        )
        return cls(rows, *factors)

    def scaled(self, h: tf.Tensor, rows: slice = slice(None)) -> tf.Tensor:
        """Scales some of the rows before the product."""
        return h if self.before is None else h * self.before[rows]


class PartOperator(tf.__internal__.types.Tensor):
    """Multiplies by a matrix `[n, n]`, of which each worker has some rows.

    `H [n, d]` is divided among the workers in the same way, so each passes its own rows and gets
    its own rows of `Â H`. A product gathers the rows of all workers; its gradient gathers those of
    `G`, and multiplies by the rows of `Âᵀ`. Layers use this operator like any other.

    It calls itself a tensor, because Keras passes nothing else on.

    Args:
        group: The workers.
        partition: Which rows each has.
        forward: This worker's rows of `Â`.
        backward: Its rows of `Âᵀ`.
    """

    def __init__(
        self, group: Group, partition: Partition, forward: OwnRows, backward: OwnRows
    ) -> None:
        self._group, self._partition = group, partition
        self._exchange = Exchange(group, partition)
        self._forward, self._backward = _Scaled.of(forward), _Scaled.of(backward)

    @property
    def dtype(self) -> tf.DType:
        """Type of the entries."""
        return tf.float32

    @property
    def shape(self) -> tf.TensorShape:
        """`[n, n]`, of all workers together."""
        return tf.TensorShape([self._partition.num_nodes] * 2)

    @property
    def most_rows(self) -> int:
        """Number of rows of the worker that has most."""
        return self._partition.block

    def matmul(self, dense: tf.Tensor) -> tf.Tensor:
        """Computes this worker's rows of `Â H` from its rows of `H`."""

        @tf.custom_gradient
        def product(h: tf.Tensor) -> tuple[tf.Tensor, object]:
            return self._product(self._forward, h), lambda g: self._product(self._backward, g)

        return product(self._own(dense))

    def gather(self, h: tf.Tensor) -> tf.Tensor:
        """Returns the rows of all workers `[n, d]`; there is no gradient."""
        return self._gathered(self._own(h))[: self._partition.num_nodes]

    def sum(self, x: tf.Tensor) -> tf.Tensor:
        """Adds up a tensor over all workers; there is no gradient."""
        return self._group.sum(x)

    def moments(self, x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Computes mean and biased variance of each column over all rows; there is no gradient."""
        x, n = self._own(x), self._partition.num_nodes
        mean = tf.cast(self.sum(_column_sums(x)) / n, x.dtype)
        variance = self.sum(_column_sums(tf.math.squared_difference(x, mean))) / n
        return mean, tf.cast(variance, x.dtype)

    def combined(self, mean: tf.Tensor, variance: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Computes the moments of all rows from those of each worker's rows, with gradients."""
        share = self._partition.num_rows / self._partition.num_nodes
        total = self._summed(share * mean)
        spread = variance + tf.math.squared_difference(mean, total)
        return total, self._summed(share * spread)

    def normalized(self, x: tf.Tensor, beta: tf.Tensor, epsilon: float) -> tf.Tensor:
        """Computes `(x - mean) / sqrt(variance + epsilon) + beta` with the moments of all rows.

        Nothing but `x` is kept for the gradient.
        """

        @tf.custom_gradient
        def normalized(x: tf.Tensor, beta: tf.Tensor) -> tuple[tf.Tensor, object]:
            mean, variance = self.moments(x)
            scale = tf.math.rsqrt(variance + epsilon)

            def gradient(g: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
                own = tf.stack([_column_sums(g), _column_sums(g * (x - mean))])
                means = tf.cast(self.sum(own) / self._partition.num_nodes, x.dtype)
                tilt = means[1] * tf.square(scale)
                # `beta` is the same on all workers; the trainer adds up their gradients.
                return scale * (g - means[0] - (x - mean) * tilt), tf.cast(own[0], x.dtype)

            return x * scale + (beta - mean * scale), gradient

        return normalized(self._own(x), tf.convert_to_tensor(beta))

    def _summed(self, x: tf.Tensor) -> tf.Tensor:
        """Adds up a tensor over all workers. Each uses the sum, so its gradients are added up."""

        @tf.custom_gradient
        def total(x: tf.Tensor) -> tuple[tf.Tensor, object]:
            return self._group.sum(x), self._group.sum

        return total(x)

    def _own(self, x: tf.Tensor) -> tf.Tensor:
        return tf.ensure_shape(x, [self._partition.num_rows, x.shape[1]])

    def _gathered(self, h: tf.Tensor) -> tf.Tensor:
        """Gathers the rows of all workers, with zeros below those of the last ones."""
        missing = self._partition.block - h.shape[0]
        return self._group.gather(tf.pad(h, [[0, missing], [0, 0]]) if missing else h)

    def _product(self, rows: _Scaled, h: tf.Tensor) -> tf.Tensor:
        """Computes `after · (rows · gathered(before · h))`."""
        h = self._own(tf.convert_to_tensor(h))  # the gradient of `tf.gather` is not a tensor
        if not are_many(self._partition.num_nodes):
            return self._finished(rows, h, self._whole_product(rows, h))
        done: list[tf.Tensor] = []
        for start in range(0, h.shape[1], _COLUMNS_AT_ONCE):
            columns = slice(start, min(start + _COLUMNS_AT_ONCE, h.shape[1]))
            with tf.control_dependencies(done):  # one after the other, to save memory
                made = self._thrifty_product(rows, h, columns)
                done.append(self._finished(rows, h[:, columns], made))
        return done[0] if len(done) == 1 else tf.concat(done, axis=1)

    def _whole_product(self, rows: _Scaled, h: tf.Tensor) -> tf.Tensor:
        gathered = self._gathered(rows.scaled(h))
        return tf.numpy_function(rows.entries.product, [gathered], tf.float32, stateful=False)

    def _thrifty_product(self, rows: _Scaled, h: tf.Tensor, columns: slice) -> tf.Tensor:
        """Multiplies some columns; scales and sends a few rows at a time."""
        width = columns.stop - columns.start

        def own(first: int, last: int) -> tf.Tensor:
            missing = max(last - max(first, h.shape[0]), 0)
            some = slice(min(first, h.shape[0]), min(last, h.shape[0]))
            found = rows.scaled(h[some, columns], some)
            found = tf.pad(found, [[0, missing], [0, 0]]) if missing else tf.identity(found)
            return tf.ensure_shape(found, [last - first, width])

        return self._exchange.product(own, width, rows.entries.product)

    def _finished(self, rows: _Scaled, h: tf.Tensor, result: tf.Tensor) -> tf.Tensor:
        result = tf.ensure_shape(result, h.shape)
        result = result if rows.entries.self_loops else result - rows.scaled(h)
        return result if rows.after is None else result * rows.after


def _column_sums(x: tf.Tensor) -> tf.Tensor:
    """Adds up the rows: float32 sums of a few rows, then float64 sums."""
    whole = x.shape[0] - x.shape[0] % _ROWS_AT_ONCE
    blocks = tf.reduce_sum(tf.reshape(x[:whole], [-1, _ROWS_AT_ONCE, x.shape[1]]), axis=1)
    rest = tf.reduce_sum(tf.cast(x[whole:], tf.float64), axis=0)
    return tf.reduce_sum(tf.cast(blocks, tf.float64), axis=0) + rest
