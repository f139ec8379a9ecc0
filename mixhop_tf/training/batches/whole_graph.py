"""Computes exact logits of all nodes after a training on batches."""

from __future__ import annotations

import numpy as np

from mixhop_tf.inference.blocks import block_logits, can_block, freeze_in_blocks
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.tensors import Pair
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.inputs import Inputs


def whole_graph_logits(
    model: GraphModel, graph: Graph, inputs: Inputs | None
) -> tuple[np.ndarray, GraphModel, Pair | None]:
    """Computes the logits with the adjacency and the batch norm of the whole graph.

    Args:
        model: The trained model.
        graph: The graph.
        inputs: The graph as tensors; None if it is too large for this. It is then computed in
            blocks, if the model allows it.

    Returns:
        The logits `[n, c]`, the model, and its inputs. Without inputs the model is a copy whose
        batch norm has the statistics of the graph, so that it can be served.
    """
    if inputs is None and can_block(model):
        frozen = freeze_in_blocks(model, graph)
        return block_logits(frozen, graph), frozen, None
    inputs = inputs or Inputs.of(graph, model)
    return model(inputs.pair, normalized=True).numpy(), model, inputs.raw_pair
