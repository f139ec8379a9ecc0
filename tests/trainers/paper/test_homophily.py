"""Sweeps over homophily: the runs and the summary of their records."""

import math

import numpy as np
import pytest
from scipy import stats

from trainers.paper import homophily
from trainers.paper.graphs import Graphs
from trainers.paper.series import ABLATIONS, CITED, FIGURE_3, FIGURE_4
from trainers.sweeps import records
from trainers.sweeps.errors import RunError
from trainers.sweeps.patterns import select
from trainers.sweeps.statistics import Point

GRAPHS = Graphs()


def cells(tmp_path, name="mlp", levels=(0.0, 0.9), num_graphs=3):
    series = {**FIGURE_4, **CITED, **ABLATIONS}[name]
    found = homophily.jobs_of(name, series, levels, num_graphs, tmp_path, GRAPHS)
    assert all(seeds == (i,) for some in found.values() for i, (_, seeds) in enumerate(some))
    return found


def keep(job, accuracy):
    cell, (seed,) = job
    record = {
        "key": cell.config.key(),
        "seed": seed,
        "status": records.DONE,
        "val_accuracy": 1 - accuracy,
        "val_loss": 1.0,
        "test_accuracy": accuracy,
        "seconds": 1.0,
    }
    records.append(cell.path, record)


def test_each_cell_is_a_graph_and_a_split_of_its_own(tmp_path):
    found = cells(tmp_path)
    every = [cell for some in found.values() for cell, _ in some]
    assert [len(some) for some in found.values()] == [3, 3]
    assert len({cell.config.digest for cell in every}) == 6
    assert {cell.config.data.split for cell in every} == {"thirds"}
    assert [cell.config.data.dataset for cell in every[::3]] == ["synthetic-h0.0", "synthetic-h0.9"]


def test_all_models_are_trained_on_the_same_graphs(tmp_path):
    digests = {
        tuple(cell.config.digest for cell, _ in cells(tmp_path, name, (0.3,))[0.3])
        for name in FIGURE_4 | CITED
    }
    assert len(digests) == 1


@pytest.mark.parametrize("name", FIGURE_4)
def test_all_models_have_two_layers_and_sixty_columns(tmp_path, name):
    architecture = cells(tmp_path, name, (0.0,), 1)[0.0][0][0].config.architecture
    if name.startswith("mixhop"):
        assert [layer["dims"] for layer in architecture["layers"]] == [[20] * 3, [10] * 3]
        assert {layer.get("heads", 0) for layer in architecture["layers"]} == (
            {0} if name == "mixhop" else {6, 1}
        )
    else:
        assert architecture["hidden_width"] == 60


def test_the_ablations_change_what_they_are_named_for(tmp_path):
    def config(name):
        return cells(tmp_path, name, (0.0,), 1)[0.0][0][0].config

    plain = config("gcn")
    assert config("summed/gcn").data.dataset == "synthetic-h0.0-summed"
    assert config("radial/gcn").data.dataset == "synthetic-h0.0-radial"
    assert config("wide/gcn").architecture["hidden_width"] == 240
    assert config("in-order/gcn").data.split == "given"
    assert config("untuned/gcn").settings != plain.settings
    for name in ("summed/gcn", "wide/gcn", "in-order/gcn"):
        assert config(name).settings == plain.settings
    assert len(config("deep/mixhop").architecture["layers"]) == 3


def test_the_curve_is_the_mean_with_students_interval_and_leaves_out_what_is_missing(tmp_path):
    found = cells(tmp_path, levels=(0.0, 0.5, 0.9))
    values = [0.5, 0.6, 0.4]
    for job, value in zip(found[0.0], values, strict=True):
        keep(job, value)
    keep(found[0.9][1], 0.8)
    first, last = homophily.curves({"mlp": found}, "test_accuracy")["mlp"]
    assert (first.level, first.num_graphs) == (0.0, 3)
    assert first.mean == pytest.approx(0.5)
    low, high = stats.t.interval(0.95, 2, np.mean(values), stats.sem(values))
    assert first.interval == pytest.approx((high - low) / 2)
    assert (last.level, last.mean, last.num_graphs) == (0.9, 0.8, 1)
    assert math.isnan(last.interval)


def test_who_is_ahead_is_told_by_the_same_graphs(tmp_path):
    ours, theirs = (cells(tmp_path, name, (0.0,), 3) for name in ("mixhop", "gcn"))
    assert homophily.lead(ours, theirs, 0.0, "test_accuracy") is None
    for job, value in zip(ours[0.0], (0.5, 0.7, 0.9), strict=True):
        keep(job, value)
    for job, value in zip(theirs[0.0][:2], (0.4, 0.6), strict=True):
        keep(job, value)
    mean, interval = homophily.lead(ours, theirs, 0.0, "test_accuracy")
    assert mean == pytest.approx(0.1)
    assert interval == pytest.approx(0.0, abs=1e-9)


def test_a_run_that_failed_is_told_with_its_series(tmp_path):
    found = {"mlp": cells(tmp_path, levels=(0.0,), num_graphs=2)}
    homophily.check_all_done(found)
    cell, _ = found["mlp"][0.0][1]
    failed = {"status": records.DIVERGED, "error": "no luck", "experiment": cell.experiment}
    records.append(cell.path, {"key": cell.config.key(), "seed": 1, **failed})
    with pytest.raises(RunError, match=r"1 of 1 runs failed; the first, mlp, h = 0\.0, seed 1: no"):
        homophily.check_all_done(found)


def test_the_note_tells_of_how_many_graphs():
    def points(*counts):
        return {"a": [Point(0.1 * i, 0.5, 0.1, count) for i, count in enumerate(counts)]}

    assert homophily.note(points(10, 10)) == "mean of 10 graphs, 95 % interval"
    assert homophily.note(points(10, 3, 5), "splits") == "mean of 3 to 10 splits, 95 % interval"
    assert homophily.note(points(1, 1)) == "one graph a level"


def test_patterns_choose_series():
    assert list(select(FIGURE_4, ["g*"], "series")) == ["gcn", "gat"]
    with pytest.raises(RunError, match="No series matches 'gin'; the names are mixhop, gcn"):
        select(FIGURE_4, ["gin"], "series")


def test_figure_3_is_that_of_section_6(tmp_path):
    for name, series in FIGURE_3.items():
        config = homophily.jobs_of(name, series, (0.0,), 1, tmp_path, GRAPHS)[0.0][0][0].config
        assert config.shared_first_kernel
        assert config.data.dataset == "synthetic-h0.0-radial"
