"""`python -m trainers.run_all` without its runs: what is asked for, reported and complained of."""

import pytest
from absl import flags
from absl.testing import flagsaver

from datasets import DataError
from trainers import run_all
from trainers.paper import plan
from trainers.sweeps.errors import RunError


@pytest.fixture(autouse=True, scope="module")
def _flags():
    """The flags of this command, alone."""
    before = set(flags.FLAGS)
    run_all.define_flags()
    flags.FLAGS(["run_all"])
    yield
    for name in set(flags.FLAGS) - before:
        delattr(flags.FLAGS, name)


@pytest.fixture
def world(monkeypatch, tmp_path):
    """Stands in for sweeps, searches and the report, and notes what they were asked."""

    class World:
        swept, reported, complaints = [], [], []

        def sweep(self, jobs, workers, on_record):
            self.swept.append(list(jobs))
            on_record()

        def write(self, chosen, folder):
            self.reported.append((chosen, folder))
            return [folder / "report.html"]

    world = World()
    world.swept, world.reported, world.complaints = [], [], []
    monkeypatch.setattr(run_all, "sweep_jobs", world.sweep)
    monkeypatch.setattr(run_all.report_files, "write", world.write)
    monkeypatch.setattr(run_all, "_searches", lambda chosen: ([], world.complaints))
    monkeypatch.setattr(run_all, "start_tensorflow", lambda threads: None)
    monkeypatch.setattr(plan.Plan, "jobs", lambda self: [])
    monkeypatch.setattr(run_all.report_tables, "rows", lambda chosen, part: [])
    return world


def asked(tmp_path, **values):
    with flagsaver.flagsaver(out=str(tmp_path), **values):
        run_all.main()


def test_all_that_is_on_record_is_reported_whatever_is_run(world, tmp_path):
    asked(tmp_path, only=["table1"], runs=3)
    ((chosen, folder),) = world.reported
    assert chosen.parts == plan.PARTS
    assert (chosen.size.runs, chosen.quick, folder) == (100, False, tmp_path)
    asked(tmp_path, runs=200)
    assert world.reported[-1][0].size.runs == 200


def test_the_quick_version_has_a_folder_of_its_own(world, tmp_path, capsys):
    asked(tmp_path, quick=True)
    ((chosen, folder),) = world.reported
    assert chosen.quick
    assert folder == tmp_path / "quick"
    assert chosen.records_dir == folder / "records"
    printed = capsys.readouterr().out
    assert f"wrote {folder / 'report.html'}" in printed
    assert "these are no results" in printed


def test_searches_that_fail_are_told_at_the_end(world, tmp_path):
    world.complaints.append("on pubmed, seed 3: nothing survives")
    with pytest.raises(RunError, match="1 searches found nothing; the first: on pubmed, seed 3"):
        asked(tmp_path, only=["figure5"])
    assert world.reported


def test_a_report_that_cannot_be_written_yet_stops_no_run(world, tmp_path, monkeypatch):
    def fail(chosen, folder):
        raise DataError("no network")

    growing = run_all.GrowingReport(plan.Plan(plan.QUICK, tmp_path), tmp_path, every=0.0)
    monkeypatch.setattr(run_all.report_files, "write", fail)
    growing.grow()
    with pytest.raises(DataError, match="no network"):
        growing.write()


def test_a_report_grows_now_and_then(world, tmp_path, monkeypatch):
    seconds, written = [0.0], []

    def write(chosen, folder):
        written.append(seconds[0])
        seconds[0] += 10.0  # it takes a while
        return []

    monkeypatch.setattr(run_all.report_files, "write", write)
    growing = run_all.GrowingReport(
        plan.Plan(plan.QUICK, tmp_path), tmp_path, every=60.0, clock=lambda: seconds[0]
    )
    while seconds[0] < 600.0:
        growing.grow()
        seconds[0] += 1.0
    # After a minute; then it leaves nineteen parts of twenty to the runs.
    assert written == [60.0, 270.0, 480.0]


def test_architectures_are_searched_for_on_both_kinds_of_splits(monkeypatch, tmp_path):
    asked = []
    found = {"search": run_all.experiments.DEFAULT_SEARCH, "seed": 0, "error": "nothing survives"}

    def search_all(searches, seeds, graph, data, path, folder, *_):
        asked.append((list(searches), list(seeds), data.file_stem, path.name, folder.name))
        return [{"search": run_all.study.EVEN, "seed": 0}, found]

    def cells_of(entries, graph, data, config, path, _):
        assert [each["search"] for each in entries] == ["even", "scaled-effect"]
        assert config.retrain.settings.max_steps == plan.QUICK.max_steps
        return [f"cell in {path.name}"]

    monkeypatch.setattr(run_all.study, "search_all", search_all)
    monkeypatch.setattr(run_all.study, "cells_of", cells_of)
    monkeypatch.setattr(run_all.plan.DataConfig, "load", lambda *_: None)
    chosen = plan.Plan(plan.QUICK, tmp_path)
    jobs, complaints = run_all._searches(chosen)
    assert asked == [
        (["scaled-effect"], [0], stem, f"{stem}.json", "quick") for stem in ("cora", "cora-random")
    ]
    assert [cell for cell, _ in jobs] == ["cell in cora.jsonl", "cell in cora-random.jsonl"]
    assert complaints == [
        "on cora, seed 0: nothing survives",
        "on cora-random, seed 0: nothing survives",
    ]
