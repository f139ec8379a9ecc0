"""Measures how long a prediction takes."""

from __future__ import annotations

import time

import numpy as np

from mixhop_tf.architecture import Architecture
from mixhop_tf.models.build import build_model
from mixhop_tf.ops.neighbors import feature_matrix
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.inputs import Inputs
from mixhop_tf.training.large import inference_logits

_REPEATS = 7


def prediction_milliseconds(architecture: Architecture, graph: Graph) -> float:
    """Measures how long a network takes to predict all nodes of a graph on this machine.

    Args:
        architecture: The architecture; its weights do not matter.
        graph: The graph.

    Returns:
        The median of several predictions.
    """
    model = build_model(
        architecture,
        graph.num_features,
        graph.num_classes,
        weighted=graph.edge_weights is not None,
    )
    model.adapt(feature_matrix(graph))
    pair = Inputs.of(graph, model).pair
    inference_logits(model, pair, None)  # the first one loads and allocates
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        inference_logits(model, pair, None).numpy()
        times.append(time.perf_counter() - start)
    return 1e3 * float(np.median(times))
