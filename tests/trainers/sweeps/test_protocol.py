import math

import pytest

from trainers.sweeps import protocol
from trainers.sweeps.errors import RunError
from trainers.sweeps.records import DIVERGED, DONE


def record(seed, val, test, loss=0.5, status=DONE):
    return {
        "seed": seed,
        "status": status,
        "val_accuracy": val,
        "test_accuracy": test,
        "val_loss": loss,
        "seconds": 2.0,
    }


def test_the_better_half_by_validation_is_reported_beside_all():
    found = [record(0, 0.7, 0.9), record(1, 0.8, 0.6), record(2, 0.9, 0.8), record(3, 0.6, 0.5)]
    summary = protocol.summarize(found)
    assert (summary.num_runs, summary.num_best, summary.num_failed) == (4, 2, 0)
    assert summary.best_mean == pytest.approx(0.7)  # of 0.8 and 0.6, not of the best on test
    assert summary.best_std == pytest.approx(math.sqrt(0.02))
    assert summary.mean == pytest.approx(0.7)
    # Student's t with 3 degrees of freedom: 3.182446; the standard error is 0.18257/2.
    assert summary.interval == pytest.approx(3.182446 * 0.1825742 / 2, rel=1e-5)
    assert summary.val_mean == pytest.approx(0.75)
    assert summary.seconds == 8.0


def test_ties_at_the_cut_go_by_validation_loss_then_seed_and_never_by_test():
    found = [record(3, 0.8, 0.9), record(1, 0.8, 0.1), record(2, 0.8, 0.2, loss=0.4)]
    assert [each["seed"] for each in protocol.ranked(found)] == [2, 1, 3]


def test_of_an_odd_number_the_better_half_is_the_larger():
    found = [record(seed, 0.1 * seed, 0.5) for seed in range(5)]
    assert protocol.summarize(found).num_best == 3


def test_failed_runs_are_counted_and_left_out():
    found = [record(0, 0.7, 0.7), {"seed": 1, "status": DIVERGED, "error": "…"}]
    summary = protocol.summarize(found)
    assert (summary.num_runs, summary.num_failed, summary.mean) == (1, 1, 0.7)
    assert math.isnan(summary.interval)
    assert "1 runs failed" in str(summary)


def test_failures_are_complained_of_with_the_first():
    good = record(0, 0.7, 0.7)
    bad = {"seed": 1, "status": DIVERGED, "error": "no luck", "experiment": "t/d/m"}
    protocol.check_all_done([good])
    with pytest.raises(RunError, match="1 of 2 runs failed; the first, t/d/m, seed 1: no luck"):
        protocol.check_all_done([good, bad])


def test_a_graph_without_test_nodes_has_no_test_accuracy():
    summary = protocol.summarize([record(0, 0.7, None), record(1, 0.8, None)])
    assert not summary.has_test
    assert str(summary) == "mean validation accuracy of 2 runs: 75.00%"
    assert summary.to_dict()["best_mean"] is None


def test_two_runs_have_no_deviation_of_the_best():
    assert "70.00% ± – (standard deviation)" in str(
        protocol.summarize([record(0, 0.9, 0.7), record(1, 0.8, 0.6)])
    )
