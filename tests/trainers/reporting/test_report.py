"""The report: what a cell is worth, the tables, the page, and the committed one."""

import base64
import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from mixhop_tf import SettingError
from trainers.paper import plan
from trainers.paper.cells import CLASSICAL, EXPERIMENTS, on_further_splits
from trainers.paper.learn_settings import CITATION_GRAPHS, learn_settings
from trainers.paper.presets import preset
from trainers.paper.series import CITED, FIGURE_4
from trainers.reporting import files, html, results, tables
from trainers.reporting.results import Result, Standing
from trainers.sweeps import records
from trainers.sweeps.cell import Cell

CITED_IN_TABLE_3 = [
    each for each in EXPERIMENTS.values() if each.table == "table3" and each.row in CLASSICAL
]


def run_records(accuracies, seed=0, **fields):
    return [
        {
            "key": "k",
            "seed": seed + i,
            "status": records.DONE,
            "val_accuracy": accuracy,
            "val_loss": 1.0,
            "test_accuracy": accuracy,
            "seconds": 1.0,
            **fields,
        }
        for i, accuracy in enumerate(sorted(accuracies, reverse=True))
    ]


def result(accuracies=(), paper=(81.0, 0.5), model="MixHop, default", of_all=False):
    row = "mixhop-default" if model.startswith("MixHop") else "other"
    return Result("cora", model, paper, run_records(accuracies), "l2", row, of_all=of_all)


@pytest.mark.parametrize(
    ("ours", "paper", "standing"),
    [
        ((0.82, 0.82), (81.0, 0.5), Standing.BETTER),
        ((0.814, 0.814), (81.0, 0.5), Standing.AS_GOOD),
        ((0.806, 0.806), (81.0, 0.5), Standing.AS_GOOD),
        ((0.804, 0.804), (81.0, 0.5), Standing.BELOW),
        ((0.80, 0.82), (81.9, None), Standing.AS_GOOD),  # within the deviation of ours
        ((0.80, 0.80), (81.9, None), Standing.BELOW),
        ((0.80, 0.82), None, None),
        ((), (81.0, 0.5), None),
    ],
)
def test_ours_is_better_or_as_good_or_below_by_a_standard_deviation(ours, paper, standing):
    # The best half of two runs is one run, whose deviation is not known; so these are of all.
    assert result(ours, paper, of_all=True).standing is standing


def test_the_difference_goes_by_the_protocol_of_the_papers_figure():
    runs = (0.80, 0.82)
    assert result(runs).difference == pytest.approx(1.0)
    assert result(runs, of_all=True).difference == pytest.approx(0.0)


def test_ours_is_the_better_half_or_all_as_the_papers_figure_is():
    runs = (0.80, 0.82, 0.84, 0.86)
    best, every = result(runs).ours, result(runs, of_all=True).ours
    assert best == (pytest.approx(85.0), pytest.approx(np.std([84, 86], ddof=1)))
    assert every == (pytest.approx(83.0), pytest.approx(np.std([80, 82, 84, 86], ddof=1)))
    assert result().ours is None


def test_welch_is_that_of_all_runs():
    rng = np.random.default_rng(0)
    first, second = 0.82 + 0.01 * rng.standard_normal(50), 0.81 + 0.03 * rng.standard_normal(30)
    said = results.welch(result(first), result(second))
    expected = stats.ttest_ind(100 * first, 100 * second, equal_var=False)
    assert said.p_value == pytest.approx(expected.pvalue)
    low, high = expected.confidence_interval()
    assert said.difference == pytest.approx((low + high) / 2)
    assert said.interval == pytest.approx((high - low) / 2)


def test_mixhop_is_chosen_by_validation_and_the_other_by_test():
    weak, strong = (0.70, 0.71, 0.72), (0.80, 0.82, 0.81)
    lucky = run_records(strong, val_accuracy=0.1)
    rows = [
        result(weak, model="MLP, no graph"),
        result(strong, model="GCN"),
        result(strong),
        Result("cora", "MixHop, learned here", None, lucky, "l2", "mixhop-searched"),
        Result("cora", "MixHop, P = {1}", None, run_records((1.0, 0.99)), "l2", "mixhop-p1"),
    ]
    (line,) = tables.significance(rows)
    assert line.startswith("- cora: MixHop, default against GCN, all runs: +0.00 ± ")
    assert line.endswith("p = 1.000.")


def test_runs_whose_chance_is_not_known_are_not_compared():
    assert results.welch(result((0.8,)), result((0.7, 0.8))) is None
    assert results.welch(result((0.8, 0.8)), result((0.7, 0.7))) is None


