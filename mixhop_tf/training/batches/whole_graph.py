"""Computes exact logits of all nodes after a training on batches."""

from __future__ import annotations

import numpy as np

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.inputs import Inputs


def whole_graph_logits(model: GraphModel, graph: Graph, inputs: Inputs | None) -> np.ndarray:
    """Computes the logits `[n, c]` with the adjacency and the batch norm of the whole graph."""
    inputs = inputs or Inputs.of(graph, model)
    return model(inputs.pair, normalized=True).numpy()
