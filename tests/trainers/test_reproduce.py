import functools
import re

import pytest
from commands import assert_one_clear_sentence, run_command

from trainers.paper.cells import EXPERIMENTS
from trainers.sweeps import records
from trainers.sweeps.data_config import DataConfig

run = functools.partial(run_command, "reproduce")


def test_the_list_names_every_experiment():
    assert run("--list").stdout.split() == list(EXPERIMENTS)
    assert run("--list", "--only", "own/*").stdout.split() == [
        name for name in EXPERIMENTS if name.startswith("own/")
    ]


def test_an_unknown_experiment_is_refused():
    assert_one_clear_sentence(run("--only", "table7/*"), "No experiment matches 'table7/*'")
    assert_one_clear_sentence(run("--only", ""), "No experiment matches ''")


@pytest.mark.network
def test_a_cell_is_run_recorded_and_printed_beside_the_paper(tmp_path):
    name = "table1/cora/mixhop-learned"
    answer = run("--only", name, "--runs", 2, "--records_dir", tmp_path)
    assert answer.returncode == 0, answer.stderr
    found = records.read(tmp_path / f"{name}.jsonl")
    assert [record["seed"] for record in found] == [0, 1]
    assert {record["experiment"] for record in found} == {name}
    assert DataConfig(**found[0]["config"]["data"]) == EXPERIMENTS[name].data
    assert min(record["test_accuracy"] for record in found) > 0.79
    row = next(line for line in answer.stdout.splitlines() if name in line)
    assert "81.9 ± 0.4" in row
    _, _, num_runs, best, every, _, _ = (cell.strip() for cell in row.split("|"))
    assert num_runs == "2"
    assert re.fullmatch(r"\d\d\.\d\d", best)  # of two runs that is one, without a deviation
    assert re.fullmatch(r"\d\d\.\d\d ± \d+\.\d\d", every)
