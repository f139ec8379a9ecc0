import dataclasses
import functools
import os
import pickle
import shlex
import subprocess
import sys

import pytest
from commands import ROOT, assert_one_clear_sentence, run_command

import datasets
from trainers import stats
from trainers.paper.presets import CITATION

run = functools.partial(run_command, "stats")


def test_own_graph_in_detail_with_pictures(tmp_path, path_graph):
    path_graph.save(tmp_path / "my graph.npz")
    answer = run("--dataset", "my graph.npz", "--plot", "--figures_dir", "pictures", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    table = {
        line.split("|")[1].strip(): line.split("|")[2].strip()
        for line in answer.stdout.splitlines()
        if line.startswith("|")
    }
    assert table["nodes"] == "5"
    assert table["isolated nodes"] == "1"
    assert table["class left"] == "2"
    assert table["train, val, test"] == "2, 1, 1"
    assert (tmp_path / "pictures" / "path.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "pictures" / "path.svg").read_text()


def test_pictures_are_the_same_bytes_each_time(tmp_path, path_graph):
    path_graph.save(tmp_path / "g.npz")
    for folder in ("one", "two"):
        run("--dataset", "g.npz", "--plot", "--figures_dir", folder, cwd=tmp_path)
    for suffix in ("png", "svg"):
        first, second = (
            (tmp_path / each / f"path.{suffix}").read_bytes() for each in ("one", "two")
        )
        assert first == second


def test_unknown_name(tmp_path):
    assert_one_clear_sentence(run("--dataset", "coar", cwd=tmp_path), "'coar'", "cora")


def test_unknown_flag_is_answered_with_the_nearest():
    answer = run("--datset", "cora")
    assert answer.returncode != 0
    assert "Did you mean: dataset" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_stray_argument():
    answer = run("cora")
    assert answer.returncode != 0
    assert "unexpected argument 'cora'" in answer.stdout + answer.stderr
    assert "Traceback" not in answer.stderr


def test_pickle_that_runs_code(tmp_path, data):
    class Evil:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path / 'trace'}",)

    for path in (data / "tiny").glob("ind.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "ind.tiny.graph").write_bytes(pickle.dumps(Evil()))
    assert_one_clear_sentence(run("--dataset", tmp_path), "ind.tiny.graph is refused", "system")
    assert not (tmp_path / "trace").exists()


def test_figures_folder_that_cannot_be_written(tmp_path, path_graph):
    path_graph.save(tmp_path / "g.npz")
    answer = run("--dataset", "g.npz", "--plot", "--figures_dir", "g.npz/figures", cwd=tmp_path)
    assert_one_clear_sentence(answer, "g.npz", "Not a directory")


def test_names_that_could_do_harm(tmp_path, path_graph):
    names = {"name": "../../escaped", "class_names": ("$x_{$", "a|b")}
    dataclasses.replace(path_graph, **names).save(tmp_path / "g.npz")
    answer = run(
        "--dataset", "g.npz", "--plot", "--figures_dir", "out/in", cwd=tmp_path,
        PYTHONIOENCODING="ascii",
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    assert [path.name for path in (tmp_path / "out" / "in").glob("*.png")] == ["escaped.png"]
    assert "class a\\|b" in answer.stdout


def test_every_split_flag_arrives(tmp_path):
    flags = ["--split", "random", "--per_class", 3, "--num_val", 17, "--num_test", 29]
    first, other = (
        run("--dataset", "synthetic-h0.5", *flags, "--seed", seed).stdout for seed in (0, 1)
    )
    assert "30, 17, 29 |" in first
    assert first != other


def test_empty_name():
    assert_one_clear_sentence(run("--dataset="), "Unknown graph ''")


def test_help_names_every_flag_of_the_command():
    answer = run("--help")
    for flag in ("--dataset", "--data_dir", "--split", "--seed", "--[no]plot"):
        assert flag in answer.stdout


def test_reader_that_stops_early():
    command = f"{shlex.quote(sys.executable)} -m trainers.stats --dataset synthetic-h0.1 | true"
    answer = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, env=os.environ
    )
    assert answer.stderr == ""


@pytest.mark.network
def test_table_2_in_the_docs_is_the_one_this_code_prints():
    table = stats.table_2(map(datasets.load, CITATION))
    assert table in (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
