"""The base class of GCN, Chebyshev, GAT and MLP."""

from __future__ import annotations

from typing import Any

import keras
import tensorflow as tf

from mixhop_tf.baselines import TwoLayers
from mixhop_tf.layers import SparseDropout
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.tensors import Pair


class TwoLayerModel(GraphModel):
    """Computes `layer(dropout(σ(layer(dropout(X)))))`.

    With `scaling="rows"` the magnitudes in each row of `X` add up to one, as with Kipf and Welling.
    Subclasses make the layers. See `GraphModel` for the arguments.
    """

    architecture: TwoLayers

    def __init__(
        self, architecture: TwoLayers, num_features: int, num_classes: int, **kwargs: Any
    ) -> None:
        super().__init__(architecture, num_features, num_classes, **kwargs)
        seeds = self.draw_seeds(6)
        rates = architecture.input_dropout, architecture.hidden_dropout
        self.dropouts = [
            SparseDropout(rate, seed=next(seeds), **self.named(f"dropout_{i}"))
            for i, rate in enumerate(rates)
        ]
        self.activation = keras.layers.Activation(
            architecture.activation, **self.named("activation")
        )
        regularizers = (
            self.kernel_regularizer,
            self.kernel_regularizer if architecture.penalize_output else None,
        )
        self.convolutions = [
            self.make_layer(
                i,
                kernel_initializer=keras.initializers.GlorotUniform(next(seeds)),
                kernel_regularizer=regularizer,
                seed=next(seeds),
                **self.named(f"{architecture.model}_{i}"),
            )
            for i, regularizer in enumerate(regularizers)
        ]
        widths = num_features, architecture.hidden_width
        for layer, width in zip(self.convolutions, widths, strict=True):
            layer.build([(None, width), (None, None)])
        self.built = True

    @property
    def row_order(self) -> int:
        """The magnitudes in each row add up to one."""
        return 1

    @property
    def layer_hops(self) -> int:
        """Number of products with the operator that a layer makes one after the other."""
        return 1

    @property
    def hops(self) -> int | None:
        """Number of products of both layers."""
        return 2 * self.layer_hops

    def make_layer(self, i: int, *, seed: int | None, **options: Any) -> keras.layers.Layer:
        """Makes layer `i`, which is 0 or 1.

        Args:
            i: Number of the layer.
            seed: Seed of random numbers that the layer draws itself, such as those of dropout.
            **options: Other arguments of the layer.
        """
        raise NotImplementedError

    def width(self, i: int) -> int:
        """Returns the number of output columns of layer `i`."""
        return (self.architecture.hidden_width, self.num_classes)[i]

    def embed(self, inputs: Pair) -> tf.Tensor:
        """Computes the hidden layer `[n, d]` of every node, as inference sees it."""
        features, operator = inputs
        return self.activation(self.convolutions[0]((self.normalize(features), operator)))

    def call(self, inputs: Pair, training: bool = False, normalized: bool = False) -> tf.Tensor:
        """Returns the logits of every node."""
        h, operator = inputs
        h = self.as_floats(h) if normalized else self.normalize(h)
        for i, (dropout, layer) in enumerate(zip(self.dropouts, self.convolutions, strict=True)):
            h = layer((dropout(h, training=training), operator))
            h = h if i else self.activation(h)
        return h