def test_runs_that_failed_are_told():
    failed = Result("cora", "GCN", None, run_records((0.8, 0.9)), "own", num_failed=3)
    assert "| 2 + 3 failed |" in tables.table([failed])


def test_a_row_that_is_not_run_says_so():
    table = tables.table([result(), result((0.82, 0.80), (81.0, None))])
    first, second = (
        [cell.strip() for cell in line.split("|")[2:-1]] for line in table.splitlines()[2:]
    )
    assert first == ["81.0 ± 0.5", "–", "–", "–", "", "0", "l2"]
    assert second == ["81.0", "82.00", "81.00 ± 12.71", "+1.00", "better", "2", "l2"]


def test_over_splits_the_interval_is_one_of_splits(tmp_path, make_config):
    path, values = tmp_path / "r.jsonl", {0: (0.8, 0.9), 1: (0.6, 0.7), 2: ()}
    cells = []
    for split, accuracies in values.items():
        config = make_config()
        config = dataclasses.replace(config, data=dataclasses.replace(config.data, seed=split))
        cells.append(Cell(config, path))
        for record in run_records(accuracies):
            records.append(path, record | {"key": config.key()})
    found = results.over_splits(cells, range(2))
    assert (sorted(found.means), found.num_runs) == ([0, 1], 4)
    assert found.mean == pytest.approx(75.0)
    assert found.interval == pytest.approx(stats.t.ppf(0.975, 1) * 10.0)
    assert results.over_splits(cells[2:], range(2)) is None
    assert math.isnan(results.over_splits(cells[:1], range(2)).interval)


def test_two_rows_are_compared_on_the_splits_that_both_have():
    first = results.OverSplits({1: 80.0, 2: 72.0, 3: 90.0}, 80.0, 9)
    second = results.OverSplits({1: 78.0, 2: 71.0, 4: 10.0}, 80.0, 9)
    difference, interval, num_splits = first.ahead_of(second)
    assert (difference, num_splits) == (pytest.approx(1.5), 2)
    assert interval == pytest.approx(stats.t.ppf(0.975, 1) * 0.5)
    assert first.ahead_of(results.OverSplits({4: 1.0}, 80.0, 3)) is None


def test_one_more_split_lies_where_students_t_says():
    values = [80.0, 82.0, 84.0]
    low, high = results.OverSplits(dict(enumerate(values)), 80.0, 9).one_more
    half = stats.t.ppf(0.975, 2) * np.std(values, ddof=1) * math.sqrt(1 + 1 / 3)
    assert (low, high) == (pytest.approx(82.0 - half), pytest.approx(82.0 + half))
    assert results.OverSplits({1: 80.0}, 80.0, 3).one_more is None


@pytest.mark.parametrize(
    ("paper", "where"), [(70.0, "below"), (73.0, "within"), (85.0, "within"), (99.0, "above")]
)
def test_the_papers_figure_is_one_that_a_split_may_give_or_is_not(paper, where):
    further = results.OverSplits({1: 80.0, 2: 82.0, 3: 84.0}, 80.0, 9)
    row = result(paper=(paper, 0.5))
    assert tables.placed(row, further) == where
    assert tables.placed(row, None) is None
    assert tables.placed(result(paper=None), further) is None
    assert f"| {where} |" in tables.split_table([(row, further)])


def test_of_a_single_split_no_difference_is_told():
    rows = [
        (result(), results.OverSplits({1: 80.0}, 80.0, 3)),
        (result(model="GCN"), results.OverSplits({1: 81.0}, 80.0, 3)),
    ]
    assert tables.split_differences(rows) == []
    more = [(row, results.OverSplits(each.means | {2: 79.0}, 80.0, 6)) for row, each in rows]
    (line,) = tables.split_differences(more)
    assert line.startswith("- cora: MixHop, default against")


def test_further_splits_differ_in_their_seed_alone():
    experiment = EXPERIMENTS["table3/cora/gcn"]
    others = on_further_splits(experiment)
    assert [other.data.seed for other in others] == list(range(1, 11))
    assert {other.name for other in others} == {"splits/cora/gcn"}
    assert {other.preset for other in others} == {experiment.preset}


