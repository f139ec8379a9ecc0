"""Chebyshev filters of Defferrard et al. (2016)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf
from keras import activations, initializers, regularizers

from mixhop_tf.layers.initializers import seeded_copy
from mixhop_tf.ops.sparse import known_width, matmul, sparse_matmul
from mixhop_tf.tensors import Activation, Initializer, Matrix, Pair, Regularizer, Shape


@keras.saving.register_keras_serializable("mixhop_tf")
class ChebyshevConvolution(keras.layers.Layer):
    """Applies a polynomial of the Laplacian: `H' = σ(Σ_k T_k(L̃) H W_k)` for `k = 0 … K`.

    The polynomials are `T_0 = I`, `T_1 = L̃`, `T_k = 2 L̃ T_{k-1} - T_{k-2}`. The layer never
    computes them. If it has fewer output than input columns, it adds up the `H W_k` by Clenshaw's
    recurrence. Otherwise it computes the `T_k H` one after the other. Both ways take `K` products
    with the Laplacian.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf.layers import ChebyshevConvolution
    >>> from mixhop_tf.ops.laplacian import rescaled_laplacian
    >>> laplacian = rescaled_laplacian([[0, 1], [1, 2]], num_nodes=3)
    >>> ChebyshevConvolution(4, order=2)((tf.ones([3, 5]), laplacian)).shape
    TensorShape([3, 4])

    Args:
        units: Number of output columns.
        order: Highest degree `K` of the polynomials.
        activation: Activation `σ`. The default is none.
        kernel_initializer: Initializer of each of the `K + 1` kernels.
        kernel_regularizer: Regularizer of each kernel.

    Call arguments:
        inputs: A pair `(x, laplacian)`. `x` is a dense tensor or a `tf.SparseTensor`. The Laplacian
            `L̃` is a `tf.SparseTensor` from `rescaled_laplacian`.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, units]`.

    Reference: Defferrard et al., Convolutional neural networks on graphs with fast localized
    spectral filtering.
    """

    def __init__(
        self,
        units: int,
        order: int = 3,
        *,
        activation: Activation = None,
        kernel_initializer: Initializer = "glorot_uniform",
        kernel_regularizer: Regularizer = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if units < 1 or order < 0:
            raise ValueError(
                "`units` must be positive and `order` must not be negative. "
                f"Received: units={units}, order={order}"
            )
        self.units = units
        self.order = order
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.supports_jit = False  # XLA has no sparse-dense product

    def build(self, input_shape: Sequence[Shape]) -> None:
        """Adds a kernel for each polynomial."""
        num_inputs = known_width(input_shape)
        self.kernels = [
            self.add_weight(
                name=f"kernel_{k}",
                shape=(num_inputs, self.units),
                initializer=seeded_copy(self.kernel_initializer, k),
                regularizer=self.kernel_regularizer,
            )
            for k in range(self.order + 1)
        ]
        self.weights_first = self.units <= num_inputs
        self.built = True

    def call(self, inputs: Pair) -> tf.Tensor:
        """Applies the formula of the layer."""
        x, laplacian = inputs
        return self.activation(
            self._clenshaw(x, laplacian) if self.weights_first else self._forward(x, laplacian)
        )

    def _clenshaw(self, x: Matrix, laplacian: tf.SparseTensor) -> tf.Tensor:
        """Computes `B_k = H W_k + 2 L̃ B_{k+1} - B_{k+2}` from `K` down to `H W_0 + L̃ B_1 - B_2`."""
        terms = tf.split(matmul(x, tf.concat(self.kernels, axis=1)), self.order + 1, axis=1)
        last = before = None  # B_{k+1} and B_{k+2}
        for k in range(self.order, -1, -1):
            total = terms[k]
            if last is not None:
                total += (2.0 if k else 1.0) * sparse_matmul(laplacian, last)
            if before is not None:
                total -= before
            last, before = total, last
        return last

    def _forward(self, x: Matrix, laplacian: tf.SparseTensor) -> tf.Tensor:
        """Computes `T_k H` from 0 up to `K`, and multiplies each by its kernel."""
        if isinstance(x, tf.SparseTensor):
            x = tf.sparse.to_dense(tf.sparse.reorder(x))
        polynomials = [x]
        for k in range(1, self.order + 1):
            product = sparse_matmul(laplacian, polynomials[-1])
            polynomials.append(product if k == 1 else 2.0 * product - polynomials[-2])
        return tf.matmul(tf.concat(polynomials, axis=1), tf.concat(self.kernels, axis=0))

    def compute_output_shape(self, input_shape: Sequence[Shape]) -> Shape:
        """Returns `[n, units]`."""
        return (input_shape[0][0], self.units)

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {
            **super().get_config(),
            "units": self.units,
            "order": self.order,
            "activation": activations.serialize(self.activation),
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
        }
