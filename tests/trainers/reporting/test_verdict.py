"""Verdicts on the paper's claims: records that change them."""

import math

import pytest

from trainers.paper.series import LOW_HOMOPHILY
from trainers.reporting import figure_claims, table_claims
from trainers.reporting.comparisons import LevelLead
from trainers.reporting.results import OverSplits, Result
from trainers.reporting.verdict import Verdict, verdict
from trainers.sweeps import records
from trainers.sweeps.statistics import Point


def result(row, *accuracies, graph="cora", paper=(81.0, 0.5), model=None):
    runs = [
        {
            "seed": seed,
            "status": records.DONE,
            "val_accuracy": accuracy,
            "val_loss": 1.0,
            "test_accuracy": accuracy,
            "seconds": 1.0,
        }
        for seed, accuracy in enumerate(accuracies)
    ]
    return Result(graph, model or row, paper, runs, "l2", row)


def around(mean):
    return [mean - 0.001, mean, mean + 0.001]


def point(level, mean, interval=0.01):
    return Point(level, mean, interval, 10)


def splits(*means):
    return OverSplits(dict(enumerate(means)), 80.0, 3 * len(means))


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        ([], Verdict.UNKNOWN),
        ([True], Verdict.REPRODUCED),
        ([True, True], Verdict.REPRODUCED),
        ([False, True], Verdict.PARTLY),
        ([False, False], Verdict.NOT),
    ],
)
def test_all_checks_some_or_none(checks, expected):
    assert verdict(checks) is expected


@pytest.mark.parametrize(
    ("accuracies", "expected"),
    [
        ((0.83, 0.812, 0.806), Verdict.REPRODUCED),
        ((0.83, 0.79), Verdict.PARTLY),
        ((0.79, 0.78), Verdict.NOT),
        ((), Verdict.UNKNOWN),
    ],
)
def test_an_accuracy_is_reproduced_unless_it_is_a_deviation_below(accuracies, expected):
    rows = [result("mixhop-default", each) for each in accuracies]
    claim = table_claims.accuracy([*rows, result("gcn", 0.1)], "Table 1", "text")
    assert claim.verdict is expected


def test_an_accuracy_tells_how_many_rows_are_better_as_good_and_below():
    rows = [result("mixhop-default", each) for each in (0.83, 0.812, 0.806, 0.7)]
    claim = table_claims.accuracy([*rows, result("gcn", 0.1)], "Table 1", "text")
    assert claim.why == (
        "Of the rows of MixHop, 1 of 4 are better than the paper's by more than a standard "
        "deviation, 2 of 4 are within a standard deviation of it and 1 of 4 are below the paper's "
        "by more than a standard deviation. Of 1 rows of other models, 1 are below it, too."
    )


def test_a_model_that_is_ahead_of_mixhop_is_named():
    rows = [
        result("mixhop-default", *around(0.82)),
        result("gcn", *around(0.81), model="GCN"),
        result("gat", *around(0.83), model="GAT"),
    ]
    claim = table_claims.lead(rows)
    assert claim.verdict is Verdict.NOT
    assert "ahead of the GCN on all 1 graphs. GAT leads by 1.00 ± " in claim.why
    assert claim.why.endswith("Table 1 does not list GAT.")
    claim = table_claims.lead(rows[:2])
    assert claim.verdict is Verdict.REPRODUCED
    assert "No other model" in claim.why
    ahead_elsewhere = [
        result("mixhop-default", *around(0.82), graph="pubmed"),
        result("gcn", *around(0.81), graph="pubmed"),
    ]
    assert table_claims.lead([*rows, *ahead_elsewhere]).verdict is Verdict.PARTLY


def test_a_method_that_the_paper_cites_may_be_ahead_of_mixhop():
    rows = [
        result("mixhop-default", *around(0.82)),
        result("semiemb", *around(0.83), model="SemiEmb"),
        result("gat", *around(0.9), model="GAT"),  # not one of the six
        result("mixhop-attention", *around(0.9)),  # not in the paper
    ]
    claim = table_claims.lead_over_cited(rows)
    assert (claim.verdict, list(claim.checks)) == (Verdict.NOT, [False])
    assert "-1.00 ± " in claim.why
    assert "points against SemiEmb on Cora" in claim.why
    behind = result("lp", *around(0.7), model="LP")
    assert table_claims.lead_over_cited([rows[0], behind]).verdict is Verdict.REPRODUCED
    assert "does not list" not in table_claims.lead(rows[:2]).why
    assert table_claims.lead_over_cited(rows[:1]).verdict is Verdict.UNKNOWN


def test_a_learned_architecture_must_beat_the_default_one_where_the_papers_does():
    worse = [
        result("mixhop-default", *around(0.82)),
        result("mixhop-searched", *around(0.81)),
        # The paper learned the default architecture on Citeseer, so there is nothing to beat.
        result("mixhop-default", *around(0.5), graph="citeseer"),
        result("mixhop-searched", *around(0.7), graph="citeseer"),
    ]
    claim = table_claims.learned_over_default(worse, [])
    assert (claim.verdict, list(claim.checks)) == (Verdict.NOT, [False])
    better = [
        (result("mixhop-default"), splits(80.0, 81.0, 82.0)),
        (result("mixhop-searched"), splits(81.0, 82.0, 83.1)),
    ]
    assert table_claims.learned_over_default(worse, better).verdict is Verdict.PARTLY
    assert table_claims.learned_over_default([], better).verdict is Verdict.REPRODUCED
    default_won = table_claims.learned_over_default([], better[:1])
    assert (default_won.verdict, default_won.why.count("0 on Cora")) == (Verdict.NOT, 1)
    not_run = [better[0], (result("mixhop-searched"), None)]
    assert table_claims.learned_over_default([], not_run).verdict is Verdict.UNKNOWN


