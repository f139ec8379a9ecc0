"""The N-GCN of Abu-El-Haija et al. (2018): networks on powers of the adjacency, and a head."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import keras
import tensorflow as tf

from mixhop_tf.baselines import NGCN
from mixhop_tf.layers import GraphNorm, MixHopLayer, PsumOutput, SparseDropout
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.sparse import shared_rows
from mixhop_tf.tensors import Matrix, Pair

TINY = 1e-7  # representable in half precision


class _Tower:
    """Computes the logits of one power `p`: `Â^p dropout(σ(norm(Â^p dropout(X) W_0))) W_1`."""

    def __init__(
        self, model: NGCNModel, name: str, power: int, seeds: Iterator[int | None]
    ) -> None:
        architecture = model.architecture
        self.dropouts = [
            SparseDropout(rate, seed=next(seeds), **model.named(f"{name}_dropout_{i}"))
            for i, rate in enumerate((architecture.input_dropout, architecture.hidden_dropout))
        ]
        self.mixhops = [
            MixHopLayer(
                powers=(power,),
                dims=(width,),
                normalize_rows=model.scaling == "rows" and not i,
                kernel_initializer=keras.initializers.GlorotUniform(next(seeds)),
                kernel_regularizer=model.kernel_regularizer,
                **model.named(f"{name}_mixhop_{i}"),
            )
            for i, width in enumerate((architecture.hidden_width, model.num_classes))
        ]
        self.norm = GraphNorm(frozen=model.frozen, **model.named(f"{name}_norm"))
        self.activation = keras.activations.get(architecture.activation)
        widths = model.num_features, architecture.hidden_width
        for layer, width in zip(self.mixhops, widths, strict=True):
            layer.build([(None, width), (None, None)])
        self.norm.build((None, architecture.hidden_width))

    @property
    def layers(self) -> list[keras.layers.Layer]:
        return [*self.dropouts, *self.mixhops, self.norm]

    def __call__(
        self, features: Matrix, adjacency: tf.SparseTensor, training: bool, unit_rows: bool
    ) -> tf.Tensor:
        h = self.dropouts[0](features, training=training)
        h = self.mixhops[0]((h, adjacency), unit_rows=unit_rows)
        h = self.activation(self.norm(h, shared_rows(adjacency)))
        return self.mixhops[1]((self.dropouts[1](h, training=training), adjacency))


@keras.saving.register_keras_serializable("mixhop_tf")
class NGCNModel(GraphModel):
    """Classifies nodes with a tower for each replica and power, and a head that combines them.

    Every tower and the head have their own cross-entropy. The gradient of the head does not reach
    the towers. A `dense` head applies a dense layer to the towers' logits after relu. A `psum` head
    takes a weighted mean of the towers' probabilities, and its logits are the logarithm of that
    mean. The head's kernel has no penalty. See `GraphModel` for the arguments.

    Reference: Abu-El-Haija et al., N-GCN: multi-scale graph convolution for semi-supervised node
    classification. FIDELITY: in the authors' code the head sees only the last power's tower of each
    replica, and a psum head uses the mean probabilities as logits. Here the head sees all towers,
    and takes the logarithm.
    """

    architecture_class: ClassVar[type[NGCN]] = NGCN
    architecture: NGCN
    _hides_penalties = False

    def __init__(
        self, architecture: NGCN, num_features: int, num_classes: int, **kwargs: Any
    ) -> None:
        super().__init__(architecture, num_features, num_classes, **kwargs)
        seeds = self.draw_seeds(4 * architecture.num_towers + 1)
        self.towers = [
            _Tower(self, f"tower_{replica}_{power}", power, seeds)
            for replica in range(architecture.replicas)
            for power in architecture.powers
        ]
        # Keras tracks layers in attributes, but does not look inside the towers.
        self.tower_layers = [layer for tower in self.towers for layer in tower.layers]
        if architecture.head == "psum":
            self.head = PsumOutput(num_classes, **self.named("psum"))
        else:
            self.head = keras.layers.Dense(
                num_classes,
                kernel_initializer=keras.initializers.GlorotUniform(next(seeds)),
                **self.named("dense"),
            )
        self._last_logits: list[tf.Tensor] = []
        self.head.build((None, architecture.num_towers * num_classes))
        self.built = True

    @property
    def reach(self) -> int:
        """Twice the highest power: a tower has two layers."""
        return 2 * max(self.architecture.powers)

    def embed(self, inputs: Pair) -> tf.Tensor:
        """Computes the logits of all towers side by side, `[n, towers · c]`: the head's input."""
        return tf.concat(self._tower_logits(inputs, False, False), axis=1)

    def call(self, inputs: Pair, training: bool = False, normalized: bool = False) -> tf.Tensor:
        """Returns the logits of every node."""
        logits = self._tower_logits(inputs, training, normalized)
        if training:
            self._last_logits = logits  # `compute_loss` comes next and needs them
        return self._combine(logits)

    @property
    def losses(self) -> list[tf.Tensor]:
        """Penalties of the weights."""
        return [] if self._hides_penalties else super().losses

    def compute_loss(
        self,
        x: Any = None,
        y: Any = None,
        y_pred: tf.Tensor | None = None,
        sample_weight: Any = None,
        training: bool = True,
    ) -> tf.Tensor:
        """Returns the head's loss with the penalties; in `fit`, plus the losses of the towers."""
        loss = super().compute_loss(x, y, y_pred, sample_weight, training)
        logits, self._last_logits = self._last_logits, []
        if not training:
            return loss
        towers = []
        self._hides_penalties = True  # the head's loss already contains them
        try:
            for each in logits:
                towers.append(super().compute_loss(x, y, each, sample_weight, training))
        finally:
            self._hides_penalties = False
        return loss + sum(towers)

    def training_logits(self, inputs: Pair, normalized: bool = False) -> list[tf.Tensor]:
        """Returns the logits of the towers, then those of the head."""
        logits = self._tower_logits(inputs, True, normalized)
        return [*logits, self._combine(logits)]

    def _tower_logits(self, inputs: Pair, training: bool, normalized: bool) -> list[tf.Tensor]:
        features, adjacency = inputs
        if normalized or self.scaling == "rows":
            features = self.as_floats(features)
        else:
            features = self.normalize(features)
        unit_rows = normalized and not training
        return [tower(features, adjacency, training, unit_rows) for tower in self.towers]

    def _combine(self, logits: list[tf.Tensor]) -> tf.Tensor:
        if self.architecture.head == "psum":
            shares = [tf.stop_gradient(tf.nn.softmax(each)) for each in logits]
            return tf.math.log(self.head(tf.concat(shares, axis=1)) + TINY)
        return self.head(tf.nn.relu(tf.stop_gradient(tf.concat(logits, axis=1))))
