"""A network that never sees the graph, to measure what the features alone achieve."""

from __future__ import annotations

from typing import Any, ClassVar

import keras

from mixhop_tf.baselines import MLP
from mixhop_tf.layers import MixHopLayer
from mixhop_tf.models.two_layers import TwoLayerModel


@keras.saving.register_keras_serializable("mixhop_tf")
class MLPModel(TwoLayerModel):
    """Two dense layers: `σ(X W_0) W_1`. See `GraphModel` for the arguments.

    The model takes the same inputs as the others and ignores the operator. Its layers have only
    power 0: such a layer is a dense one that also takes sparse features.
    """

    architecture_class: ClassVar[type[MLP]] = MLP
    architecture: MLP

    @property
    def layer_hops(self) -> int:
        """No product: a layer looks at the node alone."""
        return 0

    def make_layer(self, i: int, *, seed: int | None, **options: Any) -> MixHopLayer:  # noqa: ARG002  # it draws nothing itself
        """A dense layer without bias."""
        return MixHopLayer(powers=(0,), dims=(self.width(i),), **options)
