"""The graph convolution of Kipf and Welling (2017)."""

from __future__ import annotations

from typing import Any

import keras

from mixhop_tf.layers.mixhop import MixHopLayer


@keras.saving.register_keras_serializable("mixhop_tf")
class GraphConvolution(MixHopLayer):
    """Applies a graph convolution, `H' = σ(Â H W + b)`.

    It is a `MixHopLayer` with `P = {1}`.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import normalized_adjacency
    >>> from mixhop_tf.layers import GraphConvolution
    >>> adjacency = normalized_adjacency([[0, 1], [1, 2]], num_nodes=3)
    >>> GraphConvolution(4)((tf.ones([3, 5]), adjacency)).shape
    TensorShape([3, 4])

    Args:
        units: Number of output columns.
        kwargs: Other arguments of `MixHopLayer`.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, units]`.

    Reference: Kipf and Welling, Semi-supervised classification with graph convolutional networks.
    """

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(powers=(1,), dims=(units,), **kwargs)
        self.units = units

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        config = super().get_config()
        del config["powers"], config["dims"]
        return config | {"units": self.units}
