"""Graph attention of Veličković et al. (2018)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf
from keras import activations, initializers, regularizers

from mixhop_tf.layers.initializers import seeded_copy
from mixhop_tf.layers.sparse_dropout import SparseDropout
from mixhop_tf.ops.attention import attend, edge_attention
from mixhop_tf.ops.sparse import known_width, matmul
from mixhop_tf.tensors import Activation, Initializer, Matrix, Pair, Regularizer, Shape


@keras.saving.register_keras_serializable("mixhop_tf")
class GraphAttention(keras.layers.Layer):
    """Averages the neighbours of each node with weights from attention, in several heads.

    A head has a kernel `W` and vectors `a` and `b`. With `Z = H W` it computes the scores
    `e_ij = leaky_relu(a·z_i + b·z_j)`, the coefficients `α_ij = exp(e_ij) / Σ_k exp(e_ik)` over the
    neighbours `k` of `i`, and `h'_i = σ(Σ_j α_ij z_j + bias)`. The layer puts the heads side by
    side or takes their mean.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import normalized_adjacency
    >>> from mixhop_tf.layers import GraphAttention
    >>> adjacency = normalized_adjacency([[0, 1], [1, 2]], num_nodes=3)
    >>> GraphAttention(4, heads=2)((tf.ones([3, 5]), adjacency)).shape
    TensorShape([3, 8])

    Args:
        units: Number of columns of each head.
        heads: Number of heads.
        concat: Whether the layer puts the heads side by side. Otherwise it takes their mean.
        attention_dropout: Rate at which training drops the `α_ij`.
        value_dropout: Rate at which training drops entries of the `z_j` in the sum. The attention
            still sees all of them.
        negative_slope: Slope of the leaky relu below zero.
        activation: Activation `σ`. The default is none.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel `[s, units]` and the vectors `[units, 1]` of
            each head.
        kernel_regularizer: Regularizer of kernels and attention vectors.
        seed: Seed of the dropout. None draws a random seed.

    Call arguments:
        inputs: A pair `(x, adjacency)`. `x` is a dense tensor or a `tf.SparseTensor`. The adjacency
            is a `tf.SparseTensor` in row-major order with self-loops, such as
            `normalized_adjacency` makes. The layer ignores its values. A node without any entry
            gets `σ(bias)`.
        training: Whether to apply dropout.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, heads·units]`, or `[n, units]` for the mean.

    Reference: Veličković et al., Graph attention networks.
    """

    def __init__(
        self,
        units: int,
        heads: int = 1,
        *,
        concat: bool = True,
        attention_dropout: float = 0.0,
        value_dropout: float = 0.0,
        negative_slope: float = 0.2,
        activation: Activation = None,
        use_bias: bool = True,
        kernel_initializer: Initializer = "glorot_uniform",
        kernel_regularizer: Regularizer = None,
        seed: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if units < 1 or heads < 1:
            raise ValueError(
                f"`units` and `heads` must be positive. Received: units={units}, heads={heads}"
            )
        self.units = units
        self.heads = heads
        self.concat = concat
        self.negative_slope = negative_slope
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.dropout = SparseDropout(attention_dropout, seed=seed, dtype=self.dtype_policy)
        self.value_dropout = SparseDropout(
            value_dropout, seed=None if seed is None else seed + 1, dtype=self.dtype_policy
        )
        self.supports_jit = False  # XLA has no sparse-dense product

    def build(self, input_shape: Sequence[Shape]) -> None:
        """Adds the kernels of all heads side by side, their attention vectors, and the bias."""
        num_inputs = known_width(input_shape)
        self.kernel = self._columns("kernel", num_inputs, self.units, 0)
        self.own = self._columns("own", self.units, 1, 1)
        self.neighbour = self._columns("neighbour", self.units, 1, 2)
        width = self.units * (self.heads if self.concat else 1)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(name="bias", shape=(width,), initializer="zeros")
        self.built = True

    def _columns(self, name: str, num_rows: int, width: int, first: int) -> Any:
        """Adds a weight `[rows, heads·width]`.

        It is drawn head by head, because Glorot's fans are those of one head.
        """

        def draw(_shape: Shape, dtype: Any = None) -> tf.Tensor:
            draws = [
                seeded_copy(self.kernel_initializer, 3 * k + first)((num_rows, width), dtype)
                for k in range(self.heads)
            ]
            return tf.concat(draws, axis=1)

        return self.add_weight(
            name=name,
            shape=(num_rows, self.heads * width),
            initializer=draw,
            regularizer=self.kernel_regularizer,
        )

    def call(self, inputs: Pair, training: bool = False) -> tf.Tensor:
        """Applies the formula of the layer."""
        x, adjacency = inputs
        values = self._values(x)
        attention = self.dropout(self._attention(values, adjacency), training=training)
        result = attend(adjacency, attention, self.value_dropout(values, training=training))
        if not self.concat:
            result = tf.reduce_mean(tf.reshape(result, [-1, self.heads, self.units]), axis=1)
        if self.bias is not None:
            result = result + self.bias
        return self.activation(result)

    def attention(self, inputs: Pair) -> tf.Tensor:
        """Returns the coefficients `α_ij [e, heads]` in the order of the adjacency's indices."""
        x, adjacency = inputs
        return self._attention(self._values(x), adjacency)

    def _values(self, x: Matrix) -> tf.Tensor:
        return matmul(x, tf.convert_to_tensor(self.kernel))

    def _attention(self, values: tf.Tensor, adjacency: tf.SparseTensor) -> tf.Tensor:
        by_head = tf.reshape(values, [-1, self.heads, self.units])
        own = tf.reduce_sum(by_head * tf.transpose(self.own), axis=2)
        neighbour = tf.reduce_sum(by_head * tf.transpose(self.neighbour), axis=2)
        return edge_attention(adjacency, own, neighbour, self.negative_slope)

    def compute_output_shape(self, input_shape: Sequence[Shape]) -> Shape:
        """Returns `[n, heads·units]`, or `[n, units]` for the mean."""
        return (input_shape[0][0], self.units * (self.heads if self.concat else 1))

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {
            **super().get_config(),
            "units": self.units,
            "heads": self.heads,
            "concat": self.concat,
            "attention_dropout": self.dropout.rate,
            "value_dropout": self.value_dropout.rate,
            "negative_slope": self.negative_slope,
            "activation": activations.serialize(self.activation),
            "use_bias": self.use_bias,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "seed": self.dropout.seed,
        }