def test_architectures_are_learned_on_both_kinds_of_splits_and_shortly_where_it_is_quick():
    found = plan.Plan(plan.FULL, Path("records")).architectures()
    assert [each.path(Path("r")).name for each in found] == [
        f"{graph}{split}.json"
        for split in ("", "-random")
        for graph in ("cora", "citeseer", "pubmed")
    ]
    for each in found[3:]:
        assert each.data == EXPERIMENTS[f"table3/{each.data.dataset}/mixhop-default"].data
        assert each.settings.retrain == preset("tuned-random", each.data.dataset)
        assert each.settings == learn_settings(each.data)
    assert [each.settings for each in found[:3]] == [CITATION_GRAPHS] * 3
    for each in plan.Plan(plan.QUICK, Path("records")).architectures():
        assert each.data.dataset == "cora"
        assert each.settings.wide.settings.max_steps == plan.QUICK.max_steps
        assert each.settings.retrain.settings.max_steps == plan.QUICK.max_steps


def test_the_page_needs_no_other_file(tmp_path):
    (tmp_path / "a.png").write_bytes(b"png")
    (tmp_path / "b.png").write_bytes(b"png")
    (tmp_path / "b.svg").write_bytes(b"<svg/>")
    markdown = "# T\n\n## It's `b`: c\n\n![a](a.png)\n\n![b](b.png)\n\n| x |\n|---|\n| <b> |\n"
    page = html.page(markdown, "a < b", tmp_path)
    assert f"data:image/png;base64,{base64.b64encode(b'png').decode()}" in page
    assert f"data:image/svg+xml;base64,{base64.b64encode(b'<svg/>').decode()}" in page
    assert "<title>a &lt; b</title>" in page
    assert '<div class="table"><table>' in page
    assert "&lt;b&gt;" in page
    assert 'src="a.png"' not in page
    assert '<h2 id="its-b-c">' in page
    assert "http" not in page


def test_parts_are_chosen_by_name_in_their_order():
    assert plan.parts_named(["figure4", "table1"]) == ("table1", "figure4")
    with pytest.raises(SettingError, match=r"`only` takes table1, table2, .*\. Received: table9"):
        plan.parts_named(["table9"])


def test_every_row_of_the_papers_tables_is_there_and_has_a_name():
    # The paper's Table 3 has 19; the others are rows that Table 1 cites.
    for part, count in (("table1", 35), ("table3", 19 + len(CITED_IN_TABLE_3))):
        rows = plan.table_rows(part)
        assert len(rows) == count
        assert all(each.row in plan.ROWS for each in rows)
    assert plan.table_rows("figure4") == ()


@pytest.mark.network
def test_the_plan_has_mixhops_rows_first_and_the_quick_one_is_short(tmp_path):
    chosen = plan.Plan(plan.QUICK, tmp_path, parts=("table1", "table3", "figure4"))
    jobs = list(chosen.jobs())
    names = [cell.label for cell, _ in jobs]
    num_rows, num_split = 54 + len(CITED_IN_TABLE_3), 19 + len(CITED_IN_TABLE_3)
    tables, others = names[:num_rows], names[num_rows:]
    kinds = ["mixhop" in name for name in tables]
    assert kinds == sorted(kinds, reverse=True)
    assert others[:num_split] == [
        name.replace("table3", "splits") for name in tables if "table3" in name
    ]
    assert len(others) == num_split + 4 * len(FIGURE_4 | CITED)
    # LP, DeepWalk and ICA have no steps, and Planetoid has fewer.
    steps = {
        name: cell.config.settings.max_steps for name, (cell, _) in zip(names, jobs, strict=True)
    }
    short = {name.rpartition("/")[-1].partition(",")[0] for name in names if steps[name] != 100}
    assert short == {"lp", "deepwalk", "ica", "planetoid"}


@pytest.mark.network
def test_label_propagation_has_one_run_on_each_split(tmp_path):
    full = plan.Plan(plan.FULL, tmp_path, parts=("table1", "table3"))
    counts = [(cell.label, len(seeds)) for cell, seeds in full.jobs()]
    assert {name for name, count in counts if count == 1} == {
        f"{table}/{graph}/lp"
        for table in ("table1", "table3", "splits")
        for graph in ("cora", "citeseer", "pubmed")
    }
    assert {count for name, count in counts if name.startswith("splits/")} == {1, 3}
    assert {count for name, count in counts if name.startswith("table")} == {1, 100}


@pytest.mark.network
@pytest.mark.parametrize("size", [dataclasses.replace(plan.FULL, graphs=1), plan.QUICK])
def test_a_report_of_nothing_says_that_nothing_was_run(tmp_path, size):
    (tmp_path / "records").mkdir()
    page, _ = files.write(plan.Plan(size, tmp_path / "records"), tmp_path)
    text = page.read_text()
    assert "Not run yet." in text
    assert "## Verdict" not in text
    assert "nan" not in text
    assert not list((tmp_path / "figures").iterdir())
