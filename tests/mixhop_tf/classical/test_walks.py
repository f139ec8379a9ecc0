"""Random walks and pairs against their distributions."""

import collections
import time

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.stats

from mixhop_tf.classical.contexts import draw_batch, label_contexts, random_pairs, start_batches
from mixhop_tf.classical.walks import Walker, label_pairs, near
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


def positive_pairs(walks, together):
    """The pairs of nodes that a mask marks, with their number."""
    walk, i, j = np.nonzero(together)
    return collections.Counter(zip(walks[walk, i].tolist(), walks[walk, j].tolist(), strict=True))


def test_near_nodes_are_those_within_the_window_and_differ():
    walks = np.array([[10, 11, 12, 11]])
    one_way = [(10, 11), (11, 12), (12, 11), (10, 12)]  # (11, 11) is no pair
    expected = collections.Counter([*one_way, *((b, a) for a, b in one_way)])
    assert positive_pairs(walks, near(walks, window=2)) == expected


def test_a_batch_holds_the_pairs_of_its_walks():
    walker = Walker(sp.csr_array(WEIGHTS))
    method = DeepWalk(window=2, walk_length=6)
    batch = draw_batch(walker, np.arange(4), method, np.random.default_rng(0))
    walks = walker.walk(np.arange(4), 6, np.random.default_rng(0))
    np.testing.assert_array_equal(batch.nodes[batch.walks], walks)
    plain = collections.Counter(
        (walk[i], walk[j])
        for walk in walks.tolist()
        for i in range(7)
        for j in range(7)
        if 0 < abs(i - j) <= 2 and walk[i] != walk[j]
    )
    assert positive_pairs(walks, batch.together) == plain
    assert batch.num_pairs == sum(plain.values()) + len(batch.pairs.nodes)


def test_random_pairs_have_their_share():
    method = DeepWalk(positive_share=5 / 6)
    rng = np.random.default_rng(0)
    batch = draw_batch(Walker(sp.csr_array(WEIGHTS)), np.arange(4), method, rng)
    assert batch.together.sum() / batch.num_pairs == pytest.approx(5 / 6, abs=0.01)
    assert (batch.pairs.signs == -1).all()


def test_random_pairs_have_the_nodes_of_walks_and_any_context():
    walks = np.array([[0, 1, 2, 1]] * 2000)
    together = near(walks, window=1)
    pairs = random_pairs(walks, together, 5, 0.5, np.random.default_rng(3))
    assert len(pairs.nodes) == together.sum()
    of_walks = collections.Counter(pair[0] for pair in positive_pairs(walks, together).elements())
    expected = np.array([of_walks[node] for node in range(3)], float)
    nodes, contexts = np.bincount(pairs.nodes), np.bincount(pairs.contexts)
    assert scipy.stats.chisquare(nodes, expected).pvalue > 1e-3
    assert scipy.stats.chisquare(contexts).pvalue > 1e-3


def test_pairs_by_labels_have_their_share_of_a_batch():
    nodes, labels = np.arange(4), np.array([0, 0, 1, 1])
    walker, starts = Walker(sp.csr_array(WEIGHTS)), np.zeros(500, np.int64)
    rng = np.random.default_rng(0)
    plain = draw_batch(walker, starts, DeepWalk(), np.random.default_rng(0))
    mixed = draw_batch(walker, starts, DeepWalk(), rng, (nodes, labels), 0.3)
    extra = mixed.num_pairs - plain.num_pairs
    assert extra / mixed.num_pairs == pytest.approx(0.3, abs=1e-3)
    *own, signs = (each[-extra:] for each in mixed.pairs)
    first, second = (labels[mixed.nodes[each]] for each in own)
    np.testing.assert_array_equal(signs > 0, first == second)
    assert (signs > 0).mean() == pytest.approx(5 / 6, abs=0.01)


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


def test_walks_take_a_million_steps_in_a_second_of_cpu_time():
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(20_000, size=(2, 50_000))
    weights = rng.uniform(0.5, 2, 50_000)
    walker = Walker(sp.csr_array((weights, (rows, columns)), (20_000, 20_000)))
    begin = time.process_time()
    walker.walk(np.arange(20_000), 50, rng)
    assert time.process_time() - begin < 1
