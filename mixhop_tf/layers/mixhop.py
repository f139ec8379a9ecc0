"""The MixHop graph convolution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import keras
import tensorflow as tf
from keras import activations, constraints, initializers, regularizers

from mixhop_tf.layers.initializers import seeded_copy
from mixhop_tf.layers.row_normalize import row_scale
from mixhop_tf.notation import checked_widths, weights_come_first
from mixhop_tf.ops.propagation import (
    by_direction,
    plan_bundles,
    propagate_bundle,
    propagate_powers,
)
from mixhop_tf.ops.sparse import known_width, matmul
from mixhop_tf.tensors import Activation, Constraint, Initializer, Matrix, Pair, Regularizer, Shape

ORDERS = ("auto", "weights_first", "propagate_first")


@keras.saving.register_keras_serializable("mixhop_tf")
class MixHopLayer(keras.layers.Layer):
    """Mixes powers of the adjacency: `H' = concat over j in P of σ(Â^j H W_j + b_j)`.

    With `P = {1}` it is the graph convolution of Kipf and Welling. The layer never computes the
    powers of the adjacency. It computes either `Â^j (H W_j)`, which multiplies `Σ_j j·d_j` columns
    by the adjacency, or `(Â^j H) W_j`, which multiplies `max(P)·s` columns. The result is the same,
    and the layer chooses the cheaper way.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import MixHopLayer, normalized_adjacency
    >>> adjacency = normalized_adjacency([[0, 1], [1, 2]], num_nodes=3)
    >>> layer = MixHopLayer(powers=[0, 1, 2], dims=[4, 2, 2], activation="relu")
    >>> layer((tf.ones([3, 5]), adjacency)).shape
    TensorShape([3, 8])

    Args:
        powers: Powers `j` of the adjacency: distinct integers. A negative power `-j` stands for the
            power `j` of the backward adjacency.
        dims: Width `d_j` of each power. Widths may be 0, but at least one must be positive.
        activation: Activation `σ`. The default is none.
        use_bias: Whether to add a bias.
        shared_kernel: Whether all powers share one kernel. Their widths must then be equal.
        normalize_rows: Whether the layer first scales the rows of `x` to unit length. For a sparse
            `x` this is cheaper than a `RowNormalize` layer.
        order: Order of the products: `weights_first`, `propagate_first`, or `auto` for the cheaper
            one.
        kernel_initializer: Initializer of each power's kernel `[s, d_j]`.
        kernel_regularizer: Regularizer of each power's kernel.
        kernel_constraint: Constraint of each power's kernel.
        bias_initializer: Initializer of the bias.
        bias_regularizer: Regularizer of the bias.
        bias_constraint: Constraint of the bias.

    Call arguments:
        inputs: A pair `(x, adjacency)`. `x` is a dense tensor, or a `tf.SparseTensor` that stores
            each entry once. `adjacency` is a `tf.SparseTensor`, such as `normalized_adjacency`
            makes. It need not be symmetric. Negative powers need a pair of them, `(forward,
            backward)`.
        unit_rows: Whether the rows of `x` already have unit length. The layer then skips
            `normalize_rows`.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, Σ_j d_j]`, in the order of `powers`.

    Reference: Equation 4 of the paper.
    """

    def __init__(
        self,
        powers: Iterable[int],
        dims: Iterable[int],
        *,
        activation: Activation = None,
        use_bias: bool = False,
        shared_kernel: bool = False,
        normalize_rows: bool = False,
        order: str = "auto",
        kernel_initializer: Initializer = "glorot_uniform",
        kernel_regularizer: Regularizer = None,
        kernel_constraint: Constraint = None,
        bias_initializer: Initializer = "zeros",
        bias_regularizer: Regularizer = None,
        bias_constraint: Constraint = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.powers, self.dims = checked_widths(powers, dims)
        if shared_kernel and len(set(self.dims)) != 1:
            raise ValueError(
                f"`shared_kernel` needs equal widths for all powers. Received: dims={dims}"
            )
        if order not in ORDERS:
            raise ValueError(f"`order` must be one of {ORDERS}. Received: order={order!r}")
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.shared_kernel = shared_kernel
        self.normalize_rows = normalize_rows
        self.order = order
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_initializer = initializers.get(bias_initializer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.bias_constraint = constraints.get(bias_constraint)
        self.supports_jit = False  # XLA has no sparse-dense product

    @property
    def live_powers(self) -> tuple[int, ...]:
        """The powers of non-zero width, in the order of `powers`."""
        return tuple(power for power, dim in zip(self.powers, self.dims, strict=True) if dim)

    def build(self, input_shape: Sequence[Shape]) -> None:
        """Adds one kernel for each power of non-zero width, or the shared one."""
        num_inputs = known_width(input_shape)
        dims = {power: dim for power, dim in zip(self.powers, self.dims, strict=True) if dim}
        self.kernels = [
            self.add_weight(
                name="kernel" if self.shared_kernel else f"kernel_{power}",
                shape=(num_inputs, dim),
                initializer=seeded_copy(self.kernel_initializer, i),
                regularizer=self.kernel_regularizer,
                constraint=self.kernel_constraint,
            )
            for i, (power, dim) in enumerate(dims.items())
            if i == 0 or not self.shared_kernel
        ]
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                name="bias",
                shape=(sum(self.dims),),
                initializer=self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
            )
        self.weights_first = self._multiplies_weights_first(num_inputs)
        self.built = True

    def _multiplies_weights_first(self, num_inputs: int) -> bool:
        if self.order != "auto":
            return self.order == "weights_first"
        if self.shared_kernel:
            return self.dims[0] <= num_inputs
        return weights_come_first(self.powers, self.dims, num_inputs)

    def call(self, inputs: Pair, unit_rows: bool = False) -> tf.Tensor:
        """Applies the formula of the layer."""
        x, adjacency = inputs
        scale = row_scale(x) if self.normalize_rows and not unit_rows else None
        if not self.weights_first:
            if isinstance(x, tf.SparseTensor):
                x = tf.sparse.to_dense(tf.sparse.reorder(x))
            x, scale = x if scale is None else x * scale, None
        # The propagation needs ascending powers; the output has the order of `powers`.
        live = self.live_powers
        parts: list[list[tf.Tensor]] = [[] for _ in live]
        for matrix, positions in by_direction(adjacency, live):
            powers = [abs(live[i]) for i in positions]
            kernels = [self.kernels[0 if self.shared_kernel else i] for i in positions]
            if self.weights_first:
                outputs = self._weights_first(x, scale, matrix, powers, kernels)
            else:
                propagated = propagate_powers(matrix, x, powers)
                outputs = [[tf.matmul(h, k)] for h, k in zip(propagated, kernels, strict=True)]
            for i, output in zip(positions, outputs, strict=True):
                parts[i] = output
        return self._joined([block for part in parts for block in part])

    def mix(self, propagated: Sequence[tf.Tensor]) -> tf.Tensor:
        """Applies the layer to features that are already propagated.

        Args:
            propagated: `Â^j X` for each of the `live_powers`, dense `[n, s]`.
        """
        kernels = self.kernels * len(propagated) if self.shared_kernel else self.kernels
        pairs = zip(propagated, kernels, strict=True)
        return self._joined([tf.matmul(h, kernel) for h, kernel in pairs])

    def _joined(self, blocks: Sequence[tf.Tensor]) -> tf.Tensor:
        """Puts the columns side by side, and applies bias and activation."""
        result = blocks[0] if len(blocks) == 1 else tf.concat(blocks, axis=1)
        if self.bias is not None:
            result = result + self.bias
        return self.activation(result)

    def _weights_first(
        self,
        x: Matrix,
        scale: tf.Tensor | None,
        adjacency: tf.SparseTensor,
        powers: Sequence[int],
        kernels: Sequence[Any],
    ) -> list[list[tf.Tensor]]:
        """Computes the column blocks of `Â^j (H W_j)` for each power."""

        def times(kernel: tf.Tensor) -> tf.Tensor:
            product = matmul(x, kernel)
            # The product has fewer entries than the features, so it is cheaper to scale.
            return product if scale is None else product * scale

        if self.shared_kernel:
            return [[h] for h in propagate_powers(adjacency, times(kernels[0]), powers)]
        outputs: list[list[tf.Tensor]] = [[] for _ in powers]
        for bundle in plan_bundles([kernel.shape[1] for kernel in kernels]):
            pieces = [_columns(kernels[i], start, stop) for i, start, stop in bundle]
            z = times(pieces[0] if len(pieces) == 1 else tf.concat(pieces, axis=1))
            dims = [stop - start for _, start, stop in bundle]
            done = propagate_bundle(adjacency, z, [powers[i] for i, _, _ in bundle], dims)
            for (i, _, _), columns in zip(bundle, done, strict=True):
                outputs[i].append(columns)
        return outputs

    def compute_output_shape(self, input_shape: Sequence[Shape]) -> Shape:
        """Returns `[n, Σ_j d_j]`."""
        return (input_shape[0][0], sum(self.dims))

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {
            **super().get_config(),
            "powers": self.powers,
            "dims": self.dims,
            "activation": activations.serialize(self.activation),
            "use_bias": self.use_bias,
            "shared_kernel": self.shared_kernel,
            "normalize_rows": self.normalize_rows,
            "order": self.order,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "kernel_constraint": constraints.serialize(self.kernel_constraint),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
            "bias_constraint": constraints.serialize(self.bias_constraint),
        }


def _columns(kernel: Any, start: int, stop: int) -> tf.Tensor:
    whole = stop - start == kernel.shape[1]
    return tf.convert_to_tensor(kernel) if whole else kernel[:, start:stop]
