"""Label propagation against its closed form."""

import numpy as np
import pytest
import scipy.sparse as sp

from mixhop_tf import GraphData
from mixhop_tf.classical.adjacency import plain_adjacency
from mixhop_tf.classical.label_propagation import harmonic_function, logits, with_class_masses
from mixhop_tf.methods import LabelPropagation

RNG = np.random.default_rng(5)
N, C = 30, 3
EDGES = np.concatenate(
    [np.stack([np.arange(N - 1), np.arange(1, N)], 1), RNG.integers(N, size=(40, 2))]
)
WEIGHTS = RNG.uniform(0.5, 2.0, len(EDGES))
LABELS = RNG.integers(C, size=N)
LABELLED = np.array([0, 7, 11, 20, 29])


def dense(weights):
    a = np.zeros((N, N))
    for (u, v), w in zip(EDGES, weights, strict=True):
        if u != v:
            a[u, v] += w
            a[v, u] += w
    return a


def graph(**options):
    return GraphData(
        edges=EDGES, labels=LABELS, train=LABELLED, val=[1, 2, 3], test=[4, 5], **options
    )


def test_it_is_the_dense_closed_form():
    a = dense(WEIGHTS)
    others = np.setdiff1d(np.arange(N), LABELLED)
    laplacian = np.diag(a.sum(1)) - a
    known = np.eye(C)[LABELS[LABELLED]]
    expected = np.linalg.solve(
        laplacian[np.ix_(others, others)], a[np.ix_(others, LABELLED)] @ known
    )
    shares = harmonic_function(sp.csr_array(a), LABELLED, LABELS[LABELLED], C)
    np.testing.assert_allclose(shares[others], expected, atol=1e-7)
    np.testing.assert_array_equal(shares[LABELLED], known)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-7)


def test_the_graph_gives_its_weights_and_repeated_edges_add_up():
    found = plain_adjacency(graph(edge_weights=WEIGHTS)).toarray()
    np.testing.assert_allclose(found, dense(WEIGHTS), rtol=1e-5)
    assert plain_adjacency(graph()).max() == 1
    assert not np.diagonal(found).any()


def test_nodes_that_no_label_reaches_get_the_shares_of_the_labels():
    apart = sp.csr_array(sp.block_diag([dense(WEIGHTS), np.ones((2, 2)) - np.eye(2), [[0]]]))
    shares = harmonic_function(apart, LABELLED, LABELS[LABELLED], C)
    prior = np.bincount(LABELS[LABELLED], minlength=C) / len(LABELLED)
    np.testing.assert_allclose(shares[N:], np.tile(prior, (3, 1)))


def test_class_mass_normalization_gives_each_class_its_share():
    shares = RNG.dirichlet(np.ones(C), N)
    others, prior = np.arange(5, N), np.array([0.5, 0.3, 0.2])
    scaled = with_class_masses(shares, others, prior)
    raw = shares[others] * prior / shares[others].sum(axis=0)
    np.testing.assert_allclose(scaled[others], raw / raw.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(scaled[:5], shares[:5])


@pytest.mark.parametrize("mass_normalization", [False, True])
def test_the_logits_are_logarithms_of_shares(mass_normalization):
    found = np.exp(logits(graph(), LabelPropagation(mass_normalization=mass_normalization)))
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(found[LABELLED].argmax(axis=1), LABELS[LABELLED])
