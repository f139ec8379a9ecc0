"""The same graph and seed give the same numbers from Python and from the command line."""

import csv
import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import datasets

ROOT = Path(__file__).parents[1]
TRAIN = """
import csv, dataclasses, sys
import datasets, mixhop_tf
run = mixhop_tf.train(datasets.load(sys.argv[1]), seed=3)
rows = [dataclasses.asdict(point) for point in run.curve]
writer = csv.DictWriter(sys.stdout, fieldnames=list(rows[0]), lineterminator="\\n")
writer.writeheader()
writer.writerows(rows)
"""
LEARN = """
import sys
import datasets, mixhop_tf
settings = mixhop_tf.LearnSettings(width=30, runs=1, budget="columns=12")
learned = mixhop_tf.learn_architecture(datasets.load(sys.argv[1]), settings, seed=3)
sys.stdout.write(learned.architecture.to_json())
"""


def run(*arguments):
    answer = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of CSV files without a split."""
    graph = datasets.generate(0.3, num_nodes=400, num_classes=4, edges_per_node=4, seed=1)
    unsplit = dataclasses.replace(graph, train=[], val=[], test=[])
    return unsplit.save(tmp_path_factory.mktemp("graph") / "town")


def test_a_run_is_the_same(folder, tmp_path):
    run("-m", "trainers.train", "--dataset", folder, "--seed", 3, "--out", tmp_path / "run")
    command = (tmp_path / "run" / "curve.csv").read_text(encoding="utf-8")
    python = run("-c", TRAIN, folder)
    assert len(list(csv.reader(python.splitlines()))) > 100
    assert python == command


def test_a_learned_architecture_is_the_same(folder, tmp_path):
    options = ["--width", "30", "--runs", "1", "--budget", "columns=12", "--nosave_model"]
    out = tmp_path / "learned"
    run("-m", "trainers.learn_arch", "--dataset", folder, "--seed", 3, "--out", out, *options)
    command = (out / "architecture.json").read_text(encoding="utf-8")
    assert json.loads(command)["layers"][0]["dims"] != [4, 4, 4]
    assert run("-c", LEARN, folder) == command
