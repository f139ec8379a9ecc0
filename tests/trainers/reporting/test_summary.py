"""The report in a few sentences."""

import dataclasses

from trainers.reporting.results import OverSplits, Result
from trainers.reporting.summary import in_short
from trainers.sweeps import records
from trainers.sweeps.statistics import Point


def result(row, accuracy, paper=(81.0, 0.5)):
    runs = [
        {
            "seed": 0,
            "status": records.DONE,
            "val_accuracy": accuracy,
            "val_loss": 1.0,
            "test_accuracy": accuracy,
            "seconds": 1.0,
        }
    ] * (accuracy is not None)
    return Result("cora", row, paper, runs, "l2", row)


def point(level, mean):
    return Point(level, mean, 0.01, 10)


def test_nothing_run_is_nothing_said():
    assert in_short([result("mixhop-default", None)], [], {"mixhop": []}) == []


def test_mixhops_cells_are_counted_and_no_others():
    rows = [
        result("mixhop-p1", 0.82),
        result("mixhop-default", 0.808),
        result("mixhop-learned", 0.79),
        result("mixhop-searched", None),
        result("gcn", 0.99),
    ]
    assert in_short(rows, [], {}) == [
        "- **Table 1**: 2 of 3 rows of MixHop are within one standard deviation of the paper's "
        "figure or above, 1 of 3 at or above its mean."
    ]
    (line,) = in_short(rows[:1], [], {})
    assert "all 1 rows of MixHop" in line


def test_further_splits_are_counted_where_they_were_run():
    further = OverSplits({1: 80.0, 2: 82.0, 3: 84.0}, 80.0, 9)
    low = dataclasses.replace(further, means={1: 60.0, 2: 60.1, 3: 60.2})
    rows = [
        (result("mixhop-default", 0.82), further),
        (result("mixhop-learned", 0.82), low),
        (result("mixhop-searched", 0.82), None),
        (result("gcn", 0.82), further),
    ]
    first, line = in_short([], rows, {})
    assert "all 3 rows of MixHop are" in first
    assert first.endswith("Of the other models, tuned alike, all 1 are.")
    assert line.startswith("- **Table 3, on further splits**: in 1 of 2 rows of MixHop")


def test_mixhop_is_ahead_where_its_mean_is_the_highest_of_all():
    curves = {
        "mixhop": [point(0.0, 0.6), point(0.5, 0.8), point(0.9, 0.9)],
        "gcn": [point(0.0, 0.5), point(0.5, 0.7), point(0.9, 0.95)],
        "gat": [point(0.0, 0.55), point(0.5, 0.75)],
    }
    (line,) = in_short([], [], curves)  # at 0.9 one is missing
    assert line.endswith("at all 2 levels of homophily.")
    curves["gat"].append(point(0.9, 0.5))
    (line,) = in_short([], [], curves)
    assert line.endswith("at 2 of 3 levels of homophily (0.0, 0.5).")
    assert in_short([], [], {**curves, "mlp": []}) == []
