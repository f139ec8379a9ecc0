"""Small models and inputs for tests of the library."""

import numpy as np
import tensorflow as tf

from mixhop_tf import Architecture, LayerSpec, build_model, normalized_adjacency

NUM_FEATURES, NUM_CLASSES = 5, 3
DENSE = Architecture(
    layers=(
        LayerSpec(powers=(0, 2), dims=(4, 3), activation="tanh", batch_norm=True, dropout=0.1),
        LayerSpec(powers=(1, 0), dims=(2, 3)),
        LayerSpec(powers=(0, 1), dims=(3, 3), activation="relu", batch_norm=True),
    ),
    output="dense",
)
LEARNED = Architecture.from_notation("0:24:0,1:18:7,2:18:7", num_classes=7)
THREE_LAYERS = Architecture(
    layers=(
        LayerSpec(
            powers=(0, 1, 2), dims=(17, 22, 21), activation="tanh", batch_norm=True, dropout=0.3
        ),
        LayerSpec(powers=(0, 1, 2), dims=(3, 1, 6), dropout=0.7),
        LayerSpec(
            powers=(0, 1, 2), dims=(2, 4, 4), activation="tanh", batch_norm=True, dropout=0.7
        ),
    ),
    output="dense",
    output_dropout=0.7,
)


def random_inputs():
    rng = np.random.default_rng(0)
    edges = rng.integers(12, size=(20, 2))
    features = tf.constant(rng.standard_normal((12, NUM_FEATURES)), tf.float32)
    return features, normalized_adjacency(edges[edges[:, 0] != edges[:, 1]], 12)


def random_model(architecture):
    """Builds a model whose weights are all random, so that all columns and groups differ."""
    model = build_model(architecture, NUM_FEATURES, NUM_CLASSES, seed=0)
    rng = np.random.default_rng(1)
    for weight in model.weights:
        weight.assign(rng.standard_normal(weight.shape) + 0.5)
    return model
