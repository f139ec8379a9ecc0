"""Stores the statistics of one graph in batch norm, for serving."""

from __future__ import annotations

import warnings

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.tensors import Pair


def freeze_statistics(model: GraphModel, inputs: Pair | None) -> GraphModel:
    """Copies a model so that its batch norm uses the statistics of one graph for every input.

    On that graph the copy computes the same logits as the model. Without frozen statistics, the
    logits of a node depend on all nodes of its graph.

    Args:
        model: The `GraphModel` to copy.
        inputs: The pair `(features, operator)` of the training graph. A frozen model needs none.

    Returns:
        The copy, with `frozen=True`.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the model has already warned about unused columns
        copy = type(model).from_config(model.get_config() | {"frozen": True})
    copy.set_weights(model.get_weights())
    if copy.norms and not model.frozen:
        for norm in copy.norms:
            norm.recording = True
        copy(inputs)
        for norm in copy.norms:
            norm.recording = False
    return copy
