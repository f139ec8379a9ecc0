"""The graph attention network of Veličković et al. (2018)."""

from __future__ import annotations

from typing import Any, ClassVar

import keras

from mixhop_tf.baselines import GAT
from mixhop_tf.layers import GraphAttention
from mixhop_tf.models.two_layers import TwoLayerModel


@keras.saving.register_keras_serializable("mixhop_tf")
class GATModel(TwoLayerModel):
    """Classifies nodes with two attention layers; the second one averages its heads.

    See `GraphModel` for the arguments.
    """

    architecture_class: ClassVar[type[GAT]] = GAT
    architecture: GAT
    uses_weights: ClassVar[bool] = False

    def make_layer(self, i: int, *, seed: int | None, **options: Any) -> GraphAttention:
        """Makes an attention layer."""
        heads = (self.architecture.heads, self.architecture.output_heads)[i]
        input_dropout = (self.architecture.input_dropout, self.architecture.hidden_dropout)[i]
        return GraphAttention(
            self.width(i) if i else self.width(i) // heads,
            heads,
            concat=not i,
            attention_dropout=self.architecture.attention_dropout,
            value_dropout=input_dropout if self.architecture.drop_values else 0.0,
            seed=seed,
            **options,
        )
