"""The graph convolutional network of Kipf and Welling (2017)."""

from __future__ import annotations

from typing import Any, ClassVar

import keras

from mixhop_tf.baselines import GCN
from mixhop_tf.layers import GraphConvolution
from mixhop_tf.models.two_layers import TwoLayerModel


@keras.saving.register_keras_serializable("mixhop_tf")
class GCNModel(TwoLayerModel):
    """Classifies nodes with two graph convolutions: `Â σ(Â X W_0) W_1`.

    See `GraphModel` for the arguments.
    """

    architecture_class: ClassVar[type[GCN]] = GCN
    architecture: GCN

    def make_layer(self, i: int, *, seed: int | None, **options: Any) -> GraphConvolution:  # noqa: ARG002  # it draws nothing itself
        """Makes a graph convolution without bias, as Kipf and Welling do."""
        return GraphConvolution(self.width(i), **options)
