"""Fits layers to the two-hop delta operator, to show which can represent it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf
from tqdm import tqdm

from mixhop_tf.layers import GraphConvolution, MixHopLayer
from mixhop_tf.ops.adjacency import normalized_adjacency

RATE = 0.03  # Adam's learning rate


def fit_all(
    depths: Sequence[int], num_graphs: int, num_nodes: int, num_steps: int, seed: int
) -> dict[str, np.ndarray]:
    """Fits a MixHop network and GCNs of these depths on random graphs.

    Returns:
        The error after each step (see `fit`) by name of the network.
    """
    adjacency = random_graphs(num_graphs, num_nodes, seed)
    networks = {"MixHop": mixhop_layers(num_nodes)}
    for depth in depths:
        networks[f"GCN, depth {depth}"] = gcn_layers(depth, num_nodes)
    return {
        name: fit(layers, adjacency, num_nodes, num_steps, seed)
        for name, layers in tqdm(networks.items(), unit="fit", disable=None)
    }


def random_graphs(num_graphs: int, num_nodes: int, seed: int) -> tf.SparseTensor:
    """`Â` of random graphs with about two edges per node, as one graph with many components."""
    rng = np.random.default_rng(seed)
    edges = rng.integers(num_nodes, size=(num_graphs, 2 * num_nodes, 2))
    edges += num_nodes * np.arange(num_graphs)[:, None, None]
    return normalized_adjacency(edges.reshape(-1, 2), num_graphs * num_nodes)


def mixhop_layers(num_nodes: int) -> list[Any]:
    """A layer with powers 0, 1 and 2, and one that combines them."""
    return [
        MixHopLayer(powers=(0, 1, 2), dims=(num_nodes,) * 3),
        MixHopLayer(powers=(0,), dims=(num_nodes,)),
    ]


def gcn_layers(depth: int, num_nodes: int) -> list[Any]:
    """A stack of `depth` graph convolutions."""
    return [GraphConvolution(num_nodes) for _ in range(depth)]


def fit(
    layers: Sequence[Any], adjacency: tf.SparseTensor, num_nodes: int, num_steps: int, seed: int
) -> np.ndarray:
    """Fits linear layers to `Â - Â²` on several graphs at once, with Adam.

    The features of each graph are the identity, so that the output is the operator itself.

    Args:
        layers: Layers, applied one after the other.
        adjacency: `Â` of all graphs together.
        num_nodes: Nodes of each graph.
        num_steps: Number of updates.
        seed: Seed of the weights.

    Returns:
        The squared error after each step, as a share of the mean square of the target. A network
        that predicts zero has error 1.
    """
    keras.utils.set_random_seed(seed)
    identities = tf.tile(tf.eye(num_nodes), [adjacency.shape[0] // num_nodes, 1])
    once = tf.sparse.sparse_dense_matmul(adjacency, identities)
    target = once - tf.sparse.sparse_dense_matmul(adjacency, once)
    optimizer = keras.optimizers.Adam(RATE)

    def error() -> tf.Tensor:
        h = identities
        for layer in layers:
            h = layer((h, adjacency))
        return tf.reduce_sum(tf.square(h - target)) / tf.reduce_sum(tf.square(target))

    error()  # builds the layers
    variables = [variable for layer in layers for variable in layer.trainable_variables]

    def update() -> tf.Tensor:
        with tf.GradientTape() as tape:
            value = error()
        optimizer.apply(tape.gradient(value, variables), variables)
        return value

    step = tf.function(update, autograph=False)
    return np.array([float(step()) for _ in range(num_steps)])
