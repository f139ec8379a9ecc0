"""The graph convolutional network of Kipf and Welling (2017)."""

import keras

from mixhop_tf.baselines.architectures import GCN
from mixhop_tf.baselines.two_layers import TwoLayerModel
from mixhop_tf.layers import MixHopLayer


@keras.saving.register_keras_serializable("mixhop_tf")
class GraphConvolution(MixHopLayer):
    """`H' = σ(Â H W + b)`: a `MixHopLayer` with `P = {1}`.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import normalized_adjacency
    >>> from mixhop_tf.baselines import GraphConvolution
    >>> adjacency = normalized_adjacency([[0, 1], [1, 2]], num_nodes=3)
    >>> GraphConvolution(4)((tf.ones([3, 5]), adjacency)).shape
    TensorShape([3, 4])

    Args:
        units: Number of output columns.
        kwargs: As `MixHopLayer` takes them.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, units]`.

    Reference: Kipf and Welling, Semi-supervised classification with graph convolutional networks.
    """

    def __init__(self, units, **kwargs):
        super().__init__(powers=(1,), dims=(units,), **kwargs)
        self.units = units

    def get_config(self):
        """The constructor's arguments."""
        config = super().get_config()
        del config["powers"], config["dims"]
        return config | {"units": self.units}


@keras.saving.register_keras_serializable("mixhop_tf")
class GCNModel(TwoLayerModel):
    """Two graph convolutions: `Â σ(Â X W_0) W_1`. See `GraphModel` for the arguments."""

    architecture_class = GCN

    def make_layer(self, i, *, seed, **options):  # noqa: ARG002  # it draws nothing itself
        """A graph convolution without bias, as Kipf and Welling have it."""
        return GraphConvolution(self.width(i), **options)
