"""Chebyshev filters of Defferrard et al. (2016)."""

import keras
import tensorflow as tf
from keras import activations, initializers, regularizers

from mixhop_tf.baselines.architectures import Chebyshev
from mixhop_tf.baselines.laplacian import rescaled_laplacian
from mixhop_tf.baselines.two_layers import TwoLayerModel
from mixhop_tf.layers.mixhop import seeded_copy
from mixhop_tf.propagation import known_width, matmul, sparse_matmul


@keras.saving.register_keras_serializable("mixhop_tf")
class ChebyshevConvolution(keras.layers.Layer):
    """A polynomial of the Laplacian: `H' = σ(Σ_k T_k(L̃) H W_k)` for `k = 0 … K`.

    `T_0 = I`, `T_1 = L̃`, `T_k = 2 L̃ T_{k-1} - T_{k-2}`. The polynomials are never formed: with few
    output columns the sum is made by Clenshaw's recurrence on `H W_k`, with few input columns by
    that of `T_k H`; `K` products with the Laplacian either way.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf.baselines import ChebyshevConvolution, rescaled_laplacian
    >>> laplacian = rescaled_laplacian([[0, 1], [1, 2]], num_nodes=3)
    >>> ChebyshevConvolution(4, order=2)((tf.ones([3, 5]), laplacian)).shape
    TensorShape([3, 4])

    Args:
        units: Number of output columns.
        order: `K`.
        activation: `σ`; none by default.
        kernel_initializer: Of each of the `K + 1` kernels.
        kernel_regularizer: Of each kernel.

    Call arguments:
        inputs: A pair `(x, laplacian)`: `x` dense or `tf.SparseTensor`, the Laplacian `L̃` a
            `tf.SparseTensor`, see `rescaled_laplacian`.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, units]`.

    Reference: Defferrard et al., Convolutional neural networks on graphs with fast localized
    spectral filtering.
    """

    def __init__(
        self,
        units,
        order=3,
        *,
        activation=None,
        kernel_initializer="glorot_uniform",
        kernel_regularizer=None,
        **kwargs,
    ):
        super().__init__(**kwargs)
        if units < 1 or order < 0:
            raise ValueError(
                "`units` must be positive and `order` not negative. "
                f"Received: units={units}, order={order}"
            )
        self.units = units
        self.order = order
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.supports_jit = False  # XLA has no sparse-dense product

    def build(self, input_shape):
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

    def call(self, inputs):
        """The layer's formula."""
        x, laplacian = inputs
        return self.activation(
            self._clenshaw(x, laplacian) if self.weights_first else self._forward(x, laplacian)
        )

    def _clenshaw(self, x, laplacian):
        """`B_k = H W_k + 2 L̃ B_{k+1} - B_{k+2}` downwards; then `H W_0 + L̃ B_1 - B_2`."""
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

    def _forward(self, x, laplacian):
        """`T_k H` upwards, each times its kernel."""
        if isinstance(x, tf.SparseTensor):
            x = tf.sparse.to_dense(tf.sparse.reorder(x))
        polynomials = [x]
        for k in range(1, self.order + 1):
            product = sparse_matmul(laplacian, polynomials[-1])
            polynomials.append(product if k == 1 else 2.0 * product - polynomials[-2])
        return tf.matmul(tf.concat(polynomials, axis=1), tf.concat(self.kernels, axis=0))

    def compute_output_shape(self, input_shape):
        """`[n, units]`."""
        return (input_shape[0][0], self.units)

    def get_config(self):
        """The constructor's arguments."""
        return {
            **super().get_config(),
            "units": self.units,
            "order": self.order,
            "activation": activations.serialize(self.activation),
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
        }


@keras.saving.register_keras_serializable("mixhop_tf")
class ChebyshevModel(TwoLayerModel):
    """Two Chebyshev filters. See `GraphModel` for the arguments."""

    architecture_class = Chebyshev

    @property
    def layer_hops(self):
        """The polynomials' degree."""
        return self.architecture.order

    def make_layer(self, i, *, seed, **options):  # noqa: ARG002  # it draws nothing itself
        """A Chebyshev filter."""
        return ChebyshevConvolution(self.width(i), self.architecture.order, **options)

    def operator(self, edges, num_nodes):
        """The Laplacian, rescaled by the largest eigenvalue of the training graph."""
        largest = self.architecture.largest_eigenvalue
        return rescaled_laplacian(edges, num_nodes, largest, self.compute_dtype)
