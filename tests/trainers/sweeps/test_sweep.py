import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import fake_sweep
import pytest

from trainers.sweeps import records
from trainers.sweeps.cell import Cell
from trainers.sweeps.sweep import sweep

SCRIPT = Path(fake_sweep.__file__)
TESTS = SCRIPT.parents[1]


def start(folder, num_workers=2, num_seeds=12, **environment):
    return subprocess.Popen(
        [sys.executable, SCRIPT, folder, str(num_workers), str(num_seeds)],
        env=os.environ | {"PYTHONPATH": f"{TESTS.parent}{os.pathsep}{TESTS}"} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(*arguments, **environment):
    process = start(*arguments, **environment)
    output, errors = process.communicate()
    return process.returncode, output + errors


def contents(folder):
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    assert finish(folder)[0] == 0
    return contents(folder)


def test_a_sweep_fills_every_cell(undisturbed):
    assert list(undisturbed) == ["a.jsonl", "b.jsonl"]
    for text in undisturbed.values():
        assert [json.loads(line)["seed"] for line in text.splitlines()] == list(range(12))


@pytest.mark.parametrize("num_workers", [1, 3])
def test_the_number_of_workers_leaves_no_trace(tmp_path, undisturbed, num_workers):
    assert finish(tmp_path, num_workers)[0] == 0
    assert contents(tmp_path) == undisturbed


def test_a_second_start_goes_on_from_the_first(tmp_path, undisturbed):
    assert finish(tmp_path, 2, 5)[0] == 0
    first = contents(tmp_path)
    assert finish(tmp_path)[0] == 0
    assert contents(tmp_path) == undisturbed
    assert all(undisturbed[name].startswith(text) for name, text in first.items())


def test_what_is_on_record_is_not_run_again(tmp_path, undisturbed):
    finish(tmp_path)
    found = records.read(tmp_path / "a.jsonl")
    marked = b"".join(records.as_line({"mine": 1, **record}) for record in found).decode()
    (tmp_path / "a.jsonl").write_text(marked)
    assert finish(tmp_path)[0] == 0
    assert contents(tmp_path)["a.jsonl"] == marked


@pytest.mark.parametrize("num_kills", [6, pytest.param(50, marks=pytest.mark.slow)])
def test_kills_lose_and_repeat_nothing(tmp_path, undisturbed, num_kills):
    """`kill -9` at random moments: every record seen stays, as it was."""
    dice, seen, num_moments = random.Random(0), {}, set()

    def found():
        return {
            path.name: {record["seed"]: record for record in records.read(path)}
            for path in tmp_path.glob("*.jsonl")
        }

    for i in range(num_kills):
        process = start(tmp_path, 2, SLEEP="0.5")  # some runs a second
        if i % 3:
            while found() == seen and process.poll() is None:
                time.sleep(0.01)
            time.sleep(dice.uniform(0.0, 0.4))  # while it works
        else:
            time.sleep(dice.uniform(0.0, 1.2))  # while it starts
        process.kill()
        process.communicate()
        now = found()
        for name, before in seen.items():
            assert {seed: now[name][seed] for seed in before} == before
        seen = now
        num_moments.add(sum(map(len, seen.values())))
    assert finish(tmp_path)[0] == 0
    assert contents(tmp_path) == undisturbed
    assert len(num_moments) > 2  # the kills did fall into the work, not only before it


def test_a_failing_run_is_recorded_and_the_others_go_on(tmp_path, undisturbed):
    code, output = finish(tmp_path, FAIL="3")
    assert code == 0
    assert "t/a/m, seed 3: for the test's sake" in output
    found = records.read(tmp_path / "a.jsonl")
    assert [record["seed"] for record in found] == list(range(12))
    assert found[3]["status"] == records.FAILED
    assert found[3]["error"] == "for the test's sake"
    assert found[3]["config"]["data"]["dataset"] == "a"
    # Another start tries it again, and the record of the failure gives way.
    assert finish(tmp_path)[0] == 0
    assert contents(tmp_path) == undisturbed


def test_a_run_whose_process_was_killed_is_tried_again(tmp_path, undisturbed):
    (tmp_path / "records").mkdir()
    code, _ = finish(tmp_path / "records", DIE="3", ONCE=str(tmp_path / "died"))
    assert code == 0
    assert (tmp_path / "died").exists()
    assert contents(tmp_path / "records") == undisturbed


def test_a_run_that_always_kills_its_process_is_recorded_as_failed(tmp_path):
    code, output = finish(tmp_path, DIE="3", ONCE=os.devnull + "/never")
    assert code == 0
    assert "its process was killed, most likely out of memory; close" in output
    for name in ("a.jsonl", "b.jsonl"):
        statuses = {record["seed"]: record["status"] for record in records.read(tmp_path / name)}
        assert statuses.pop(3) == records.FAILED
        assert set(statuses.values()) == {records.DONE}


def test_two_sweeps_at_once_do_not_mix(tmp_path):
    first = start(tmp_path, 1, 400)
    while not list(tmp_path.glob("*.jsonl")):
        assert first.poll() is None
        time.sleep(0.02)
    code, output = finish(tmp_path)
    first.kill()
    first.communicate()
    assert code != 0
    assert "Another process is writing records into" in output


def test_other_configs_in_the_file_stay(tmp_path, undisturbed):
    other = {"key": "0" * 16, "seed": 0, "status": records.DIVERGED, "error": "…"}
    records.append(tmp_path / "a.jsonl", other)
    assert finish(tmp_path)[0] == 0
    line = records.as_line(other).decode()
    assert contents(tmp_path)["a.jsonl"] == line + undisturbed["a.jsonl"]
    assert len(fake_sweep.cells(tmp_path)[0].records(range(12))) == 12


def test_real_runs_are_the_same_with_one_and_two_workers_and_one_may_diverge(tmp_path, make_config):
    good, bad = make_config(), make_config(learning_rate=1e30)

    def run(num_workers):
        path = tmp_path / f"{num_workers}.jsonl"
        cells = [Cell(good, path, "t/good/m"), Cell(bad, path, "t/bad/m")]
        sweep(cells, range(3), num_workers)
        return [
            {name: value for name, value in record.items() if name != "seconds"}
            for record in records.read(path)
        ]

    one, two = run(1), run(2)
    assert one == two
    assert len(one) == 6
    for record in one:
        if record["experiment"] == "t/good/m":
            assert record["status"] == records.DONE
            assert record["versions"]["tensorflow"]
            assert re.fullmatch(r".+, \d+ cores", record["hardware"])
        else:
            assert record["status"] == records.DIVERGED
            assert "lower `learning_rate`" in record["error"]
    # What diverged does so again: it is not tried another time.
    assert Cell(bad, tmp_path / "1.jsonl").missing(range(3)) == []
