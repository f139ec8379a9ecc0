"""The preset `auto`: the default on the user's own graph."""

import json
import shlex

import pytest
from commands import assert_one_clear_sentence, run_with_fewer_pictures

SMALL = ("--max_steps", "30", "--nosave_model", "--search", "0.02")


def train(*arguments, cwd):
    return run_with_fewer_pictures("train", *arguments, cwd=cwd)


@pytest.fixture(scope="module")
def searched(small_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("auto")
    answer = train("--dataset", small_file, *SMALL, "--out", "run", cwd=folder)
    assert answer.returncode == 0, answer.stderr
    return folder, answer.stdout


def test_it_says_what_was_chosen_and_how_to_repeat_it(searched):
    folder, output = searched
    line = next(each for each in output.splitlines() if each.startswith("auto: "))
    assert "by validation accuracy" in line
    words = shlex.split(output.split("without a search: python -m ")[1].splitlines()[0])
    assert words[0] == "trainers.train"
    answer = train(*words[1:], "--out", "again", cwd=folder)
    assert answer.returncode == 0, answer.stderr
    curves = [(folder / each / "curve.csv").read_bytes() for each in ("run", "again")]
    assert curves[0] == curves[1]


def test_all_scores_are_kept_and_a_second_start_makes_none_again(searched, small_file):
    folder, output = searched
    scores = json.loads((folder / "run" / "auto.json").read_text())["scores"]
    assert {each[0] for each in scores} == {"general", "own", "alone", "dropout", "penalty"}
    before = (folder / "run" / "auto.json").stat().st_mtime_ns
    answer = train("--dataset", small_file, *SMALL, "--out", "run", cwd=folder)
    assert answer.returncode == 0, answer.stderr
    assert (folder / "run" / "auto.json").stat().st_mtime_ns == before
    assert [x for x in answer.stdout.splitlines() if x.startswith("auto")] == [
        x for x in output.splitlines() if x.startswith("auto")
    ]


def test_scores_of_another_search_are_not_used(searched, small_file):
    folder, _ = searched
    path = folder / "run" / "auto.json"
    content = json.loads(path.read_text())
    (folder / "torn").mkdir()
    (folder / "torn" / "auto.json").write_text(json.dumps(content | {"search": "another"}))
    answer = train("--dataset", small_file, *SMALL, "--out", "torn", cwd=folder)
    assert answer.returncode == 0, answer.stderr
    assert json.loads((folder / "torn" / "auto.json").read_text()) == content


def test_flags_override_what_is_tried(small_file, tmp_path):
    flags = ("--architecture", "0,1", "--l2", "0.001", "--search", "1")
    answer = train("--dataset", small_file, *SMALL[:3], *flags, "--out", "o", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    config = json.loads((tmp_path / "o" / "config.json").read_text())
    assert config["settings"]["l2"] == 0.001
    assert config["architecture"]["layers"][0]["powers"] == [0, 1]
    assert "auto: general settings" in answer.stdout  # all candidates are the same


def test_a_search_of_size_zero_takes_the_general_settings(small_file, tmp_path):
    answer = train("--dataset", small_file, *SMALL[:3], "--search", "0", "--out", "o", cwd=tmp_path)
    assert "auto: general settings (without a search)" in answer.stdout
    assert not (tmp_path / "o" / "auto.json").exists()


@pytest.mark.parametrize("size", ["-1", "nan", "1e9"])
def test_a_size_that_makes_no_sense_is_refused(small_file, tmp_path, size):
    answer = train("--dataset", small_file, *SMALL[:3], "--search", size, cwd=tmp_path)
    assert_one_clear_sentence(answer, "--search must be from 0 to 1,000,000")


def test_a_folder_with_other_files_is_refused_before_the_search(small_file, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    answer = train("--dataset", small_file, *SMALL, "--out", "mine", cwd=tmp_path)
    assert_one_clear_sentence(answer, "--out must be an empty folder or the folder of a run")
    assert not (tmp_path / "mine" / "auto.json").exists()
