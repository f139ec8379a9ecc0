"""Networks that read features alone and learn from the graph through a penalty."""

from __future__ import annotations

from typing import Any, ClassVar

import keras
import tensorflow as tf

from mixhop_tf.baselines import ManiReg, SemiEmb
from mixhop_tf.layers import MixHopLayer
from mixhop_tf.models.two_layers import TwoLayerModel
from mixhop_tf.ops.adjacency import Count
from mixhop_tf.ops.laplacian import laplacian
from mixhop_tf.ops.sparse import sparse_matmul
from mixhop_tf.tensors import Operator, Pair

_TINY = 1e-12  # the slope of a root is infinite at zero


def edge_penalty(f: tf.Tensor, matrix: tf.SparseTensor) -> tf.Tensor:
    """Computes the mean over all edges of `|f_u - f_v|^2`, which is `2 tr(Fᵀ L F) / tr(L)`.

    Args:
        f: A row for each node `[n, d]`.
        matrix: The Laplacian `L = D - A`, sparse `[n, n]`. Weights of edges weigh the mean.
    """
    on_diagonal = tf.equal(matrix.indices[:, 0], matrix.indices[:, 1])
    trace = tf.reduce_sum(tf.where(on_diagonal, matrix.values, 0.0))
    return 2 * tf.reduce_sum(f * sparse_matmul(matrix, f)) / tf.maximum(trace, 1.0)


def margin_penalty(f: tf.Tensor, pairs: tf.Tensor, margin: float) -> tf.Tensor:
    """Computes the mean over pairs `[m, 2]` of `max(0, margin - |f_u - f_v|)^2`."""
    differences = tf.gather(f, pairs[:, 0]) - tf.gather(f, pairs[:, 1])
    distances = tf.sqrt(tf.maximum(tf.reduce_sum(differences**2, axis=1), _TINY))
    return tf.reduce_mean(tf.nn.relu(margin - distances) ** 2)


class SmoothedModel(TwoLayerModel):
    """Computes `σ(X W_0) W_1`, and adds a penalty that reads the graph in training.

    Inference ignores the operator, so a new node needs no neighbours. Subclasses name the penalty.
    """

    architecture: ManiReg | SemiEmb

    @property
    def hops(self) -> int | None:
        """None, because the penalty reads all nodes."""
        return None

    def make_layer(self, i: int, *, seed: int | None, **options: Any) -> MixHopLayer:  # noqa: ARG002  # it draws nothing itself
        """Makes a dense layer without bias."""
        return MixHopLayer(powers=(0,), dims=(self.width(i),), **options)

    def operator(self, edges: Any, num_nodes: Count, weights: Any = None) -> Operator:
        """Makes the Laplacian `D - A`."""
        return laplacian(edges, num_nodes, weights, self.compute_dtype)

    def penalty(self, hidden: tf.Tensor, logits: tf.Tensor, matrix: tf.SparseTensor) -> tf.Tensor:
        """Computes the penalty of a training step.

        Args:
            hidden: The hidden layer `[n, d]`.
            logits: The logits `[n, c]`.
            matrix: The Laplacian.
        """
        raise NotImplementedError

    def call(self, inputs: Pair, training: bool = False, normalized: bool = False) -> tf.Tensor:
        """Returns the logits of every node."""
        x, matrix = inputs
        x = self.as_floats(x) if normalized else self.normalize(x)
        first, second = self.convolutions
        hidden = self.activation(first((self.dropouts[0](x, training=training), matrix)))
        logits = second((self.dropouts[1](hidden, training=training), matrix))
        if training:
            self.add_loss(self.architecture.manifold * self.penalty(hidden, logits, matrix))
        return logits


@keras.saving.register_keras_serializable("mixhop_tf")
class ManiRegModel(SmoothedModel):
    """Manifold regularization: neighbours have similar probabilities.

    See `GraphModel` for the arguments.
    """

    architecture_class: ClassVar[type[ManiReg]] = ManiReg
    architecture: ManiReg

    def penalty(self, hidden: tf.Tensor, logits: tf.Tensor, matrix: tf.SparseTensor) -> tf.Tensor:  # noqa: ARG002
        """Computes the mean over all edges of `|p_u - p_v|^2` with probabilities `p`."""
        return edge_penalty(tf.nn.softmax(logits), matrix)


@keras.saving.register_keras_serializable("mixhop_tf")
class SemiEmbModel(SmoothedModel):
    """Semi-supervised embedding: neighbours have similar hidden layers, and random pairs have not.

    See `GraphModel` for the arguments.
    """

    architecture_class: ClassVar[type[SemiEmb]] = SemiEmb
    architecture: SemiEmb

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pair_seeds = keras.random.SeedGenerator(self.seed)

    def penalty(self, hidden: tf.Tensor, logits: tf.Tensor, matrix: tf.SparseTensor) -> tf.Tensor:  # noqa: ARG002
        """Computes the penalty of edges, and of as many random pairs."""
        num_nodes = tf.shape(hidden)[0]
        num_edges = (tf.shape(matrix.values)[0] - num_nodes) // 2
        pairs = keras.random.randint(
            (tf.maximum(num_edges, 1), 2), 0, num_nodes, seed=self.pair_seeds
        )
        return edge_penalty(hidden, matrix) + margin_penalty(
            hidden, pairs, self.architecture.margin
        )
