"""The iterative classification algorithm, as Kipf and Welling (2017) ran it."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.classical.adjacency import plain_adjacency
from mixhop_tf.classical.linear import Linear, OneVsRest
from mixhop_tf.methods import ICA


def aggregated(counts: np.ndarray, aggregate: str) -> np.ndarray:
    """Returns what nodes see of their neighbours' classes.

    Args:
        counts: Number, or weight, of the neighbours of each class, `[…, c]`.
        aggregate: `count`, or `share` to divide by the sum; without neighbours all are zero.
    """
    if aggregate == "count":
        return counts
    sums = counts.sum(axis=-1, keepdims=True)
    return counts / np.where(sums > 0, sums, 1.0)


def classify(
    features: sp.csr_array,
    adjacency: sp.csr_array,
    labels: np.ndarray,
    train: np.ndarray,
    num_classes: int,
    method: ICA,
    l2: float,
    seed: int,
) -> np.ndarray:
    """Classifies all nodes.

    1. Logistic regression on the features gives every unlabelled node a first class.
    2. A second one is fitted to the features and the classes of the neighbours.
    3. In each iteration, it classifies the unlabelled nodes one after the other, in random order;
       each sees the newest classes of its neighbours.

    Args:
        features: Features `[n, s]`.
        adjacency: `A [n, n]`, symmetric.
        labels: Classes of the nodes `[n]`; only those of `train` are used.
        train: Indices of the training nodes.
        num_classes: Number of classes `c`.
        method: The description.
        l2: Penalty of both classifiers; see `Linear` and `OneVsRest`.
        seed: Seed of the order of the nodes.

    Returns:
        Logits `[n, c]` of the second classifier after the last iteration.
    """
    known = labels[train]
    regression = OneVsRest if method.one_vs_rest else Linear
    current = regression(features[train], known, num_classes, l2)(features).argmax(axis=1)
    current[train] = known
    counts = np.asarray(adjacency @ np.eye(num_classes)[current])
    seen = sp.csr_array(aggregated(counts, method.aggregate))
    both = sp.csr_array(sp.hstack([features, seen]))
    relational = regression(both[train], known, num_classes, l2)
    # The part of the logits that the neighbours do not change.
    fixed = np.asarray(features @ relational.kernel[:-num_classes]) + relational.bias
    kernel = relational.kernel[-num_classes:]
    others = np.setdiff1d(np.arange(len(labels)), train)
    rng = np.random.default_rng(seed)
    ends, neighbors, weights = adjacency.indptr, adjacency.indices, adjacency.data
    for _ in range(method.iterations):
        for node in rng.permutation(others):
            answer = (fixed[node] + aggregated(counts[node], method.aggregate) @ kernel).argmax()
            before = current[node]
            if answer != before:
                row = slice(ends[node], ends[node + 1])
                counts[neighbors[row], before] -= weights[row]
                counts[neighbors[row], answer] += weights[row]
                current[node] = answer
    return fixed + aggregated(counts, method.aggregate) @ kernel


def logits(graph: Any, features: sp.csr_array, method: ICA, l2: float, seed: int) -> np.ndarray:
    """Computes the logits of all nodes, float32 `[n, c]`.

    Args:
        graph: The graph.
        features: Its features, scaled `[n, s]`.
        method: The description.
        l2: Penalty of both classifiers; see `Linear`.
        seed: Seed of the order of the nodes.
    """
    adjacency, split = plain_adjacency(graph), (graph.labels, graph.train, graph.num_classes)
    return classify(features, adjacency, *split, method, l2, seed).astype(np.float32)
