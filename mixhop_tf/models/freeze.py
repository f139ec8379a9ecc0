"""Batch norm with the statistics of one graph, for serving."""

from __future__ import annotations

import warnings

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.tensors import Pair


def freeze_statistics(model: GraphModel, inputs: Pair) -> GraphModel:
    """A copy of `model` whose batch norm uses the statistics of one graph for every input.

    On that graph the copy gives the model's own logits. Without frozen statistics, the logits of a
    node depend on all the nodes that come with it.

    Args:
        model: A `GraphModel`.
        inputs: The pair `(features, operator)` of the training graph.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the model has warned of wasted columns already
        copy = type(model).from_config(model.get_config() | {"frozen": True})
    copy.set_weights(model.get_weights())
    if copy.norms and not model.frozen:
        for norm in copy.norms:
            norm.recording = True
        copy(inputs)
        for norm in copy.norms:
            norm.recording = False
    return copy
