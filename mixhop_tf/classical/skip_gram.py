"""Embeds nodes so that a node and its contexts have a large product (Mikolov et al., 2013)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
import scipy.special

from mixhop_tf.classical.contexts import Batch, draw_batch, start_batches
from mixhop_tf.classical.walks import Walker
from mixhop_tf.errors import DivergedError
from mixhop_tf.methods import SkipGram

_BATCH = 200  # walks between two updates


def context_loss(batch: Batch, own: np.ndarray, other: np.ndarray) -> float:
    """Computes the loss of a batch, `- sum log sigmoid(sign * e_i · c_j)` over its pairs.

    Args:
        batch: The batch.
        own: Vectors of its nodes `[u, d]`.
        other: Vectors of its nodes as contexts `[u, d]`.
    """
    walked = own[batch.walks] @ other[batch.walks].transpose(0, 2, 1)
    nodes, contexts, signs = batch.pairs
    products = np.einsum("ij,ij->i", own[nodes], other[contexts])
    near = batch.together * scipy.special.log_expit(walked)
    return -float(near.sum() + scipy.special.log_expit(signs * products).sum())


def context_slopes(
    batch: Batch, own: np.ndarray, other: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Computes the gradient of `context_loss` by both kinds of vectors, `[u, d]` each.

    The pairs of a walk are a band of the product of its nodes' vectors, so no pair is copied.
    """
    first, second = own[batch.walks], other[batch.walks]
    band = -scipy.special.expit(-(first @ second.transpose(0, 2, 1))) * batch.together
    nodes, contexts, signs = batch.pairs
    left, right = own[nodes], other[contexts]
    products = np.einsum("ij,ij->i", left, right)
    slopes = (-signs * scipy.special.expit(-signs * products))[:, None]
    width, walked = own.shape[1], batch.walks.ravel()

    def summed(places: np.ndarray, of_walks: np.ndarray, of_pairs: np.ndarray) -> np.ndarray:
        values = np.concatenate([of_walks.reshape(-1, width), of_pairs])
        return scatter_sum(np.concatenate([walked, places]), values, len(own))

    return (
        summed(nodes, band @ second, slopes * right),
        summed(contexts, band.transpose(0, 2, 1) @ first, slopes * left),
    )


def scatter_sum(rows: np.ndarray, values: np.ndarray, num_rows: int) -> np.ndarray:
    """Adds up the rows of `values [m, d]` that have the same index; returns `[num_rows, d]`."""
    ends = np.arange(len(rows) + 1)
    places = sp.csr_array((np.ones(len(rows), values.dtype), rows, ends), (len(rows), num_rows))
    return np.asarray(places.T @ values)


def update(embedding: np.ndarray, partners: np.ndarray, batch: Batch, rate: float) -> None:
    """Makes one step of gradient descent on both kinds of vectors, in place.

    Args:
        embedding: Vectors of the nodes `E [n, d]`.
        partners: Vectors of the nodes as contexts `C [n, d]`.
        batch: A batch of pairs.
        rate: Learning rate of a pair.
    """
    nodes = batch.nodes
    own, other = context_slopes(batch, embedding[nodes], partners[nodes])
    embedding[nodes] -= rate * own
    partners[nodes] -= rate * other


def first_vectors(
    num_nodes: int, method: SkipGram, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draws the embedding and the vectors of contexts to begin with, float32 `[n, width]` each."""
    shape = (num_nodes, method.width)
    limit = method.start_length * np.sqrt(3 / method.width)
    first, second = (rng.uniform(-limit, limit, shape).astype(np.float32) for _ in range(2))
    return first, second


def embed(walker: Walker, method: SkipGram, rng: np.random.Generator) -> np.ndarray:
    """Embeds all nodes of a graph by `rounds` walks from each.

    Args:
        walker: Makes the walks.
        method: The description.
        rng: Draws everything.

    Returns:
        float32 `[n, width]`.
    """
    embedding, partners = first_vectors(walker.num_nodes, method, rng)
    for starts in start_batches(walker.num_nodes, _BATCH, method.rounds, rng):
        update(embedding, partners, draw_batch(walker, starts, method, rng), method.embedding_rate)
    if not np.all(np.isfinite(embedding)):
        raise DivergedError(np.nan, method.rounds, {"embedding_rate": method.embedding_rate})
    return embedding
