"""A network that never sees the graph: how far the features alone go."""

import keras

from mixhop_tf.baselines.architectures import MLP
from mixhop_tf.baselines.two_layers import TwoLayerModel
from mixhop_tf.layers import MixHopLayer


@keras.saving.register_keras_serializable("mixhop_tf")
class MLPModel(TwoLayerModel):
    """Two dense layers: `σ(X W_0) W_1`. See `GraphModel` for the arguments.

    It is called like the others, but nothing reaches it from a neighbour: its layers have power 0
    alone, which is a dense layer that also takes sparse features.
    """

    architecture_class = MLP
    layer_hops = 0

    def make_layer(self, i, *, seed, **options):  # noqa: ARG002  # it draws nothing itself
        """A dense layer without bias."""
        return MixHopLayer(powers=(0,), dims=(self.width(i),), **options)
