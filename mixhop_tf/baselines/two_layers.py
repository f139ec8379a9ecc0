"""What GCN, Chebyshev, GAT and MLP have in common."""

import keras

from mixhop_tf.graph_model import GraphModel
from mixhop_tf.layers import SparseDropout


class TwoLayerModel(GraphModel):
    """`layer(dropout(σ(layer(dropout(X)))))`, the magnitudes in each row of `X` adding up to one.

    So Kipf and Welling scale the features. Subclasses make the layer that the model is named after.
    See `GraphModel` for the arguments.
    """

    row_order = 1
    layer_hops = 1  # products with the operator that a layer makes one after the other

    def __init__(self, architecture, num_features, num_classes, **kwargs):
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
    def hops(self):
        """Those of both layers."""
        return 2 * self.layer_hops

    def make_layer(self, i, *, seed, **options):
        """Layer `i`, 0 or 1, of the model; `seed` is for what it draws itself."""
        raise NotImplementedError

    def width(self, i):
        """Number of output columns of layer `i`."""
        return (self.architecture.hidden_width, self.num_classes)[i]

    def call(self, inputs, training=False, normalized=False):
        """Logits of every node."""
        h, operator = inputs
        h = self.as_floats(h) if normalized else self.normalize(h)
        for i, (dropout, layer) in enumerate(zip(self.dropouts, self.convolutions, strict=True)):
            h = layer((dropout(h, training=training), operator))
            h = h if i else self.activation(h)
        return h
