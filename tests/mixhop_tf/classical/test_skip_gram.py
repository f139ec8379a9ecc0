"""Embeddings by skip-gram, and Planetoid's losses, against finite differences."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from mixhop_tf import DivergedError, GraphData
from mixhop_tf.classical import planetoid, skip_gram
from mixhop_tf.classical.contexts import Contexts
from mixhop_tf.classical.walks import Walker
from mixhop_tf.methods import DeepWalk, Planetoid

RNG = np.random.default_rng(0)
N, D = 6, 3
PAIRS = Contexts(
    np.array([0, 0, 2, 5, 3]), np.array([1, 4, 4, 5, 0]), np.array([1, -1, 1, 1, -1], np.float32)
)


def loss(embedding, partners):
    products = np.einsum("ij,ij->i", embedding[PAIRS.nodes], partners[PAIRS.contexts])
    return skip_gram.context_loss(products, PAIRS.signs)


def test_an_update_follows_the_gradient():
    embedding, partners = RNG.normal(size=(2, N, D))
    for which in (0, 1):
        start = [embedding.copy(), partners.copy()]
        moved = [each.copy() for each in start]
        skip_gram.update(*moved, PAIRS, 1.0)
        slopes = np.zeros((N, D))
        for i, j in itertools.product(range(N), range(D)):
            nearby = []
            for change in (1e-6, -1e-6):
                changed = [each.copy() for each in start]
                changed[which][i, j] += change
                nearby.append(loss(*changed))
            slopes[i, j] = (nearby[0] - nearby[1]) / 2e-6
        np.testing.assert_allclose(start[which] - moved[which], slopes, atol=1e-6)


def two_rings():
    """Two rings of 8 nodes that do not meet."""
    ring = np.arange(8)
    one = np.stack([ring, (ring + 1) % 8], axis=1)
    return np.concatenate([one, one + 8])


def ring_graph():
    return GraphData(
        edges=two_rings(),
        features=sp.csr_array(np.eye(16, dtype=np.float32)),
        labels=np.repeat([0, 1], 8),
        train=[0, 8],
        val=[1, 9],
        test=[4, 12],
    )


def test_nodes_that_walks_join_get_similar_vectors():
    adjacency = np.zeros((16, 16))
    for u, v in two_rings():
        adjacency[u, v] = adjacency[v, u] = 1
    method = DeepWalk(width=4, rounds=30, embedding_rate=0.1, walk_length=5)
    found = skip_gram.embed(Walker(sp.csr_array(adjacency)), method, np.random.default_rng(0))
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    cosines = unit @ unit.T
    inside, across = cosines[:8, :8], cosines[:8, 8:]
    assert inside.mean() > across.mean() + 0.5


def test_a_rate_that_is_too_large_is_named():
    walker = Walker(sp.csr_array(np.ones((4, 4)) - np.eye(4)))
    with np.errstate(all="ignore"), pytest.raises(DivergedError, match="embedding_rate"):
        skip_gram.embed(walker, DeepWalk(embedding_rate=1e30), np.random.default_rng(0))


@pytest.mark.parametrize("variant", ["t", "i"])
def test_planetoid_learns_labels_through_the_graph(variant):
    method = Planetoid(variant=variant, width=4, rounds=20, embedding_rate=0.1, walk_length=5)
    graph = ring_graph()
    steps = planetoid.steps(graph, graph.features, method, 0.5, seed=0)
    *_, last = itertools.islice(steps, 20)
    again = planetoid.steps(graph, graph.features, method, 0.5, seed=0)
    *_, same = itertools.islice(again, 20)
    np.testing.assert_array_equal(last, same)
    if variant == "t":  # the features say nothing about unlabelled nodes here
        assert (last.argmax(axis=1) == graph.labels).mean() > 0.8


@pytest.mark.parametrize("variant", ["t", "i"])
def test_planetoids_contexts_pull_pairs_together(variant):
    method = Planetoid(variant=variant, width=4)
    features = ring_graph().features
    network = planetoid.PlanetoidNetwork(features, 2, method, 0.5, np.random.default_rng(0))
    pair = [np.array([0]), np.array([1]), np.array([1], np.float32)]
    losses = [float(network.learn_contexts(*pair)) for _ in range(5)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]
