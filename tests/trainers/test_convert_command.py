"""`trainers.convert` end to end: every command takes the store, and runs share their records."""

import json

import numpy as np
from commands import assert_one_clear_sentence, run_command

from tests.datasets.store.towns import EDGES, NODES, cells, lines


def write_town(folder):
    nodes, edges = cells(np.random.default_rng(0))
    folder.mkdir()
    (folder / "nodes.csv").write_text(lines(NODES, nodes))
    (folder / "edges.csv").write_text(lines(EDGES, edges))


def test_a_store_serves_every_command_as_the_tables_do(tmp_path):
    write_town(tmp_path / "town")
    answer = run_command("convert", "--dataset", "town", "--out", "town.store", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith("wrote town.store: 60 nodes, ")
    checked = run_command("convert", "--check", "town.store", cwd=tmp_path)
    assert checked.stdout.startswith("town.store is intact: 60 nodes, ")
    direct = run_command("stats", "--dataset", "town", cwd=tmp_path)
    stored = run_command("stats", "--dataset", "town.store", cwd=tmp_path)
    assert stored.returncode == 0, stored.stderr
    assert stored.stdout == direct.stdout


def test_bad_input_gets_one_sentence(tmp_path):
    write_town(tmp_path / "town")
    answer = run_command("convert", "--dataset", "town", cwd=tmp_path)
    assert_one_clear_sentence(answer, "--out", "must be given")
    answer = run_command("convert", "--dataset", "town", "--out", "town", cwd=tmp_path)
    assert_one_clear_sentence(answer, "A store ends in .store")
    answer = run_command("convert", "--check", "town", cwd=tmp_path)
    assert_one_clear_sentence(answer, "not a finished store")


def test_training_on_the_store_finds_the_record_of_the_tables(tmp_path):
    write_town(tmp_path / "town")
    run_command("convert", "--dataset", "town", "--out", "town.store", cwd=tmp_path)
    keys = []
    for dataset in ("./town", "./town.store"):
        out = tmp_path / f"run-{len(keys)}"
        options = ("--dataset", dataset, "--max_steps", 2, "--out", out)
        answer = run_command("train", *options, cwd=tmp_path)
        assert answer.returncode == 0, answer.stderr
        record = json.loads((out / "record.json").read_text())
        keys.append((record["key"], record["config"]["digest"], record["test_accuracy"]))
    assert keys[0] == keys[1]
