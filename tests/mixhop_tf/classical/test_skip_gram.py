"""Embeddings by skip-gram, and Planetoid's losses, against finite differences."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf import DivergedError, GraphData
from mixhop_tf.classical import planetoid, skip_gram
from mixhop_tf.classical.contexts import Batch, Pairs
from mixhop_tf.classical.walks import Walker, near
from mixhop_tf.methods import DeepWalk, Planetoid

RNG = np.random.default_rng(0)
N, D = 6, 3
WALKS = np.array([[4, 0, 3, 0, 5], [2, 5, 4, 3, 2]])
PAIRS = Pairs(
    np.array([0, 0, 2, 5, 3]), np.array([1, 4, 4, 5, 0]), np.array([1, -1, 1, 1, -1], np.float32)
)
BATCH = Batch.of(WALKS, near(WALKS, 2), PAIRS)


def pairs_of_the_batch():
    """Every pair of the batch with its sign, one after the other."""
    for walk in WALKS:
        for i, j in itertools.permutations(range(5), 2):
            if abs(i - j) <= 2 and walk[i] != walk[j]:
                yield walk[i], walk[j], 1.0
    yield from zip(*PAIRS, strict=True)


def loss(embedding, partners):
    return sum(
        np.log1p(np.exp(-sign * embedding[i] @ partners[j])) for i, j, sign in pairs_of_the_batch()
    )


def test_the_loss_is_that_of_all_pairs():
    embedding, partners = RNG.normal(size=(2, N, D))
    found = skip_gram.context_loss(BATCH, embedding[BATCH.nodes], partners[BATCH.nodes])
    assert found == pytest.approx(loss(embedding, partners))


def test_an_update_follows_the_gradient():
    embedding, partners = RNG.normal(size=(2, N, D))
    for which in (0, 1):
        start = [embedding.copy(), partners.copy()]
        moved = [each.copy() for each in start]
        skip_gram.update(*moved, BATCH, 1.0)
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


def ring_graph(edges=None):
    return GraphData(
        edges=two_rings() if edges is None else edges,
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


def network_of(variant):
    method = Planetoid(variant=variant, width=4, start_length=1.0, layer_rate=0.02)
    rng = np.random.default_rng(0)
    return planetoid.PlanetoidNetwork(ring_graph().features, 2, method, 0.5, rng)


@pytest.mark.parametrize("variant", ["t", "i"])
def test_planetoids_contexts_pull_pairs_together(variant):
    network = network_of(variant)
    walks = np.array([[0, 1, 2]])
    batch = Batch.of(walks, near(walks, 1), Pairs(*np.array([[3], [9]]), np.float32([-1])))
    losses = []
    for _ in range(5):
        embedding = network.embedding(batch.nodes)
        losses.append(skip_gram.context_loss(batch, embedding, network.partners[batch.nodes]))
        network.learn_contexts(batch)
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


def test_the_layer_of_the_inductive_variant_follows_the_gradient_of_the_pairs():
    network = network_of("i")
    kernel, bias = (tf.Variable(each) for each in network.layer)
    features, partners = ring_graph().features.toarray(), network.partners.copy()
    with tf.GradientTape() as tape:
        embedding = tf.nn.relu(features @ kernel + bias)
        terms = [
            tf.nn.softplus(-sign * tf.reduce_sum(embedding[i] * partners[j]))
            for i, j, sign in pairs_of_the_batch()
        ]
        total = tf.add_n(terms)
    slopes = tape.gradient(total, [kernel, bias])
    network.learn_contexts(BATCH)
    for found, start, slope in zip(network.layer, (kernel, bias), slopes, strict=True):
        np.testing.assert_allclose(found, start - 0.02 * tf.convert_to_tensor(slope), atol=1e-6)


@pytest.mark.parametrize("variant", ["t", "i"])
def test_planetoids_labels_have_less_loss_after_each_step(variant):
    network, nodes = network_of(variant), np.array([0, 8])
    rows, labels = network.rows(nodes), tf.constant([0, 1])
    before = network.embedding(np.arange(16))
    losses = [network.learn_labels(nodes, rows, labels) for _ in range(5)]
    assert losses == sorted(losses, reverse=True)
    changed = np.flatnonzero((network.embedding(np.arange(16)) != before).any(axis=1))
    assert set(nodes) <= set(changed)
    if variant == "t":  # a vector learns only from its own label
        np.testing.assert_array_equal(changed, nodes)


def test_planetoid_draws_batches_of_many_labels():
    method = Planetoid(width=4, rounds=1, walk_length=3, batch_size=1)
    graph = ring_graph()
    first = next(planetoid.steps(graph, graph.features, method, 0.5, seed=0))
    assert first.shape == (16, 2)
    assert np.isfinite(first).all()


@pytest.mark.parametrize("inductive", [False, True])
def test_inductive_training_does_not_see_the_edges_of_test_nodes(inductive):
    method = Planetoid(variant="i", width=4, rounds=2, walk_length=5, inductive=inductive)
    graph = ring_graph()
    edges = two_rings()
    seen = edges[~np.isin(edges, graph.test).any(axis=1)]
    other = ring_graph(np.concatenate([seen, [[4, 12], [0, 4]]]))  # other edges of test nodes
    answers = [
        next(planetoid.steps(each, each.features, method, 0.5, seed=0)) for each in (graph, other)
    ]
    assert np.array_equal(*answers) == inductive


def test_an_embedding_of_unseen_nodes_needs_features():
    with pytest.raises(ValueError, match="`inductive` must be False in variant t"):
        Planetoid(variant="t", inductive=True)
