"""The adjacency of a large graph as an operator of TensorFlow, without a copy of its entries."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf

from mixhop_tf.cores import num_cores
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.block_operator import BlockOperator
from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.ops.tiled_rows import TiledRows


class RowOperator(tf.__internal__.types.Tensor):
    """Multiplies dense columns by a matrix `[n, n]`, and knows the gradient.

    A `tf.SparseTensor` takes 20 bytes for each entry, its products take one core each and become
    slow at 32 columns. This operator takes 8 bytes (see `TiledRows`) and all cores. It calls itself
    a tensor, because Keras passes nothing else on. The results differ in their last digits from
    those of a `tf.SparseTensor`.

    Args:
        forward: Multiplies by `Â`.
        backward: Multiplies by `Âᵀ`.
    """

    def __init__(self, forward: BlockOperator, backward: BlockOperator) -> None:
        self._forward, self._backward = forward, backward

    @classmethod
    def of(
        cls, rows: Neighbors, spec: AdjacencySpec, transposed: Neighbors | None = None
    ) -> RowOperator:
        """Makes the operator of a normalised adjacency.

        Args:
            rows: The rows of `A + I`.
            spec: Normalisation, and whether there are self-loops.
            transposed: The rows of the transposed matrix; None if it is symmetric.
        """
        pool = ThreadPoolExecutor(num_cores(), thread_name_prefix="rows")
        tiled = TiledRows.copy_of(rows)
        back = None if transposed is None else TiledRows.copy_of(transposed)
        forward = BlockOperator.of(tiled, spec, pool, back)
        return cls(forward, forward.transpose(back))

    @property
    def dtype(self) -> tf.DType:
        """Type of the entries."""
        return tf.float32

    @property
    def shape(self) -> tf.TensorShape:
        """`[n, n]`."""
        return tf.TensorShape([self._forward.num_nodes] * 2)

    def matmul(self, dense: tf.Tensor) -> tf.Tensor:
        """Computes `Â H` for `H [n, d]`; the gradient of `H` is `Âᵀ G`."""

        @tf.custom_gradient
        def product(h: tf.Tensor) -> tuple[tf.Tensor, object]:
            return _product(self._forward, h), lambda g: _product(self._backward, g)

        return product(dense)


def _product(operator: BlockOperator, h: tf.Tensor) -> tf.Tensor:
    result = tf.numpy_function(operator.product, [h], tf.float32, stateful=False)
    return tf.ensure_shape(result, h.shape)
