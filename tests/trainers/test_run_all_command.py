"""`python -m trainers.run_all`: its flags, its report and its errors.

The runs themselves are tested in `paper/test_reproduction.py`, on a small graph.
"""

import functools

import pytest
from absl import flags
from absl.testing import flagsaver
from commands import assert_one_clear_sentence, run_command

from trainers import run_all
from trainers.paper import plan
from trainers.sweeps import records
from trainers.sweeps.engine import POOL
from trainers.sweeps.errors import RunError

run = functools.partial(run_command, "run_all")


@pytest.fixture(autouse=True, scope="module")
def _flags():
    """Only the flags of this command."""
    before = set(flags.FLAGS)
    run_all.define_flags()
    flags.FLAGS(["run_all"])
    yield
    for name in set(flags.FLAGS) - before:
        delattr(flags.FLAGS, name)


def plans(tmp_path, **values):
    with flagsaver.flagsaver(out=str(tmp_path), **values):
        return run_all.plans()


def test_all_that_is_on_record_is_reported_whatever_is_run(tmp_path):
    chosen, reported, folder = plans(tmp_path, only=["figure4", "table1"], runs=3)
    assert (chosen.parts, chosen.size.runs) == (("table1", "figure4"), 3)
    assert reported.parts == plan.PARTS
    assert (reported.size, reported.quick, folder) == (plan.FULL, False, tmp_path)
    assert chosen.records_dir == reported.records_dir == tmp_path / "records"
    chosen, reported, _ = plans(tmp_path, runs=200)
    assert (chosen.size.runs, reported.size.runs) == (200, 200)


def test_without_further_ado_everything_is_run(tmp_path):
    chosen, reported, _ = plans(tmp_path, data_dir="d")
    assert chosen == reported == plan.Plan(plan.FULL, tmp_path / "records", "d")


def test_the_quick_version_has_a_folder_of_its_own(tmp_path):
    chosen, reported, folder = plans(tmp_path, quick=True)
    assert chosen == reported == plan.Plan(plan.QUICK, tmp_path / "quick" / "records")
    assert chosen.quick
    assert folder == tmp_path / "quick"


def test_a_part_that_is_none_is_refused(tmp_path):
    answer = run("--only", "table9", "--out", tmp_path)
    assert_one_clear_sentence(answer, "--only takes table1, table2", "Received: table9")
    assert not list(tmp_path.iterdir())


@pytest.mark.network
def test_a_part_without_runs_is_reported_at_once(tmp_path):
    answer = run("--quick", "--only", "table2", "--out", tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ""
    assert "the numbers are not results" in answer.stdout
    for name in ("README.md", "report.html"):
        assert f"wrote {tmp_path / 'quick' / name}" in answer.stdout
        assert (tmp_path / "quick" / name).is_file()
    assert not list((tmp_path / "quick").rglob("*.jsonl"))


@pytest.mark.network
def test_what_failed_is_told_after_the_report_is_written(tmp_path, monkeypatch, capsys):
    asked = []

    def reproduce(chosen, wide_dir, workers, on_record, engine):
        asked.append((chosen.parts, wide_dir, workers, engine))
        on_record()
        return [], [{"search": "scaled-effect", "seed": 3, "error": "nothing survives"}]

    monkeypatch.setattr(run_all, "start_tensorflow", lambda threads: None)  # it has been started
    monkeypatch.setattr(run_all.reproduction, "run", reproduce)
    values = {"quick": True, "only": ["figure5"], "workers": 2, "out": str(tmp_path)}
    with (
        flagsaver.flagsaver(**values),
        pytest.raises(RunError, match=r"1 searches failed; .*effect with seed 3: nothing survives"),
    ):
        run_all.main()
    assert asked == [(("figure5",), tmp_path / "quick" / "wide", 2, POOL)]
    assert f"wrote {tmp_path / 'quick' / 'report.html'}" in capsys.readouterr().out


@pytest.mark.network
@pytest.mark.slow
def test_a_table_is_run_recorded_and_printed(tmp_path):
    answer = run("--quick", "--only", "table1", "--runs", 1, "--out", tmp_path)
    assert answer.returncode == 0, answer.stderr
    folder = tmp_path / "quick"
    found = records.read_all(folder / "records")
    assert len(found) == len(plan.table_rows("table1"))
    table = answer.stdout.partition("table1\n")[2].partition("\n\n")[0].splitlines()
    assert len(table) - 2 == len(found)
    report = (folder / "README.md").read_text(encoding="utf-8")
    assert all(line in report for line in table[2:])
    assert (folder / "figures" / "table1.png").is_file()
