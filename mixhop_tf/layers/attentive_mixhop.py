"""The MixHop graph convolution with attention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import keras
import tensorflow as tf

from mixhop_tf.layers.initializers import seeded_copy
from mixhop_tf.layers.mixhop import MixHopLayer
from mixhop_tf.layers.row_normalize import row_scale
from mixhop_tf.layers.sparse_dropout import SparseDropout
from mixhop_tf.ops.attention import attend, attend_by_edge, edge_attention, head_columns
from mixhop_tf.ops.propagation import by_direction
from mixhop_tf.ops.sparse import matmul
from mixhop_tf.tensors import Initializer, Operator, Pair, Shape

# Heads of at most so many columns on average propagate together. Measured on Cora.
_NARROW = 7


@keras.saving.register_keras_serializable("mixhop_tf")
class AttentiveMixHopLayer(MixHopLayer):
    """Mixes powers of learned attention: `H' = concat over j in P of σ(T_j^j H W_j + b_j)`.

    Each power `j` other than 0 has its own operator `T_j`, in several heads. With `Z = H W_j` a
    head computes the scores `e_uv = leaky_relu(own·z_u + neighbour·z_v)` from its columns of `Z`,
    and `T_j[u, v] = a_uv exp(e_uv) / Σ_w a_uw exp(e_uw)` over the entries `(u, v)` of the
    adjacency. So an entry's value `a_uv` counts as the multiplicity of its edge. With attention
    vectors of zeros the layer is `MixHopLayer` on the row-normalised adjacency.

    The layer never computes the powers of `T_j`: it multiplies by `T_j` as often as needed.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import AttentiveMixHopLayer, normalized_adjacency
    >>> adjacency = normalized_adjacency([[0, 1], [1, 2]], num_nodes=3)
    >>> layer = AttentiveMixHopLayer(powers=[0, 1, 2], dims=[4, 4, 2], heads=2)
    >>> layer((tf.ones([3, 5]), adjacency)).shape
    TensorShape([3, 10])

    Args:
        powers: Powers `j`: distinct integers. A negative power `-j` is the `j`-th power of
            attention over the backward adjacency.
        dims: Width `d_j` of each power. Widths may be 0, but at least one must be positive.
        heads: Number of heads of each power. They share its columns as evenly as possible. A power
            with fewer columns has one head for each column.
        attention_dropout: Rate at which training drops coefficients of the `T_j`.
        value_dropout: Rate at which training drops entries of `H W_j` before `T_j` multiplies
            them. The attention still sees all of them, and power 0 keeps all of them.
        negative_slope: Slope of the leaky relu below zero.
        kernel_initializer: Initializer of each power's kernel `[s, d_j]`, and of each head's
            attention vectors `[columns, 1]`.
        seed: Seed of the dropout. None draws a random seed.
        **kwargs: Further arguments as for `MixHopLayer`, except `shared_kernel` and `order`. The
            regularizer of the kernels also applies to the attention vectors, the constraint does
            not.

    Call arguments:
        inputs: A pair `(x, adjacency)`. `x` is a dense tensor, or a `tf.SparseTensor` that stores
            each entry once. `adjacency` is a `tf.SparseTensor` in row-major order with positive
            values, such as `normalized_adjacency` makes, or a pair of them, forward and backward.
            A node without any entry gets `σ(b_j)`.
        unit_rows: Whether the rows of `x` already have unit length. The layer then skips
            `normalize_rows`.
        training: Whether to apply dropout.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, Σ_j d_j]`, in the order of `powers`.

    Reference: Equation 4 of the paper, whose conclusion suggests attention; Veličković et al.,
    Graph attention networks.
    """

    def __init__(
        self,
        powers: Iterable[int],
        dims: Iterable[int],
        *,
        heads: int = 1,
        attention_dropout: float = 0.0,
        value_dropout: float = 0.0,
        negative_slope: float = 0.2,
        kernel_initializer: Initializer = "glorot_uniform",
        seed: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            powers,
            dims,
            kernel_initializer=kernel_initializer,
            shared_kernel=False,
            order="weights_first",
            **kwargs,
        )
        if heads < 1:
            raise ValueError(f"`heads` must be positive. Received: heads={heads}")
        self.heads = heads
        self.negative_slope = negative_slope
        self.seed = seed
        self.attention_dropout = self._dropout(attention_dropout, 0)
        self.value_dropout = self._dropout(value_dropout, 1)

    def _dropout(self, rate: float, i: int) -> SparseDropout:
        seed = None if self.seed is None else self.seed + i
        return SparseDropout(rate, seed=seed, dtype=self.dtype_policy)

    @property
    def head_widths(self) -> dict[int, list[int]]:
        """The number of columns of each head, for each power of non-zero width except 0."""
        return {
            power: _even_parts(dim, min(self.heads, dim))
            for power, dim in zip(self.powers, self.dims, strict=True)
            if power and dim
        }

    def build(self, input_shape: Sequence[Shape]) -> None:
        """Adds the kernels, the bias, and the attention vectors `[d_j, 1]` of each power."""
        super().build(input_shape)
        self.own: list[Any] = []
        self.neighbour: list[Any] = []
        drawn = len(self.live_powers)  # the kernels use the first seeds
        for power, widths in self.head_widths.items():
            for name, vectors in (("own", self.own), ("neighbour", self.neighbour)):
                vectors.append(self._add_vectors(f"{name}_{power}", widths, drawn))
                drawn += len(widths)

    def _add_vectors(self, name: str, widths: Sequence[int], first: int) -> Any:
        """Adds a weight `[Σ widths, 1]`, drawn head by head because Glorot's fans are a head's."""

        def draw(_shape: Shape, dtype: Any = None) -> tf.Tensor:
            draws = [
                seeded_copy(self.kernel_initializer, first + i)((width, 1), dtype)
                for i, width in enumerate(widths)
            ]
            return tf.concat(draws, axis=0)

        return self.add_weight(
            name=name,
            shape=(sum(widths), 1),
            initializer=draw,
            regularizer=self.kernel_regularizer,
        )

    def call(self, inputs: Pair, unit_rows: bool = False, training: bool = False) -> tf.Tensor:
        """Applies the formula of the layer."""
        x, adjacency = inputs
        values = self._values(x, unit_rows)
        outputs = dict(values)
        for operator, powers in self._directions(adjacency):
            columns = tf.concat([values[power] for power in powers], axis=1)
            attention = self._attention(operator, powers, columns)
            attention = self.attention_dropout(attention, training=training)
            columns = self.value_dropout(columns, training=training)
            outputs |= self._propagate(operator, powers, attention, columns)
        parts = [outputs[power] for power in self.live_powers]
        result = parts[0] if len(parts) == 1 else tf.concat(parts, axis=1)
        if self.bias is not None:
            result = result + self.bias
        return self.activation(result)

    def attention(self, inputs: Pair, unit_rows: bool = False) -> dict[int, tf.Tensor]:
        """Returns the coefficients `[e, heads]` of each power except 0.

        They are in the order of the indices of the adjacency that the power uses.
        """
        x, adjacency = inputs
        values = self._values(x, unit_rows)
        found: dict[int, tf.Tensor] = {}
        for operator, powers in self._directions(adjacency):
            columns = tf.concat([values[power] for power in powers], axis=1)
            attention = self._attention(operator, powers, columns)
            sizes = [len(self.head_widths[power]) for power in powers]
            found |= zip(powers, tf.split(attention, sizes, axis=1), strict=True)
        return {power: found[power] for power in self.head_widths}

    def _values(self, x: Any, unit_rows: bool) -> dict[int, tf.Tensor]:
        """Computes `H W_j` for each power of non-zero width, in one product."""
        kernels = [tf.convert_to_tensor(kernel) for kernel in self.kernels]
        values = matmul(x, tf.concat(kernels, axis=1))
        if self.normalize_rows and not unit_rows:
            values = values * row_scale(x)
        dims = [kernel.shape[1] for kernel in kernels]
        return dict(zip(self.live_powers, tf.split(values, dims, axis=1), strict=True))

    def _directions(self, adjacency: Operator) -> list[tuple[tf.SparseTensor, list[int]]]:
        """Returns each adjacency in use, with its powers in ascending order of the magnitude."""
        powers = list(self.head_widths)
        return [
            (matrix, [powers[i] for i in positions])
            for matrix, positions in by_direction(adjacency, powers)
        ]

    def _attention(
        self, operator: tf.SparseTensor, powers: Sequence[int], columns: tf.Tensor
    ) -> tf.Tensor:
        """Computes the coefficients of all heads of these powers, side by side."""
        widths = [width for power in powers for width in self.head_widths[power]]
        heads = head_columns(widths, columns.dtype)
        positions = [list(self.head_widths).index(power) for power in powers]
        own, neighbour = (
            tf.matmul(columns, tf.concat([vectors[i] for i in positions], axis=0) * heads)
            for vectors in (self.own, self.neighbour)
        )
        return edge_attention(operator, own, neighbour, self.negative_slope, weighted=True)

    def _propagate(
        self,
        operator: tf.SparseTensor,
        powers: Sequence[int],
        attention: tf.Tensor,
        columns: tf.Tensor,
    ) -> dict[int, tf.Tensor]:
        """Computes `T_j^j Z_j` for these powers.

        The first product takes the columns of all powers, the second one those of magnitude 2 and
        more, and so on.
        """
        outputs: dict[int, tf.Tensor] = {}
        reached = 0
        for i, power in enumerate(powers):
            widths = [width for later in powers[i:] for width in self.head_widths[later]]
            multiply = attend_by_edge if sum(widths) <= _NARROW * len(widths) else attend
            for _ in range(abs(power) - reached):
                columns = multiply(operator, attention, columns, widths)
            reached = abs(power)
            done = self.head_widths[power]
            outputs[power] = columns[:, : sum(done)]
            columns, attention = columns[:, sum(done) :], attention[:, len(done) :]
        return outputs

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        config = super().get_config()
        del config["shared_kernel"], config["order"]
        return {
            **config,
            "heads": self.heads,
            "attention_dropout": self.attention_dropout.rate,
            "value_dropout": self.value_dropout.rate,
            "negative_slope": self.negative_slope,
            "seed": self.seed,
        }


def _even_parts(total: int, count: int) -> list[int]:
    return [total * (i + 1) // count - total * i // count for i in range(count)]
