"""The graph attention network of Veličković et al. (2018)."""

import keras
import tensorflow as tf
from keras import activations, initializers, regularizers

from mixhop_tf.baselines.architectures import GAT
from mixhop_tf.baselines.attention import attend, incidence, neighbourhood_softmax
from mixhop_tf.baselines.two_layers import TwoLayerModel
from mixhop_tf.layers import SparseDropout
from mixhop_tf.layers.mixhop import seeded_copy
from mixhop_tf.propagation import known_width, matmul


@keras.saving.register_keras_serializable("mixhop_tf")
class GraphAttention(keras.layers.Layer):
    """Each node takes a mean of its neighbours, weighted by attention, in several heads.

    With `Z = H W` and the vectors `a`, `b` of a head,
    `e_ij = leaky_relu(a·z_i + b·z_j)`, `α_ij = exp(e_ij) / Σ_k exp(e_ik)` over the neighbours `k`
    of `i`, and `h'_i = σ(Σ_j α_ij z_j + bias)`. The heads are put side by side, or their mean is
    taken.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import normalized_adjacency
    >>> from mixhop_tf.baselines import GraphAttention
    >>> adjacency = normalized_adjacency([[0, 1], [1, 2]], num_nodes=3)
    >>> GraphAttention(4, heads=2)((tf.ones([3, 5]), adjacency)).shape
    TensorShape([3, 8])

    Args:
        units: Columns a head.
        heads: Number of heads.
        concat: Whether the heads stand side by side; their mean is taken otherwise.
        attention_dropout: Rate at which the `α_ij` are dropped in training.
        value_dropout: Rate at which the entries of the `z_j` are, after the attention has seen
            them.
        negative_slope: Of the leaky relu.
        activation: `σ`; none by default.
        use_bias: Whether to add a bias.
        kernel_initializer: Of the kernel `[s, units]` and the vectors `[units, 1]` of each head.
        kernel_regularizer: Of kernels and attention vectors.
        seed: Of the dropout; None draws one.

    Call arguments:
        inputs: A pair `(x, adjacency)`: `x` dense or `tf.SparseTensor`; `adjacency` a
            `tf.SparseTensor` in row-major order with self-loops, such as `normalized_adjacency`
            gives; its values play no part. A node without any entry gets `σ(bias)`.
        training: Whether to drop.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, heads·units]`, or `[n, units]` of the mean.

    Reference: Veličković et al., Graph attention networks.
    """

    def __init__(
        self,
        units,
        heads=1,
        *,
        concat=True,
        attention_dropout=0.0,
        value_dropout=0.0,
        negative_slope=0.2,
        activation=None,
        use_bias=True,
        kernel_initializer="glorot_uniform",
        kernel_regularizer=None,
        seed=None,
        **kwargs,
    ):
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

    def build(self, input_shape):
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

    def _columns(self, name, num_rows, width, first):
        """A weight `[rows, heads·width]`, drawn head by head: Glorot's fans are those of a head."""

        def draw(_shape, dtype=None):
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

    def call(self, inputs, training=False):
        """The layer's formula."""
        x, adjacency = inputs
        values = self._values(x)
        attention = self.dropout(self._attention(values, adjacency), training=training)
        result = attend(adjacency, attention, self.value_dropout(values, training=training))
        if not self.concat:
            result = tf.reduce_mean(tf.reshape(result, [-1, self.heads, self.units]), axis=1)
        if self.bias is not None:
            result = result + self.bias
        return self.activation(result)

    def attention(self, inputs):
        """The coefficients `α_ij`, `[e, heads]`, in the order of the adjacency's indices."""
        x, adjacency = inputs
        return self._attention(self._values(x), adjacency)

    def _values(self, x):
        return matmul(x, tf.convert_to_tensor(self.kernel))

    def _attention(self, values, adjacency):
        rows, columns = adjacency.indices[:, 0], adjacency.indices[:, 1]
        num_nodes = adjacency.dense_shape[0]
        sources, targets = (incidence(nodes, num_nodes, values.dtype) for nodes in (rows, columns))
        by_head = tf.reshape(values, [-1, self.heads, self.units])
        own = tf.reduce_sum(by_head * tf.transpose(self.own), axis=2)
        neighbour = tf.reduce_sum(by_head * tf.transpose(self.neighbour), axis=2)
        to_edges = tf.sparse.sparse_dense_matmul
        scores = to_edges(sources, own) + to_edges(targets, neighbour)
        return neighbourhood_softmax(tf.nn.leaky_relu(scores, self.negative_slope), sources)

    def compute_output_shape(self, input_shape):
        """`[n, heads·units]`, or `[n, units]` of the mean."""
        return (input_shape[0][0], self.units * (self.heads if self.concat else 1))

    def get_config(self):
        """The constructor's arguments."""
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


@keras.saving.register_keras_serializable("mixhop_tf")
class GATModel(TwoLayerModel):
    """Two attention layers, the mean of heads in the second. See `GraphModel` for the arguments."""

    architecture_class = GAT

    def make_layer(self, i, *, seed, **options):
        """An attention layer."""
        heads = (self.architecture.heads, self.architecture.output_heads)[i]
        input_dropout = (self.architecture.input_dropout, self.architecture.hidden_dropout)[i]
        return GraphAttention(
            self.width(i) if i else self.width(i) // heads,
            heads,
            concat=not i,
            attention_dropout=self.architecture.attention_dropout,
            value_dropout=input_dropout if self.architecture.drop_values else 0.0,
            seed=seed,
            **options,
        )