def test_further_splits_hold_the_papers_accuracy_or_do_not():
    near, far = (splits(80.0, 82.0, 84.0), splits(60.0, 60.1, 60.2))
    rows = [(result("mixhop-default"), near), (result("mixhop-learned"), far)]
    assert table_claims.further_splits(rows).verdict is Verdict.PARTLY
    assert table_claims.further_splits(rows[:1]).verdict is Verdict.REPRODUCED
    assert table_claims.further_splits([(rows[0][0], None)]).verdict is Verdict.UNKNOWN


def test_a_lead_on_splits_counts_if_its_interval_is_above_zero():
    gcn = (result("gcn", model="GCN"), splits(80.0, 81.0, 82.0))
    sure = (result("mixhop-default"), splits(81.0, 82.0, 83.1))
    unsure = (result("mixhop-default"), splits(81.0, 79.0, 85.0))
    assert table_claims.lead_on_splits([gcn, sure]).verdict is Verdict.REPRODUCED
    assert table_claims.lead_on_splits([gcn, unsure]).verdict is Verdict.NOT


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.30, 0.10, Verdict.REPRODUCED),
        (0.15, 0.10, Verdict.PARTLY),  # more, and not 2.5 times
        (0.10, 0.10, Verdict.NOT),
    ],
)
def test_delta_operators_are_more_at_low_homophily(low, high, expected):
    shares = {"paper": [point(0.0, low), point(0.9, high)]}
    assert figure_claims.delta_operators(shares).verdict is expected


def test_a_lead_at_low_homophily_is_checked_level_by_level():
    leads = [
        LevelLead(point(level, 0.6), point(level, 0.5), "GCN", lead)
        for level, lead in [(0.0, (0.1, 0.2)), (0.1, (0.1, 0.05)), (0.2, None)]
    ]
    claim = figure_claims.low_homophily(leads)
    assert list(claim.checks) == [False, True]
    assert "+10.0 ± 5.0 against GCN at 0.1" in claim.why


def test_models_gain_with_homophily_and_the_mlp_is_not_asked():
    curves = {
        "mixhop": [point(0.0, 0.5), point(0.1, 0.4), point(0.9, 0.9)],
        "gcn": [point(0.0, 0.5), point(0.1, 0.5), point(0.9, 0.51)],
        "mlp": [point(0.0, 0.5), point(0.9, 0.5)],
    }
    claim = figure_claims.rising(curves)
    assert list(claim.checks) == [True, False]
    assert claim.why.endswith("At the first step, though, accuracy falls for MixHop.")


def test_gat_against_the_mlp_at_low_homophily_alone():
    mlp = [point(level, 0.45) for level in (0.0, LOW_HOMOPHILY, 0.9)]
    gat = [point(0.0, 0.3), point(LOW_HOMOPHILY, 0.6), point(0.9, 0.1)]
    claim = figure_claims.gat_below_mlp({"gat": gat, "mlp": mlp}, {})
    assert list(claim.checks) == [True, False]
    assert "authors' settings" not in claim.why
    untuned = {"untuned/gat": [point(0.0, 0.37)], "untuned/mlp": [point(0.0, 0.45)]}
    why = figure_claims.gat_below_mlp({"gat": gat, "mlp": mlp}, untuned).why
    assert why.endswith("With its authors' settings it has 37.0 % against 45.0 % at 0.0.")


def test_architectures_differ_beyond_the_number_of_classes():
    default = {
        "cora": (0, [[20, 20, 20], [7, 7, 7]]),
        "citeseer": (1, [[20, 20, 20], [6, 6, 6]]),
    }
    claim = figure_claims.architectures(default)
    assert list(claim.checks) == [False, False, True]
    as_in_the_paper = default | {"cora": (4, [[20, 20, 20], [0, 7, 7]])}
    claim = figure_claims.architectures(as_in_the_paper)
    assert claim.verdict is Verdict.REPRODUCED
    assert "Cora 20,20,20 → 0,7,7 (seed 4)" in claim.why
    assert figure_claims.architectures({}).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ({"MixHop": 0.002, "GCN": 0.4}, Verdict.REPRODUCED),
        ({"MixHop": 0.05, "GCN": 0.9}, Verdict.PARTLY),
        ({"MixHop": 0.5, "GCN": 0.9}, Verdict.NOT),
        ({}, Verdict.UNKNOWN),
    ],
)
def test_mixhop_fits_the_operator_and_gcns_do_not(errors, expected):
    assert figure_claims.theorem(errors).verdict is expected


def test_an_interval_that_is_not_known_proves_nothing():
    shares = {"paper": [point(0.0, 0.9, math.nan), point(0.9, 0.1, math.nan)]}
    assert list(figure_claims.delta_operators(shares).checks) == [False, True]
