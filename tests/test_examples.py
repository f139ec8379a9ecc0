"""Runs each example unchanged, in its own folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(example, *arguments, cwd):
    """Runs an example as a user does: the project is not on the path."""
    return subprocess.run(
        [sys.executable, example, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": ""},
        capture_output=True,
        text=True,
    )


def test_the_karate_club(tmp_path):
    answer = run(ROOT / "examples" / "karate_club.py", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    shares = [int(line.split("%")[0]) for line in answer.stdout.splitlines() if "%" in line]
    assert len(shares) == 2
    assert min(shares) >= 80
    assert answer.stdout.splitlines()[-1] == "member 16 follows Mr. Hi"


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("town")
    return run(ROOT / "examples" / "csv_folder.py", folder / "out", cwd=folder), folder / "out"


def test_a_folder_of_csv_files(town):
    answer, folder = town
    assert answer.returncode == 0, answer.stderr
    assert "1 of 201 nodes are new to the model: newcomer" in answer.stdout
    assert answer.stdout.splitlines()[-1].startswith("The newcomer: newcomer,bicycle,,0.")
    assert (folder / "predictions_confusion.png").is_file()


def test_serving_needs_tensorflow_alone(town, tmp_path):
    shutil.copy(ROOT / "examples" / "serve.py", tmp_path)
    answer = run("serve.py", town[1] / "model" / "saved_model", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert [line.split(":")[0] for line in answer.stdout.splitlines()] == [
        f"node {i}" for i in range(4)
    ]
