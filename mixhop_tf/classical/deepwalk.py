"""DeepWalk (Perozzi, Al-Rfou and Skiena, 2014): embed the nodes, then classify linearly."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixhop_tf.classical.adjacency import plain_adjacency
from mixhop_tf.classical.linear import Linear
from mixhop_tf.classical.skip_gram import embed
from mixhop_tf.classical.walks import Walker
from mixhop_tf.methods import DeepWalk


def logits(graph: Any, method: DeepWalk, l2: float, seed: int) -> np.ndarray:
    """Computes the logits of all nodes, float32 `[n, c]`.

    Args:
        graph: The graph; its features are not used.
        method: The description.
        l2: Penalty of the classifier; see `Linear`.
        seed: Seed of walks, pairs and first vectors.
    """
    embedding = embed(Walker(plain_adjacency(graph)), method, np.random.default_rng(seed))
    labels = graph.labels[graph.train]
    classifier = Linear(embedding[graph.train], labels, graph.num_classes, l2)
    return classifier(embedding).astype(np.float32)
