"""Stability selection from graph to architecture."""

import dataclasses

import numpy as np
import pytest
from small_learning import learn_settings

from mixhop_tf import GraphData, StabilitySettings, learn_stable_architecture
from mixhop_tf.pruning.candidates import EVEN, Named
from mixhop_tf.training.latency import prediction_milliseconds

QUICK = StabilitySettings(
    searches=3, width=9, lasso=0.1, first_steps=20, steps=10, growth=2.0, most_points=6, deals=3
)


def learn(graph, settings=None, stability=QUICK, **options):
    return learn_stable_architecture(
        graph, settings or learn_settings(), stability, sizes=(9,), scaling="rows", **options
    )


@pytest.fixture(scope="module")
def learned(small_graph):
    return learn(small_graph)


def test_it_chooses_one_of_the_architectures_that_were_compared(learned):
    assert learned.architecture is learned.candidates[learned.chosen]
    assert Named(9, EVEN) in learned.candidates
    for architecture in learned.candidates.values():
        assert architecture.layers[0].width == 9
    assert {point.search for point in learned.points} == {0, 1, 2}
    assert len(learned.scores) == 3 * len(learned.candidates)
    hidden = [each for each in learned.shares[9] if each.layer == 0]
    assert sum(each.share for each in hidden) == pytest.approx(1)


def test_the_lasso_grows_and_columns_vanish(learned):
    path = [point for point in learned.points if point.search == 0]
    lassos = [point.lasso for point in path]
    np.testing.assert_allclose(np.divide(lassos[1:], lassos[:-1]), QUICK.growth)
    assert sum(path[-1].alive[0].values()) < sum(path[0].alive[0].values())


def test_the_same_seed_gives_the_same_answer_and_nothing_is_done_twice(small_graph, learned):
    made = []
    again = learn(
        small_graph,
        points=[point for point in learned.points if point.search != 1],
        scores=learned.scores[1:],
        on_search=lambda points: made.append(points[0].search),
        on_score=lambda score: made.append((score.name, score.deal)),
    )
    first = learned.scores[0]
    assert made == [1, (first.name, first.deal)]
    assert again.points == learned.points
    assert again.scores == learned.scores
    assert again.chosen == learned.chosen


def two_hop_graph(num_groups=60, size=6, seed=0):
    """Members of a group meet only at its hub; hubs know nothing and have a class of their own."""
    rng = np.random.default_rng(seed)
    num_members = num_groups * size
    group = np.repeat(np.arange(num_groups), size)
    labels = (np.arange(num_groups) % 2)[group]
    hubs = num_members + np.arange(num_groups)
    noise = rng.standard_normal((num_members, 4)) * 2.5
    noise[:, 0] += np.where(labels == 1, 1.0, -1.0)
    nodes = rng.permutation(num_members)
    return GraphData(
        edges=np.stack([np.arange(num_members), hubs[group]], axis=1),
        labels=np.concatenate([labels, np.full(num_groups, -1)]),
        features=np.concatenate([noise, np.zeros((num_groups, 4))]),
        train=nodes[:120],
        val=nodes[120:240],
        test=nodes[240:],
    )


def test_where_only_two_hops_tell_the_class_they_get_the_columns():
    graph = two_hop_graph()
    stability = dataclasses.replace(QUICK, width=20, first_steps=40, steps=20, most_points=12)
    learned = learn_stable_architecture(graph, None, stability, sizes=(9,), scaling="none")
    shares = {each.power: each.share for each in learned.shares[9] if each.layer == 0}
    assert shares[2] == max(shares.values())


def test_a_prediction_takes_time(small_graph, learned):
    assert 0 < prediction_milliseconds(learned.architecture, small_graph) < 10_000
