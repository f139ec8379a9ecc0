"""Embeds nodes so that a node and its contexts have a large product (Mikolov et al., 2013)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
import scipy.special

from mixhop_tf.classical.contexts import Contexts, contexts, start_batches
from mixhop_tf.classical.walks import Walker
from mixhop_tf.errors import DivergedError
from mixhop_tf.methods import SkipGram

_BATCH = 200  # walks between two updates


def context_loss(products: np.ndarray, signs: np.ndarray) -> float:
    """Computes the loss of a batch, `- sum log sigmoid(sign * e_i · c_j)`.

    Args:
        products: Products of each pair's vectors `[m]`.
        signs: 1 for pairs that belong together, -1 for others `[m]`.
    """
    return float(-scipy.special.log_expit(signs * products).sum())


def context_slopes(products: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """Computes the derivative of `context_loss` by the products, `[m]`."""
    return -signs * scipy.special.expit(-signs * products)


def scatter_sum(rows: np.ndarray, values: np.ndarray, num_rows: int) -> np.ndarray:
    """Adds up the rows of `values [m, d]` that have the same index; returns `[num_rows, d]`."""
    ends = np.arange(len(rows) + 1)
    places = sp.csr_array((np.ones(len(rows), values.dtype), rows, ends), (len(rows), num_rows))
    return np.asarray(places.T @ values)


def update(embedding: np.ndarray, partners: np.ndarray, pairs: Contexts, rate: float) -> None:
    """Makes one step of gradient descent on both kinds of vectors, in place.

    Args:
        embedding: Vectors of the nodes `E [n, d]`.
        partners: Vectors of the nodes as contexts `C [n, d]`.
        pairs: A batch of pairs.
        rate: Learning rate of a pair.
    """
    own, other = embedding[pairs.nodes], partners[pairs.contexts]
    slopes = context_slopes(np.einsum("ij,ij->i", own, other), pairs.signs)[:, None]
    num_nodes = len(embedding)
    embedding -= rate * scatter_sum(pairs.nodes, slopes * other, num_nodes)
    partners -= rate * scatter_sum(pairs.contexts, slopes * own, num_nodes)


def first_vectors(
    num_nodes: int, width: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draws the embedding and the vectors of contexts to begin with, float32 `[n, d]` each."""
    shape = (num_nodes, width)
    limit = np.sqrt(3 / width)  # vectors have a length of about one
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
    embedding, partners = first_vectors(walker.num_nodes, method.width, rng)
    for starts in start_batches(walker.num_nodes, _BATCH, method.rounds, rng):
        pairs = contexts(walker, starts, method, rng)
        update(embedding, partners, pairs, method.embedding_rate)
    if not np.all(np.isfinite(embedding)):
        raise DivergedError(np.nan, method.rounds, {"embedding_rate": method.embedding_rate})
    return embedding
