"""Reads and writes the weights of a model by name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import mixhop_tf

Weights = Mapping[str, np.ndarray]


def weights_of(model: mixhop_tf.GraphModel) -> dict[str, np.ndarray]:
    """Returns a model's weights by name, such as `mixhop_0/kernel_1` or `psum/q`."""
    return {weight.path: weight.numpy() for weight in model.weights}


def load_weights(model: mixhop_tf.GraphModel, weights: Weights) -> None:
    """Assigns weights by name to a model of the same architecture."""
    names = [weight.path for weight in model.weights]
    if set(names) != set(weights):
        raise ValueError(
            "`weights` must have the names of the model's weights. "
            f"Received: {sorted(set(weights) ^ set(names))} on one side only"
        )
    for weight in model.weights:
        weight.assign(weights[weight.path])
