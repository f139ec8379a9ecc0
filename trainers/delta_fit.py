"""Layers fitted to the two-hop delta operator: who can represent it, and who cannot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from mixhop_tf import MixHopLayer, normalized_adjacency
from mixhop_tf.baselines import GraphConvolution
from trainers.experiments import DELTA_FIT_RATE


def random_adjacencies(num_graphs: int, num_nodes: int, seed: int) -> list[tf.SparseTensor]:
    """`Â` of random graphs with about two edges a node."""
    rng = np.random.default_rng(seed)
    return [
        normalized_adjacency(rng.integers(num_nodes, size=(2 * num_nodes, 2)), num_nodes)
        for _ in range(num_graphs)
    ]


def mixhop_layers(num_nodes: int) -> list[Any]:
    """A layer with powers 0, 1 and 2, and one that combines them."""
    return [
        MixHopLayer(powers=(0, 1, 2), dims=(num_nodes,) * 3),
        MixHopLayer(powers=(0,), dims=(num_nodes,)),
    ]


def gcn_layers(depth: int, num_nodes: int) -> list[Any]:
    """So many graph convolutions."""
    return [GraphConvolution(num_nodes) for _ in range(depth)]


def fit(
    layers: Sequence[Any], adjacencies: Sequence[tf.SparseTensor], num_steps: int, seed: int
) -> np.ndarray:
    """Fits linear layers to `Â - Â²` on several graphs at once, with Adam.

    Features are the identity, so that the output is the operator itself.

    Returns:
        The squared error after each step, as a share of the mean square of the target: 1 is what
        predicting zero has.
    """
    keras.utils.set_random_seed(seed)
    targets = [_delta(adjacency) for adjacency in adjacencies]
    scale = tf.add_n([tf.reduce_mean(tf.square(target)) for target in targets])
    optimizer = keras.optimizers.Adam(DELTA_FIT_RATE)

    def error() -> tf.Tensor:
        total = 0.0
        for adjacency, target in zip(adjacencies, targets, strict=True):
            h = tf.eye(target.shape[0])
            for layer in layers:
                h = layer((h, adjacency))
            total += tf.reduce_mean(tf.square(h - target))
        return total / scale

    error()  # builds the layers
    variables = [variable for layer in layers for variable in layer.trainable_variables]

    def update() -> tf.Tensor:
        with tf.GradientTape() as tape:
            value = error()
        optimizer.apply(tape.gradient(value, variables), variables)
        return value

    step = tf.function(update)
    return np.array([float(step()) for _ in range(num_steps)])


def _delta(adjacency: tf.SparseTensor) -> tf.Tensor:
    dense = tf.sparse.to_dense(adjacency)
    return dense - dense @ dense
