"""Settings for a graph whose two classes differ much in size."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixhop_tf.training.graph import Graph
from mixhop_tf.training.settings import AUTO, BALANCED

# Below this share of the training nodes, always answering the larger class looks good.
RARE = 0.2


def suggested(graph: Graph) -> dict[str, Any]:
    """Returns settings under which a rare class is looked for and found.

    Where accuracy is dominated by the larger of two classes, the average precision of the rarer
    one selects, both classes count the same in the loss, a threshold is chosen, and probabilities
    are calibrated, which undoes the weights of the classes.

    Args:
        graph: The graph, with training nodes.

    Returns:
        Fields of `Settings` by name; none unless there are two classes and the rarer one has less
        than a fifth of the training nodes.
    """
    if graph.num_classes != 2:
        return {}
    counts = np.bincount(graph.labels[graph.train], minlength=2)
    if not counts.min() or counts.min() >= RARE * counts.sum():
        return {}
    return {
        "select_by": "pr_auc",
        "class_weight": BALANCED,
        "threshold": AUTO,
        "calibrate": True,
    }
