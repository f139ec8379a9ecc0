"""Label propagation: the harmonic function of Zhu, Ghahramani and Lafferty (2003)."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.csgraph
import scipy.sparse.linalg

from mixhop_tf.classical.adjacency import plain_adjacency
from mixhop_tf.methods import LabelPropagation

_TOLERANCE = 1e-10
_TINY = 1e-12  # its logarithm is finite


def harmonic_function(
    adjacency: sp.csr_array, labelled: np.ndarray, labels: np.ndarray, num_classes: int
) -> np.ndarray:
    """Computes the share of each class at each node, of which every unlabelled one has the mean.

    With `F_L` the one-hot labels, `F_U = (D_UU - A_UU)^-1 A_UL F_L`. It is the probability that a
    random walk from a node meets a label of the class first. A part of the graph without a label
    gets the shares of the labels.

    Args:
        adjacency: `A [n, n]`, symmetric.
        labelled: Indices of the labelled nodes `[k]`.
        labels: Their classes `[k]`.
        num_classes: Number of classes `c`.

    Returns:
        Shares of the classes, float64 `[n, c]`; each row adds up to one.
    """
    adjacency = adjacency.astype(np.float64)
    num_nodes = adjacency.shape[0]
    known = np.eye(num_classes)[labels]
    shares = np.tile(known.mean(axis=0), (num_nodes, 1))
    shares[labelled] = known
    _, parts = scipy.sparse.csgraph.connected_components(adjacency, directed=False)
    reached = np.isin(parts, parts[labelled])
    reached[labelled] = False
    nodes = np.flatnonzero(reached)
    if not len(nodes):
        return shares
    degrees = np.asarray(adjacency.sum(axis=1)).ravel()[nodes]
    rows = adjacency[nodes]
    laplacian = sp.csr_array(sp.diags_array(degrees) - rows[:, nodes])
    inflow = rows[:, labelled] @ known
    scale = sp.diags_array(1 / degrees)
    for j in range(num_classes):
        # Conjugate gradients: the matrix is positive definite, since every part has a label.
        solved, failed = scipy.sparse.linalg.cg(
            laplacian, inflow[:, j], rtol=_TOLERANCE, maxiter=10 * len(nodes) + 100, M=scale
        )
        if failed:
            raise ArithmeticError("Label propagation did not converge; are some weights tiny?")
        shares[nodes, j] = solved
    return shares


def with_class_masses(shares: np.ndarray, others: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Scales the classes so that each has its share of the unlabelled nodes.

    `F_uj p_j / sum over unlabelled v of F_vj`, then each row is divided by its sum.

    Args:
        shares: Shares of the classes `[n, c]`.
        others: Indices of the unlabelled nodes.
        prior: Share `p` that each class should have `[c]`.
    """
    masses = shares[others].sum(axis=0)
    scaled = shares.copy()
    scaled[others] *= prior / np.maximum(masses, _TINY)
    return scaled / np.maximum(scaled.sum(axis=1, keepdims=True), _TINY)


def logits(graph: Any, method: LabelPropagation) -> np.ndarray:
    """Computes the logarithm of the shares, float32 `[n, c]`, from the training labels.

    Args:
        graph: The graph; its features are not used.
        method: The description.
    """
    labels = graph.labels[graph.train]
    shares = harmonic_function(plain_adjacency(graph), graph.train, labels, graph.num_classes)
    if method.mass_normalization:
        prior = np.bincount(labels, minlength=graph.num_classes) / len(labels)
        others = np.setdiff1d(np.arange(graph.num_nodes), graph.train)
        shares = with_class_masses(shares, others, prior)
    return np.log(np.maximum(shares, _TINY)).astype(np.float32)
