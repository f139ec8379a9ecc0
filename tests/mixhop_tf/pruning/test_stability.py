"""What many searches say of each power."""

import dataclasses
import json

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from mixhop_tf import LearnSettings, Recipe, SettingError, StabilitySettings
from mixhop_tf.pruning.candidates import EVEN, FAR, HIDDEN, LEARNED, candidates_of, output_powers
from mixhop_tf.pruning.comparison import (
    DealScore,
    clearly_better,
    gain,
    node_variance,
    smallest_within_error,
)
from mixhop_tf.pruning.size_limit import SIZES, Limit
from mixhop_tf.pruning.stability import (
    PathPoint,
    PowerShare,
    divided,
    power_shares,
    stable_widths,
    survivors,
)


def point(search, lasso, *alive):
    return PathPoint(search=search, lasso=lasso, val_accuracy=0.5, val_loss=1.0, alive=alive)


# Two searches with powers 0 and 1: with 10 columns left, power 0 has 4 and then 2 of them.
POINTS = [
    point(0, 1.0, {0: 10, 1: 10}, {0: 3, 1: 3}),
    point(0, 2.0, {0: 4, 1: 6}, {0: 0, 1: 2}),
    point(1, 1.0, {0: 8, 1: 10}, {0: 0, 1: 1}),
    point(1, 2.0, {0: 0, 1: 8}, {0: 0, 1: 1}),
]


def test_survivors_are_counted_where_the_layer_has_the_size_of_the_budget():
    shares = {(each.layer, each.power): each for each in power_shares(POINTS, [10, 2])}
    # The second search has 18 columns, then 8: at 10 it has lost four fifths of the difference.
    assert shares[0, 0].share == pytest.approx((0.4 + 1.6 / 10) / 2)
    assert shares[0, 1].share == pytest.approx(1 - shares[0, 0].share)
    assert shares[0, 0].frequency == 1
    assert shares[1, 0].frequency == 0
    assert shares[1, 1].share == 1
    half = scipy.stats.t.ppf(0.975, 1) * np.std([0.4, 0.16], ddof=1) / np.sqrt(2)
    assert shares[0, 0].interval == pytest.approx(half)
    assert stable_widths(list(shares.values()), 10, layer=0) == {0: 3, 1: 7}


def test_the_ends_of_a_path_answer_for_sizes_beyond_them():
    path = [{0: 6, 1: 2}, {0: 2, 1: 2}]
    assert survivors(path, 100) == {0: 6, 1: 2}
    assert survivors(path, 1) == {0: 2, 1: 2}


def test_a_layer_that_died_says_nothing():
    path = [{0: 6, 1: 2}, {0: 3, 1: 1}, {0: 0, 1: 0}]
    assert survivors(path, 1) == {0: 3, 1: 1}
    assert survivors(path[2:], 1) == {0: 0, 1: 0}
    assert divided(7, {0: 0.0, 1: 0.0}) == {0: 4, 1: 3}


def test_columns_that_come_back_do_not_confuse_the_path():
    path = [{0: 8}, {0: 3}, {0: 5}, {0: 1}]
    assert survivors(path, 4)[0] == pytest.approx(4)


@given(st.integers(1, 300), st.lists(st.floats(0.01, 1), min_size=1, max_size=6))
def test_all_columns_are_divided_and_nearly_in_proportion(total, shares):
    parts = divided(total, dict(enumerate(shares)))
    assert sum(parts.values()) == total
    exact = total * np.array(shares) / sum(shares)
    assert (np.abs(np.array(list(parts.values())) - exact) < 1).all()


def test_points_survive_json():
    content = json.loads(json.dumps([dataclasses.asdict(each) for each in POINTS]))
    assert [PathPoint.from_dict(each) for each in content] == POINTS


NEAR = StabilitySettings(reach=1)  # the default architecture has all powers of the searches


def test_candidates_have_the_width_and_the_outputs_of_the_searches():
    settings = LearnSettings(powers=(0, 1), retrain=Recipe(input_dropout=0.3, hidden_dropout=0.7))
    shares = power_shares(POINTS, [10, 2])
    made = candidates_of(shares, settings, NEAR, 10, num_classes=4)
    assert list(made) == [EVEN, HIDDEN, LEARNED]
    widths = {name: [layer.dims for layer in each.layers] for name, each in made.items()}
    assert widths == {
        EVEN: [(5, 5), (4, 4)],
        HIDDEN: [(3, 7), (4, 4)],
        LEARNED: [(3, 7), (0, 4)],
    }
    assert [layer.dropout for layer in made[LEARNED].layers] == [0.3, 0.7]


def test_searches_reach_farther_than_the_default_architecture():
    settings = LearnSettings(powers=(0, 1))
    points = [point(i, 1.0, {0: 2, 1: 2, 2: 4}, {0: 0, 1: 1, 2: 2}) for i in range(2)]
    stability = StabilitySettings(reach=2)
    assert stability.searched(settings).powers == (0, 1, 2)
    made = candidates_of(power_shares(points, [8, 3]), settings, stability, 8, num_classes=3)
    widths = {name: [layer.dims for layer in each.layers] for name, each in made.items()}
    assert widths == {
        EVEN: [(4, 4), (3, 3)],
        FAR: [(3, 3, 2), (3, 3, 3)],
        HIDDEN: [(2, 2, 4), (3, 3, 3)],
        LEARNED: [(2, 2, 4), (0, 3, 3)],
    }


