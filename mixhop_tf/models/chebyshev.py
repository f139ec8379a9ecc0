"""The network of Chebyshev filters of Defferrard et al. (2016)."""

from __future__ import annotations

from typing import Any, ClassVar

import keras
import tensorflow as tf

from mixhop_tf.baselines import Chebyshev
from mixhop_tf.layers import ChebyshevConvolution
from mixhop_tf.models.two_layers import TwoLayerModel
from mixhop_tf.ops.adjacency import Count
from mixhop_tf.ops.laplacian import rescaled_laplacian


@keras.saving.register_keras_serializable("mixhop_tf")
class ChebyshevModel(TwoLayerModel):
    """Classifies nodes with two Chebyshev filters. See `GraphModel` for the arguments."""

    architecture_class: ClassVar[type[Chebyshev]] = Chebyshev
    architecture: Chebyshev
    uses_weights: ClassVar[bool] = False

    @property
    def layer_hops(self) -> int:
        """Degree of the polynomials."""
        return self.architecture.order

    def make_layer(self, i: int, *, seed: int | None, **options: Any) -> ChebyshevConvolution:  # noqa: ARG002  # it draws nothing itself
        """Makes a Chebyshev filter."""
        return ChebyshevConvolution(self.width(i), self.architecture.order, **options)

    def operator(self, edges: Any, num_nodes: Count, weights: Any = None) -> tf.SparseTensor:  # noqa: ARG002  # it uses none
        """Makes the Laplacian, rescaled by the largest eigenvalue of the training graph."""
        largest = self.architecture.largest_eigenvalue
        return rescaled_laplacian(edges, num_nodes, largest, self.compute_dtype)
