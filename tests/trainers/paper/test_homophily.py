"""Sweeps over homophily: what is trained, what the records say together, the command lines."""

import functools
import math

import numpy as np
import pytest
from commands import assert_one_clear_sentence, run_command
from scipy import stats

from trainers.paper import homophily
from trainers.paper.homophily import Point
from trainers.paper.series import ABLATIONS, FIGURE_3, FIGURE_4
from trainers.plots import homophily
from trainers.sweeps import records
from trainers.sweeps.errors import RunError

synthetic = functools.partial(run_command, "synthetic")
delta_ops = functools.partial(run_command, "delta_ops")


def cells(tmp_path, name="mlp", levels=(0.0, 0.9), num_graphs=3):
    series = {**FIGURE_4, **ABLATIONS}[name]
    found = homophily.cells_of(name, series, levels, num_graphs, tmp_path)
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
        for name in FIGURE_4
    }
    assert len(digests) == 1


@pytest.mark.parametrize("name", FIGURE_4)
def test_all_models_have_two_layers_and_sixty_columns(tmp_path, name):
    architecture = cells(tmp_path, name, (0.0,), 1)[0.0][0][0].config.architecture
    if name == "mixhop":
        assert [layer["dims"] for layer in architecture["layers"]] == [[20] * 3, [10] * 3]
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
    assert homophily.ahead(ours, theirs, 0.0, "test_accuracy") is None
    for job, value in zip(ours[0.0], (0.5, 0.7, 0.9), strict=True):
        keep(job, value)
    for job, value in zip(theirs[0.0][:2], (0.4, 0.6), strict=True):
        keep(job, value)
    mean, interval = homophily.ahead(ours, theirs, 0.0, "test_accuracy")
    assert mean == pytest.approx(0.1)
    assert interval == pytest.approx(0.0, abs=1e-9)


def test_the_table_has_a_row_a_level_and_a_dash_where_nothing_is_known():
    table = homophily.table({"a": [Point(0.0, 0.5, 0.012, 9)], "b": [Point(0.9, 1.0, math.nan, 1)]})
    assert table.splitlines()[2:] == [
        "| 0.0       | 50.0 ± 1.2 |         – |",
        "| 0.9       |          – | 100.0 (1) |",
    ]


def test_the_note_tells_of_how_many_graphs():
    def points(*counts):
        return {"a": [Point(0.1 * i, 0.5, 0.1, count) for i, count in enumerate(counts)]}

    assert homophily.note(points(10, 10)) == "mean of 10 graphs, 95 % interval"
    assert homophily.note(points(10, 3, 5), "splits") == "mean of 3 to 10 splits, 95 % interval"
    assert homophily.note(points(1, 1)) == "one graph a level"


def test_patterns_choose_series():
    assert list(homophily.chosen(FIGURE_4, ["g*"])) == ["gcn", "gat"]
    with pytest.raises(RunError, match="No series matches 'gin'; the names are mixhop, gcn"):
        homophily.chosen(FIGURE_4, ["gin"])


def test_the_figures_name_every_line_and_draw_the_published_graphs_hollow():
    points = [Point(level, 0.1 + level / 2, 0.01, 10) for level in (0.0, 0.5)]
    curves = {"MixHop": points, "GCN": points}
    panel = homophily.accuracies(curves, "note", {"GCN": points}).axes[0]
    names = [text.get_text() for text in panel.get_legend().get_texts()]
    assert names == ["MixHop", "GCN", "the published graphs"]
    assert panel.get_ylabel() == "test accuracy, %"
    np.testing.assert_allclose(panel.lines[0].get_ydata(), [10, 35])
    panel = homophily.delta_shares(curves, 0.28, "note").axes[0]
    assert panel.lines[-1].get_ydata()[0] == pytest.approx(28)
    assert panel.get_ylim()[0] == 0


def test_figure_3_is_that_of_section_6(tmp_path):
    for name, series in FIGURE_3.items():
        config = homophily.cells_of(name, series, (0.0,), 1, tmp_path)[0.0][0][0].config
        assert config.shared_first_kernel
        assert config.data.dataset == "synthetic-h0.0-radial"


def test_a_sweep_is_recorded_drawn_and_not_repeated(tmp_path):
    arguments = ("--only", "mlp,gcn", "--levels", "0.9", "--graphs", 1)
    first = synthetic(*arguments, cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    assert lines[0].split() == ["|", "homophily", "|", "gcn", "|", "mlp", "|"]
    gcn, mlp = (float(cell) for cell in lines[2].split("|")[2:4])
    assert gcn > 90 > 60 > mlp > 30
    written = tmp_path / "results" / "records" / "synthetic" / "mlp.jsonl"
    (record,) = records.read(written)
    assert record["experiment"] == "mlp, h = 0.9"
    # What has not all lines, levels and graphs does not stand in the whole figure's place.
    assert "GCN" in (tmp_path / "results/figures/figure4_part.svg").read_text()
    assert not (tmp_path / "results/figures/figure4.svg").exists()
    before = written.read_bytes()
    again = synthetic(*arguments, cwd=tmp_path)
    assert again.stdout == first.stdout
    assert written.read_bytes() == before


def test_delta_operators_are_counted_and_drawn(tmp_path):
    answer = delta_ops("--only", "paper", "--levels", "0.0", "--graphs", 1, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    (record,) = records.read(tmp_path / "results/records/delta_ops/paper.jsonl")
    assert 0 < record["delta_share"] < 1
    assert record["config"]["shared_first_kernel"] is True
    shares, accuracies = answer.stdout.split("\n\n")
    assert f" {100 * record['delta_share']:.1f} |" in shares
    assert f" {100 * record['test_accuracy']:.1f} |" in accuracies
    assert "weights as drawn" in (tmp_path / "results/figures/figure3_part.svg").read_text()


def test_what_cannot_be_swept_is_refused_in_one_sentence(tmp_path):
    assert_one_clear_sentence(
        synthetic("--levels", "0.25", cwd=tmp_path), "--levels takes 0.0, 0.1", "not '0.25'"
    )
    assert_one_clear_sentence(
        synthetic("--quick", "--graphs", 3, cwd=tmp_path), "--quick has its own --graphs"
    )
    assert_one_clear_sentence(synthetic("--only", "gin", cwd=tmp_path), "No series matches 'gin'")
    assert_one_clear_sentence(
        synthetic("--data_dir", tmp_path, cwd=tmp_path),
        "ind.n5000-h0.0-c10.allx is not there; name a folder with the published graphs",
    )
    assert_one_clear_sentence(
        synthetic("--data_dir", tmp_path, "--only", "in-order/gcn", cwd=tmp_path),
        "in-order/gcn has one split of each published graph",
    )