def test_an_output_with_all_powers_gives_no_further_candidate():
    shares = power_shares([point(0, 1.0, {0: 5, 1: 5}, {0: 1, 1: 1})], [10, 2])
    made = candidates_of(shares, LearnSettings(powers=(0, 1)), NEAR, 10, 3)
    assert list(made) == [EVEN, HIDDEN]


def outputs(*shares):
    return [
        PowerShare(layer=1, power=power, share=share, interval=interval, frequency=1.0)
        for power, (share, interval) in enumerate(shares)
    ]


def test_a_power_leaves_the_output_only_if_the_searches_agree():
    agreed = outputs((0.1, 0.02), (0.5, 0.1), (0.4, 0.1))
    assert output_powers(agreed, 1, threshold=0.5) == [1, 2]
    doubtful = outputs((0.1, 0.2), (0.5, 0.1), (0.4, 0.1))
    assert output_powers(doubtful, 1, threshold=0.5) == [0, 1, 2]
    assert output_powers(outputs((0.0, 0.0), (0.0, 0.0)), 1, threshold=0.5) == [0, 1]


def scores(**values):
    return [
        DealScore(name, i, v, 1.0) for name, every in values.items() for i, v in enumerate(every)
    ]


def test_a_gain_is_that_of_paired_differences():
    a, b = [0.82, 0.85, 0.81, 0.84], [0.80, 0.84, 0.81, 0.81]
    found = gain(scores(a=a, b=b), "a", "b")
    paired = scipy.stats.ttest_rel(a, b)
    assert found.mean == pytest.approx(0.015)
    assert found.mean / found.error == pytest.approx(paired.statistic)
    interval = paired.confidence_interval()
    assert found.interval == pytest.approx((interval.high - interval.low) / 2)


def judged(name, *hits):
    """Scores on deals that all see nodes 0, 1, 2 …; a hit is 1."""
    return [
        DealScore(name, deal, np.mean(own), 1.0, np.flatnonzero(own).tolist(),
                  np.flatnonzero(np.equal(own, 0)).tolist())
        for deal, own in enumerate(hits)
    ]  # fmt: skip


def test_the_error_of_a_gain_counts_the_nodes_that_all_deals_share():
    worse = judged("b", *[[0, 0, 0, 1, 1, 1, 1, 1]] * 5)
    same = judged("a", *[[1, 0, 0, 1, 1, 1, 1, 1]] * 5)  # one node of eight decides everything
    found = gain([*same, *worse], "a", "b")
    assert found.mean == pytest.approx(1 / 8)
    # Without the nodes the error would be 0: all deals agree. One node is a binomial share of 1/8,
    # of which a fifth is counted as the noise of single trainings.
    assert found.error**2 == pytest.approx(1 / 8 * 7 / 8 / 8 * 4 / 5)


def test_noise_of_single_trainings_is_not_counted_twice():
    worse = judged("b", [0, 0, 1, 1], [0, 0, 1, 1])
    noisy = judged("a", [1, 0, 1, 1], [0, 1, 1, 1])  # another node in each deal
    assert node_variance([*noisy, *worse], "a", "b") == 0
    assert node_variance(scores(a=[0.9, 0.8], b=[0.1, 0.2]), "a", "b") == 0  # nodes are not known


def test_one_deal_says_nothing_of_chance():
    assert gain(scores(a=[0.9], b=[0.1]), "a", "b").error == np.inf


def test_the_smallest_that_is_good_enough_wins():
    close, far = [0.80, 0.82, 0.84], [0.70, 0.72, 0.74]
    best = [0.79, 0.83, 0.86]
    found = scores(best=best, close=close, far=far)
    assert smallest_within_error(found, {"best": 9, "close": 5, "far": 1}) == "close"
    assert smallest_within_error(found, {"best": 9, "close": 9, "far": 1}) == "best"
    assert smallest_within_error(found, {"close": 9, "best": 9, "far": 1}) == "close"


def test_the_default_stays_unless_another_is_ahead_beyond_its_interval():
    default, doubtful = [0.80, 0.82, 0.84], [0.82, 0.82, 0.85]  # ahead by 1.0 ± 2.5 points
    found = scores(default=default, doubtful=doubtful, better=[0.82, 0.84, 0.861])
    assert clearly_better(found, ["doubtful", "better"], "default") == ["better"]
    assert clearly_better(found, ["doubtful"], "default") == ["default"]


def test_limits_of_the_size():
    assert Limit.parse("smallest").sizes(float) == SIZES
    assert Limit.parse("columns=25").sizes(float) == (25,)
    assert Limit.parse("parameters=1000").sizes(lambda size: 20.0 * size) == (40,)
    for text in (
        "columns",
        "columns=2.5",
        "columns=0",
        "columns=1000001",
        "latency=3",
        "milliseconds=nan",
        "x=1",
    ):
        with pytest.raises(SettingError, match="budget"):
            Limit.parse(text)
    with pytest.raises(SettingError, match="at least 200, the parameters of 10 columns"):
        Limit.parse("parameters=100").sizes(lambda size: 20.0 * size)


@pytest.mark.parametrize(
    "wrong", [{"searches": 0}, {"growth": 1.0}, {"threshold": 2.0}, {"reach": -1}]
)
def test_wrong_settings_are_named(wrong):
    with pytest.raises(SettingError, match=next(iter(wrong))):
        StabilitySettings(**wrong)
