"""From the description of a classical method to its logits, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mixhop_tf.classical import deepwalk, ica, label_propagation, planetoid
from mixhop_tf.classical.features import scaled
from mixhop_tf.methods import ICA, DeepWalk, LabelPropagation, Method, Planetoid
from mixhop_tf.ops.neighbors import feature_matrix


def logits_by_step(
    graph: Any, method: Method, *, scaling: str, learning_rate: float, l2: float, seed: int
) -> Iterator[np.ndarray]:
    """Yields the logits of all nodes after each step, float32 `[n, c]`.

    A method without training has one step. The others never end by themselves.

    Args:
        graph: The graph. Only the labels of its training nodes are used.
        method: The description of the method.
        scaling: Scaling of the features: `rows`, `standardize` or `none`.
        learning_rate: Learning rate of Planetoid's labels.
        l2: Penalty of linear classifiers, `l2 * sum(w^2)` beside the mean cross-entropy.
        seed: Seed of everything that is random.
    """
    if isinstance(method, LabelPropagation):
        yield label_propagation.logits(graph, method)
    elif isinstance(method, DeepWalk):
        yield deepwalk.logits(graph, method, l2, seed)
    elif isinstance(method, ICA):
        yield ica.logits(graph, scaled(feature_matrix(graph), scaling), method, l2, seed)
    elif isinstance(method, Planetoid):
        features = scaled(feature_matrix(graph), scaling)
        yield from planetoid.steps(graph, features, method, learning_rate, seed)
    else:
        raise ValueError(f"`method` must be a classical method. Received: method={method!r}")
