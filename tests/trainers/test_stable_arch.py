"""`python -m trainers.stable_arch` from flags to folder."""

import functools
import json
import shutil

import pytest
from commands import assert_one_clear_sentence, run_command, run_with_fewer_pictures

from mixhop_tf import Architecture
from trainers.plots.style import KINDS

run = functools.partial(run_command, "stable_arch")
run_quickly = functools.partial(run_with_fewer_pictures, "stable_arch")
FAST = ("--searches", 2, "--deals", 2, "--budget", "columns=9")


@pytest.fixture(scope="module")
def one(small_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    answer = run("--dataset", small_file, *FAST, "--out", "mine", cwd=folder)
    assert answer.returncode == 0, answer.stderr
    return answer, folder / "mine"


def test_it_prints_what_was_found_and_chosen(one):
    answer, _ = one
    lines = answer.stdout.splitlines()
    assert "9 columns" in lines
    assert any(line.startswith("| 9 even") for line in lines)
    assert sum(" * " in line for line in lines) == 1
    assert any(line.startswith("chosen: ") for line in lines)
    assert lines[-1] == "wrote mine"
    assert answer.stderr == ""


def test_the_folder_holds_an_architecture_to_train(one):
    answer, folder = one
    assert {path.name for path in folder.iterdir()} == {
        *("stable.json", "searches.json", "scores.json", "architecture.json", "learned.json"),
        *(f"{name}.{kind}" for name in ("path", "architecture") for kind in KINDS),
    }
    for name in ("architecture.json", "learned.json"):
        assert Architecture.from_json((folder / name).read_text()).layers[0].width == 9
    assert "--architecture=mine/architecture.json" in answer.stdout


def test_it_continues_from_what_is_there(one, small_file, tmp_path):
    answer, folder = one
    shutil.copytree(folder, tmp_path / "mine")
    path = tmp_path / "mine" / "searches.json"
    points = [each for each in json.loads(path.read_text()) if each["search"] == 0]
    path.write_text(json.dumps(points))
    path = tmp_path / "mine" / "scores.json"
    path.write_text(json.dumps(json.loads(path.read_text())[:-1]))
    again = run_quickly("--dataset", small_file, *FAST, "--out", "mine", cwd=tmp_path)
    assert again.stdout == answer.stdout
    assert len(json.loads((tmp_path / "mine" / "scores.json").read_text())) == len(
        json.loads((folder / "scores.json").read_text())
    )


def test_another_seed_needs_another_folder(one, small_file):
    _, folder = one
    answer = run("--dataset", small_file, *FAST, "--seed", 1, "--out", folder)
    assert_one_clear_sentence(answer, "--out", "another folder")


def test_a_wrong_budget_is_one_sentence(small_file, tmp_path):
    answer = run("--dataset", small_file, "--budget", "parameters=3", cwd=tmp_path)
    assert_one_clear_sentence(answer, "--budget", "parameters of 10 columns")
