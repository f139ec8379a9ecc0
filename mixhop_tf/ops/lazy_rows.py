"""Rows of a large matrix that are computed block by block, again for the gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from mixhop_tf.cores import num_cores

# Cells of a block, so that what is computed from it stays in the cache of a core.
_BLOCK_CELLS = 1 << 18
_MIN_ROWS = 256

Tensors = Sequence[tf.Tensor]
# From the rows of a block, the block's number and parameters to new rows.
RowFunction = Callable[..., tf.Tensor]


class LazyRows:
    """A matrix `[n, d]`, computed from stored ones when it is used, and never kept as a whole.

    Each row depends on the same row of the stored matrices, and on parameters. `value` and
    `moments` go through the blocks of rows, several at once. Their gradients go through them again
    and compute the rows anew. So memory holds what enters products with an adjacency, and nothing
    in between.

    Args:
        stored: The stored matrices, float32 `[n, k]`.
        trained: Whether each of them needs a gradient.
        parameters: Tensors that need a gradient and are small.
        function: Computes a block from the blocks of the stored matrices, the block's number and
            the parameters.
        width: Number of columns `d`.
        widest: Number of columns that a block takes while it is computed.
    """

    def __init__(
        self,
        stored: Tensors,
        trained: Sequence[bool],
        parameters: Tensors,
        function: Callable[[Tensors, tf.Tensor, Tensors], tf.Tensor],
        width: int,
        widest: int = 0,
    ) -> None:
        self._stored, self._trained, self._parameters = stored, trained, parameters
        self._function, self.width = function, width
        self._widest = max(widest, width, sum(each.shape[1] for each in stored))
        self._num_rows = stored[0].shape[0]
        self._size = max(_MIN_ROWS, _BLOCK_CELLS // self._widest)

    @classmethod
    def of(cls, matrix: tf.Tensor, *, trained: bool) -> LazyRows:
        """Returns the rows of a stored matrix.

        Args:
            matrix: The matrix, `[n, d]` with a known shape.
            trained: Whether it needs a gradient.
        """
        return cls([matrix], [trained], [], lambda blocks, *_: blocks[0], matrix.shape[1])

    @classmethod
    def beside(cls, parts: Sequence[LazyRows]) -> LazyRows:
        """Puts the columns of several matrices side by side."""
        if len(parts) == 1:
            return parts[0]

        def function(blocks: Tensors, number: tf.Tensor, parameters: Tensors) -> tf.Tensor:
            made, first_block, first_parameter = [], 0, 0
            for part in parts:
                last_block = first_block + len(part._stored)
                last_parameter = first_parameter + len(part._parameters)
                mine = parameters[first_parameter:last_parameter]
                made.append(part._function(blocks[first_block:last_block], number, mine))
                first_block, first_parameter = last_block, last_parameter
            return tf.concat(made, axis=1)

        return cls(
            [each for part in parts for each in part._stored],
            [each for part in parts for each in part._trained],
            [each for part in parts for each in part._parameters],
            function,
            sum(part.width for part in parts),
            sum(part._widest for part in parts),
        )

    @property
    def is_trained(self) -> bool:
        """Whether the rows depend on anything that needs a gradient."""
        return any(self._trained) or bool(self._parameters)

    def then(self, function: RowFunction, *parameters: Any, width: int | None = None) -> LazyRows:
        """Applies a function that treats every row alike.

        Args:
            function: Computes new rows from a block `[rows, d]`, its number and the parameters.
            *parameters: Tensors or variables that the function reads and that need a gradient.
            width: Number of columns of the result; by default that of the rows.
        """
        count = len(self._parameters)

        def composed(blocks: Tensors, number: tf.Tensor, all_parameters: Tensors) -> tf.Tensor:
            block = self._function(blocks, number, all_parameters[:count])
            return function(block, number, *all_parameters[count:])

        return LazyRows(
            self._stored,
            self._trained,
            [*self._parameters, *map(tf.convert_to_tensor, parameters)],
            composed,
            width or self.width,
            self._widest,
        )

    def times(self, kernel: Any) -> LazyRows:
        """Multiplies by a kernel `[d, k]`."""
        return self.then(lambda x, _, k: tf.matmul(x, k), kernel, width=kernel.shape[1])

    def kept(self) -> LazyRows:
        """Computes all rows now, so that they are not computed again."""
        return LazyRows.of(self.value(), trained=self.is_trained)

    def value(self) -> tf.Tensor:
        """Computes all rows, `[n, d]`."""

        def forward(stored: Tensors, parameters: Tensors) -> tf.Tensor:
            def write(number: tf.Tensor, array: tf.TensorArray) -> tuple[tf.TensorArray]:
                return (array.write(number, self._block(stored, parameters, number)),)

            (array,) = self._over_blocks(write, [self._array(self.width)])
            return tf.ensure_shape(array.concat(), [self._num_rows, self.width])

        def slopes(_: Any, gradient: tf.Tensor) -> Callable[..., tf.Tensor]:
            return lambda number, _: self._cut(gradient, number)

        return self._differentiable(forward, slopes)

    def moments(self) -> tuple[tf.Tensor, tf.Tensor]:
        """Computes the mean and the biased variance of each column, `[d]`.

        Sums over a block are made in single precision, sums over blocks in double precision.
        """

        def forward(stored: Tensors, parameters: Tensors) -> tuple[tf.Tensor, tf.Tensor]:
            def add(number: tf.Tensor, *sums: tf.Tensor) -> Tensors:
                return _merged(sums, self._block(stored, parameters, number))

            zeros = tf.zeros([self.width], tf.float64)
            sums = self._over_blocks(add, [tf.zeros([], tf.float64), zeros, zeros])
            count, mean, squares = sums
            return tf.cast(mean, tf.float32), tf.cast(squares / count, tf.float32)

        def slopes(
            result: Tensors, of_mean: tf.Tensor, of_variance: tf.Tensor
        ) -> Callable[..., tf.Tensor]:
            level, slope = of_mean / self._num_rows, 2 * of_variance / self._num_rows
            return lambda _, block: level + slope * (block - result[0])

        return self._differentiable(forward, slopes)

    def _differentiable(
        self,
        forward: Callable[[Tensors, Tensors], Any],
        slopes: Callable[..., Callable[[tf.Tensor, tf.Tensor], tf.Tensor]],
    ) -> Any:
        """Calls `forward(stored, parameters)` and gives the result its gradient.

        Args:
            forward: Computes a result from all blocks.
            slopes: From the result and its gradients to a function that returns the gradient of a
                block, from its number and its rows.
        """
        constants = [
            None if yes else each for each, yes in zip(self._stored, self._trained, strict=True)
        ]
        inputs = [each for each, yes in zip(self._stored, self._trained, strict=True) if yes]

        @tf.custom_gradient
        def computed(*tensors: tf.Tensor) -> tuple[Any, Callable[..., Tensors]]:
            given = iter(tensors)
            stored = [next(given) if each is None else each for each in constants]
            parameters = list(given)
            result = forward(stored, parameters)

            def gradient(*of_result: tf.Tensor) -> Tensors:
                slope = slopes(result, *map(tf.convert_to_tensor, of_result))
                return self._gradients(stored, parameters, slope)

            return result, gradient

        return computed(*inputs, *self._parameters)

    def _gradients(
        self,
        stored: Tensors,
        parameters: Tensors,
        slope: Callable[[tf.Tensor, tf.Tensor], tf.Tensor],
    ) -> Tensors:
        """Computes the gradients of the trained matrices and of the parameters."""
        trained = [i for i, yes in enumerate(self._trained) if yes]
        widths = [stored[i].shape[1] for i in trained]

        def add(number: tf.Tensor, *state: Any) -> list[Any]:
            blocks = [self._cut(each, number) for each in stored]
            watched = [*(blocks[i] for i in trained), *parameters]
            with tf.GradientTape(watch_accessed_variables=False) as tape:
                tape.watch(watched)
                result = self._function(blocks, number, parameters)
            found = tape.gradient(
                result, watched, slope(number, result), unconnected_gradients="zero"
            )
            arrays = zip(state[: len(trained)], found, strict=False)
            sums = zip(state[len(trained) :], found[len(trained) :], strict=True)
            return [*(a.write(number, g) for a, g in arrays), *(s + g for s, g in sums)]

        start = [*map(self._array, widths), *map(tf.zeros_like, parameters)]
        end = self._over_blocks(add, start)
        arrays = zip(end, widths, strict=False)
        return [
            *(tf.ensure_shape(a.concat(), [self._num_rows, width]) for a, width in arrays),
            *end[len(trained) :],
        ]

    def _block(self, stored: Tensors, parameters: Tensors, number: tf.Tensor) -> tf.Tensor:
        return self._function([self._cut(each, number) for each in stored], number, parameters)

    def _cut(self, matrix: tf.Tensor, number: tf.Tensor) -> tf.Tensor:
        """Returns the rows of a block; the last one may be shorter."""
        rows = matrix[number * self._size : (number + 1) * self._size]
        return tf.ensure_shape(rows, [None, matrix.shape[1]])

    @property
    def _num_blocks(self) -> int:
        return -(-self._num_rows // self._size)

    def _array(self, width: int) -> tf.TensorArray:
        return tf.TensorArray(
            tf.float32, self._num_blocks, infer_shape=False, element_shape=[None, width]
        )

    def _over_blocks(self, body: Callable[..., Sequence[Any]], state: Sequence[Any]) -> list[Any]:
        """Calls `body(number, *state)` for each block, as many at once as there are cores."""
        _, *end = tf.while_loop(
            lambda number, *_: number < self._num_blocks,
            lambda number, *state: (number + 1, *body(number, *state)),
            (tf.constant(0), *state),
            parallel_iterations=num_cores(),
        )
        return end


def _merged(sums: Sequence[tf.Tensor], block: tf.Tensor) -> Tensors:
    """Adds a block to the number of rows, the means and the squared distances from them."""
    count, mean, squares = sums
    ones = tf.ones([1, tf.shape(block)[0]])
    size = tf.cast(tf.shape(block)[0], tf.float64)
    block_sum = tf.matmul(ones, block)  # faster than a sum
    block_mean = block_sum / tf.cast(size, tf.float32)
    distances = tf.matmul(ones, tf.math.squared_difference(block, block_mean))
    shift = tf.cast(block_mean[0], tf.float64) - mean
    total = count + size
    return (
        total,
        mean + shift * (size / total),
        squares + tf.cast(distances[0], tf.float64) + tf.square(shift) * (count * size / total),
    )
