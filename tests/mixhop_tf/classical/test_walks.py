"""Random walks and pairs against their distributions."""

import collections

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.stats

from mixhop_tf.classical.contexts import contexts, label_contexts, start_batches
from mixhop_tf.classical.walks import Walker, context_pairs, label_pairs
from mixhop_tf.methods import DeepWalk

WEIGHTS = np.array(
    [
        [0, 1, 3, 0, 0],
        [1, 0, 2, 0, 0],
        [3, 2, 0, 5, 0],
        [0, 0, 5, 0, 0],
        [0, 0, 0, 0, 0],
    ],
    float,
)


@pytest.mark.parametrize("weighted", [False, True])
def test_steps_have_the_transition_probabilities(weighted):
    matrix = WEIGHTS if weighted else (WEIGHTS > 0).astype(float)
    walks = Walker(sp.csr_array(matrix)).walk(
        np.repeat(np.arange(4), 4000), 3, np.random.default_rng(0)
    )
    for node in range(4):
        there = walks[:, 1:][walks[:, :-1] == node]
        counts = np.bincount(there, minlength=5)
        expected = matrix[node] / matrix[node].sum() * len(there)
        possible = expected > 0
        assert counts[~possible].sum() == 0
        assert possible.sum() == 1 or (
            scipy.stats.chisquare(counts[possible], expected[possible]).pvalue > 1e-3
        )


def test_a_node_without_neighbours_stays():
    walks = Walker(sp.csr_array(WEIGHTS)).walk(np.array([4, 4]), 3, np.random.default_rng(0))
    np.testing.assert_array_equal(walks, np.full((2, 4), 4))


def test_pairs_are_those_within_the_window():
    pairs = context_pairs(np.array([[10, 11, 12, 13]]), window=2)
    near = {(10, 11), (11, 12), (12, 13), (10, 12), (11, 13)}
    assert collections.Counter(map(tuple, pairs.tolist())) == collections.Counter(
        [*near, *((b, a) for a, b in near)]
    )


def test_random_pairs_have_their_share():
    method = DeepWalk(positive_share=5 / 6)
    rng = np.random.default_rng(0)
    drawn = contexts(Walker(sp.csr_array(WEIGHTS)), np.arange(4), method, rng)
    assert (drawn.signs > 0).mean() == pytest.approx(5 / 6, abs=0.01)
    assert (drawn.nodes[drawn.signs > 0] != drawn.contexts[drawn.signs > 0]).all()


@pytest.mark.parametrize("alike", [True, False])
def test_label_pairs_are_uniform_over_the_partners(alike):
    nodes, labels = np.array([5, 6, 7, 8, 9, 10]), np.array([1, 0, 1, 0, 1, 2])
    pairs = label_pairs(nodes, labels, 20_000, alike, np.random.default_rng(2))
    label_of = dict(zip(nodes.tolist(), labels.tolist(), strict=True))
    allowed = [
        (a, b)
        for a in label_of
        for b in label_of
        if a != b and (label_of[a] == label_of[b]) == alike
    ]
    firsts = {a for a, _ in allowed}
    counts = collections.Counter(map(tuple, pairs.tolist()))
    assert set(counts) == set(allowed)
    expected = [
        len(pairs) / len(firsts) / sum(first == a for first, _ in allowed) for a, _ in allowed
    ]
    observed = [counts[pair] for pair in allowed]
    assert scipy.stats.chisquare(observed, expected).pvalue > 1e-3


def test_one_class_has_no_pairs_with_different_labels():
    drawn = label_contexts(np.arange(3), np.zeros(3, int), 50, 0.5, np.random.default_rng(0))
    assert (drawn.signs == 1).all()
    assert 0 < len(drawn.nodes) < 50


def test_every_node_starts_once_in_a_round():
    batches = list(start_batches(10, 4, 2, np.random.default_rng(0)))
    assert [len(batch) for batch in batches] == [4, 4, 2] * 2
    for half in (batches[:3], batches[3:]):
        np.testing.assert_array_equal(np.sort(np.concatenate(half)), np.arange(10))
