"""A network that ignores the graph, which shows what the features alone achieve."""

from __future__ import annotations

from typing import Any, ClassVar

import keras

from mixhop_tf.baselines import MLP
from mixhop_tf.layers import MixHopLayer
from mixhop_tf.models.two_layers import TwoLayerModel


@keras.saving.register_keras_serializable("mixhop_tf")
class MLPModel(TwoLayerModel):
    """Classifies nodes with two dense layers: `σ(X W_0) W_1`.

    The model takes the same inputs as the others and ignores the operator. Its layers are MixHop
    layers with only power 0, which are dense layers that also take sparse features. See
    `GraphModel` for the arguments.
    """

    architecture_class: ClassVar[type[MLP]] = MLP
    architecture: MLP
    uses_weights: ClassVar[bool] = False

    @property
    def layer_hops(self) -> int:
        """Zero, because a layer makes no product with the operator."""
        return 0

    def make_layer(self, i: int, *, seed: int | None, **options: Any) -> MixHopLayer:  # noqa: ARG002  # it draws nothing itself
        """Makes a dense layer without bias."""
        return MixHopLayer(powers=(0,), dims=(self.width(i),), **options)
