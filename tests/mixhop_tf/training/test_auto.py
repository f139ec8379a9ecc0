"""The search for settings: what it tries, how large it is, and what it chooses."""

import dataclasses
import math

import numpy as np
import pytest

from mixhop_tf import (
    AdjacencySpec,
    Architecture,
    DivergedError,
    GraphData,
    SettingError,
    Settings,
    choose_settings,
)
from mixhop_tf.training import auto, choose
from mixhop_tf.training.auto import Candidate, Score, candidates, plan

RNG = np.random.default_rng(0)


def graph_of(num_nodes=60, num_val=15, num_edges=100, seed=0):
    """Features tell the class; edges are drawn at random, so they tell nothing."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=num_nodes)
    labels[:3] = 0, 1, 2
    nodes = rng.permutation(np.arange(3, num_nodes))
    return GraphData(
        edges=rng.integers(num_nodes, size=(num_edges, 2)),
        labels=labels,
        features=rng.normal(size=(num_nodes, 5)) + 2 * np.eye(3, 5)[labels],
        train=[0, 1, 2, *nodes[: num_nodes // 2]],
        val=nodes[num_nodes // 2 :][:num_val],
        test=nodes[num_nodes // 2 + num_val :],
    )


def scores(**values):
    """Scores of trials as if they were made, for all rounds."""
    return {
        (name, i): Score(value, 0.0, math.sqrt(abs(value * (1 - value)) / 15))
        for name, value in values.items()
        for i in range(9)
    }


def test_the_candidates_are_these():
    found = {each.name: each for each in candidates(3)}
    assert list(found) == ["general", "own", "alone", "dropout", "penalty"]
    assert found["general"].architecture == Architecture.default(
        3, input_dropout=0.5, hidden_dropout=0.5
    )
    assert found["own"].architecture.layers[0].dims == (60, 0, 0)
    assert found["own"].architecture.layers[1].dims == (3, 3, 3)
    assert found["alone"].architecture.layers[0].powers == (0,)
    assert found["penalty"].architecture == found["general"].architecture
    assert {each.settings.patience_for for each in found.values()} == {"either"}
    for each in found.values():
        rate = each.shape.dropout or 0.5
        made = Architecture.from_notation(
            each.shape.notation, num_classes=3, input_dropout=rate, hidden_dropout=rate
        )
        assert made == each.architecture
    assert found["dropout"].settings == found["general"].settings
    assert found["dropout"].shape.dropout > 0.5


def test_both_directions_are_also_tried_as_one():
    both = AdjacencySpec(direction="both")
    found = {each.name: each for each in candidates(3, adjacency=both)}
    assert list(found) == ["general", "deep", "sums", "dropout", "own", "alone"]
    deep, sums = found["deep"], found["sums"]
    assert [layer.powers for layer in deep.architecture.layers] == [(0, 1, -1)] * 3
    assert deep.architecture.jumping
    assert sums.architecture == dataclasses.replace(
        deep.architecture, adjacency=AdjacencySpec(direction="both", normalization="none")
    )
    assert sums.settings == dataclasses.replace(deep.settings, learning_rate=0.03)
    plain = {each.name: each for each in candidates(3)}
    assert found["dropout"].architecture == plain["dropout"].architecture
    assert found["dropout"].settings == plain["dropout"].settings
    directed = ["general", "deep", "own", "alone"]
    assert {found[name].architecture.adjacency for name in directed} == {both}


def test_a_normalization_that_was_asked_for_stays():
    rows = AdjacencySpec(direction="both", normalization="row")
    found = {each.name: each for each in candidates(3, adjacency=rows)}
    assert {each.architecture.adjacency.normalization for each in found.values()} == {"row"}
    assert found["dropout"].architecture.adjacency == AdjacencySpec(normalization="row")


def test_a_fixed_architecture_is_tried_with_different_settings():
    fixed = Architecture.default(3, adjacency=AdjacencySpec(direction="both"))
    tried = plan(graph_of(), candidates(3, architecture_of=lambda *_: fixed))[0]
    assert [each.name for each in tried] == ["general", "sums", "own"]


def test_a_search_in_both_directions_may_be_three_times_as_large():
    tried = candidates(3, adjacency=AdjacencySpec(direction="both"))
    work = math.ceil(sum(auto._work(each, graph_of()) for each in tried[:3]) / 3)
    assert [each.name for each in plan(graph_of(), tried, work)[0]] == ["general", "deep", "sums"]


def test_a_candidate_that_diverges_has_lost():
    graph = GraphData(
        edges=[[0, 1], [1, 2], [2, 3]],
        edge_weights=[1e30] * 3,  # which only sums feel
        labels=[0, 0, 1, 1],
        train=[0, 3],
        val=[1, 2],
        directed=True,
    )
    both = AdjacencySpec(direction="both")
    found = {x.name: x for x in candidates(2, Settings(max_steps=2), adjacency=both)}
    general, sums = found["general"], found["sums"]
    choice = choose_settings(graph, [general, sums])
    assert choice.candidate == general
    assert choice.scores["sums"].metric == -math.inf
    assert 0 <= choice.scores["general"].metric <= 1
    with pytest.raises(DivergedError):
        choose_settings(graph, [sums, general])


def test_shared_settings_are_kept():
    for each in candidates(2, Settings(select_by="pr_auc", learning_rate=0.1)):
        assert each.settings.select_by == "pr_auc"
        assert each.settings.learning_rate == 0.1


def test_counts_decide_how_large_the_search_is():
    tried = candidates(3)
    small = plan(graph_of(), tried)
    assert (len(small[0]), small[1]) == (5, 5)
    assert plan(graph_of(num_nodes=800, num_val=250), tried)[1] == 4
    assert plan(graph_of(num_nodes=3000, num_val=1000), tried)[1] == 1
    work = sum(auto._work(each, graph_of()) for each in tried[:2])
    assert [each.name for each in plan(graph_of(), tried, work)[0]] == ["general", "own"]
    assert plan(graph_of(), tried, 0) == ([tried[0]], 1)


def test_equal_candidates_are_tried_once():
    same = candidates(3, architecture_of=lambda *_: Architecture.default(3))
    assert [each.name for each in plan(graph_of(), same)[0]] == ["general", "own"]


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        ({"general": 0.5, "own": 0.9, "alone": 0.8, "dropout": 0.6, "penalty": 0.7}, "own"),
        ({"general": 0.5, "own": 0.8, "alone": 0.8, "dropout": 0.6, "penalty": 0.7}, "own"),
        ({"general": 0.5, "own": 0.6, "alone": 0.7, "dropout": 0.6, "penalty": 0.9}, "penalty"),
        ({"general": 0.9, "own": 0.9, "alone": 0.8, "dropout": 0.9, "penalty": 0.9}, "general"),
    ],
)
def test_the_best_mean_wins(given, chosen):
    choice = choose_settings(graph_of(), done=scores(**given))
    assert choice.candidate.name == chosen
    assert choice.num_rounds == 5
    assert choice.scores["own"][0] == pytest.approx(given["own"])


@pytest.mark.parametrize(
    ("ahead", "chosen"),
    [((0.1, -0.05, 0.0, 0.05, 0.0), "general"), ((0.03, 0.02, 0.03, 0.02, 0.0), "own")],
)
def test_a_lead_that_varies_between_the_rounds_may_be_chance(ahead, chosen):
    done = scores(general=0.6, own=0.6, alone=0.5, dropout=0.5, penalty=0.5)
    for i, lead in enumerate(ahead):
        done["own", i] = done["own", i]._replace(metric=0.6 + lead)
    assert choose_settings(graph_of(), done=done).candidate.name == chosen


def test_the_error_of_the_mean_shrinks_with_the_rounds():
    found = choose._mean([Score(0.4, -1.0, 0.3), Score(0.6, -2.0, 0.4)])
    assert found == pytest.approx((0.5, -1.5, 0.25))


@pytest.mark.parametrize(("error", "chosen"), [(0.001, "own"), (0.5, "general")])
def test_the_error_of_the_metric_decides_what_may_be_chance(error, chosen):
    tried = candidates(3, Settings(select_by="loss"))
    done = scores(general=-0.50, own=-0.49, alone=-0.6, dropout=-0.6, penalty=-0.7)
    done = {key: score._replace(error=error) for key, score in done.items()}
    large = graph_of(num_nodes=3000, num_val=1000)  # one round
    assert choose_settings(large, tried, done=done).candidate.name == chosen


def few_steps():
    return [
        dataclasses.replace(each, settings=dataclasses.replace(each.settings, max_steps=40))
        for each in candidates(3)
    ]


def test_the_same_seed_gives_the_same_choice_and_resumes():
    graph, trials = graph_of(), []
    work = 2 * sum(auto._work(each, graph) for each in few_steps())
    first = choose_settings(graph, few_steps(), seed=1, work=work, on_trial=trials.append)
    assert len(trials) == 10
    done = {(each.name, each.round): each.score for each in trials[:5]}
    made = []
    second = choose_settings(graph, few_steps(), seed=1, work=work, done=done, on_trial=made.append)
    assert made == trials
    assert second == first


def test_a_rare_class_is_looked_for():
    labels = np.zeros(100, int)
    labels[::10] = 1
    nodes = np.arange(100)
    graph = GraphData(
        edges=[[0, 1]], labels=labels, features=np.eye(100, 4), train=nodes[:50], val=nodes[50:]
    )
    settings = choose_settings(graph, work=0).candidate.settings
    assert (settings.select_by, settings.threshold) == ("pr_auc", "auto")


def test_rounds_deal_training_and_validation_nodes_anew():
    graph = graph_of()
    assert choose.redealt(graph, 0, 7).train is graph.train
    seen = set()
    for number in (1, 2):
        dealt = choose.redealt(graph, number, 7)
        assert not set(dealt.train) & set(dealt.val)
        assert sorted([*dealt.train, *dealt.val]) == sorted([*graph.train, *graph.val])
        assert abs(len(dealt.train) - len(graph.train)) <= 3
        assert not len(dealt.test)
        seen.add(tuple(dealt.val))
    assert len(seen) == 2


def test_a_negative_size_is_refused():
    with pytest.raises(SettingError, match="`work` must not be negative"):
        choose_settings(graph_of(), work=-1)


def test_a_candidate_is_plain_data():
    each = candidates(3)[0]
    assert each == Candidate(**vars(each))
