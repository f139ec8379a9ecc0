"""Batch norm by the statistics of one graph, for serving."""

import warnings

from mixhop_tf.layers import GraphNorm


def freeze_statistics(model, inputs):
    """A copy of `model` whose batch norm uses the statistics of one graph, whatever it is sent.

    On that graph the copy gives the model's own logits. Without it, an answer for a node depends on
    all the nodes it is sent with.

    Args:
        model: A `GraphModel`.
        inputs: The pair `(features, operator)` of the training graph.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of wasted columns the model has warned already
        copy = type(model).from_config(model.get_config() | {"frozen": True})
    copy.set_weights(model.get_weights())
    norms = [layer for layer in copy._flatten_layers() if isinstance(layer, GraphNorm)]
    if norms and not model.frozen:
        for norm in norms:
            norm.recording = True
        copy(inputs)
        for norm in norms:
            norm.recording = False
    return copy
