"""How much the training nodes of each class count in the loss."""

from __future__ import annotations

import numpy as np

from mixhop_tf.errors import SettingError
from mixhop_tf.notation import shown
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.settings import BALANCED, NONE, ClassWeight


def node_weights(class_weight: ClassWeight, graph: Graph) -> np.ndarray | None:
    """Computes the weight of each training node, `[num_train]`; None if all are the same."""
    weights = weights_of_classes(class_weight, graph)
    return None if weights is None else weights[graph.labels[graph.train]].astype(np.float32)


def weights_of_classes(class_weight: ClassWeight, graph: Graph) -> np.ndarray | None:
    """Computes the weight of each class, `[c]`.

    `balanced` gives class `k` the weight `n / (c · n_k)`, where `c` is the number of
    classes among the `n` training nodes; scikit-learn does the same. A class that a table of
    weights leaves out has weight 1.

    Args:
        class_weight: `Settings.class_weight`.
        graph: The graph.

    Returns:
        The weights, or None for `none`.

    Raises:
        SettingError: The table of weights names a class that the graph does not have.
    """
    labels = graph.labels[graph.train]
    if class_weight == NONE:
        return None
    if class_weight == BALANCED:
        counts = np.bincount(labels, minlength=graph.num_classes)
        balanced = len(labels) / (np.count_nonzero(counts) * np.maximum(counts, 1))
        return np.where(counts > 0, balanced, 1.0)
    given = dict(class_weight) if isinstance(class_weight, tuple) else {}
    unknown = sorted(set(given) - set(graph.class_names))
    if unknown:
        rule = f"must name classes of {graph.name}, which has no class {shown(unknown[0])}"
        raise SettingError("class_weight", rule)
    return np.array([given.get(name, 1.0) for name in graph.class_names])
