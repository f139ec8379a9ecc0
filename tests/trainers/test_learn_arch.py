"""`python -m trainers.learn_arch` from flags to folder, on a small graph of the user's own."""

import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import tensorflow as tf
from commands import ROOT, assert_one_clear_sentence, run_command, run_with_fewer_pictures

import mixhop_tf
from mixhop_tf.training.inputs import Inputs
from trainers.plots.style import KINDS
from trainers.sweeps import records

run = functools.partial(run_command, "learn_arch")
run_quickly = functools.partial(run_with_fewer_pictures, "learn_arch")
FAST = (
    *("--width", 12, "--budget", "columns=9", "--runs", 2, "--wide_learning_rate", 0.05),
    *("--wide_max_steps", 30, "--retrain_max_steps", 20, "--wide_hidden_dropout", 0.5),
)


@pytest.fixture(scope="module")
def one(small_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    arguments = ("--dataset", small_file, *FAST, "--lasso", 0.02, "--out", "mine")
    answer = run(*arguments, cwd=folder)
    assert answer.returncode == 0, answer.stderr
    return answer, folder / "mine", arguments


def test_the_stages_are_told_and_nothing_else_to_the_side(one):
    answer, _, _ = one
    lines = answer.stdout.splitlines()
    assert ": 150 nodes" in lines[0]
    assert [line[:3] for line in lines if line[1:3] == "/5"] == [f"{i}/5" for i in range(1, 6)]
    assert lines[-1] == "wrote mine"
    assert any(line.startswith("test (") and "macro-F1" in line for line in lines)
    assert answer.stderr == ""


def test_all_is_left_behind(one):
    _, folder, _ = one
    names = {path.name for path in folder.iterdir()}
    drawn = ("architecture", "norms", "curve", "confusion", "ranking", "reliability")
    pictures = {f"{name}.{kind}" for name in drawn for kind in KINDS}
    assert names == {
        *("learn.json", "stages.json", "architecture.json", "norms.npz", "lasso_0.02"),
        *("config.json", "record.json", "model.keras", "saved_model", *pictures),
        *("curve.csv", "metrics.json"),
    }
    stages = json.loads((folder / "stages.json").read_text())
    assert [stage["name"] for stage in stages] == ["wide", "lasso", "measure", "shrink", "retrain"]
    assert stages[1]["lasso"] == 0.02
    assert stages[4]["num_runs"] == 2
    learned = mixhop_tf.Architecture.from_json((folder / "architecture.json").read_text())
    assert stages[3]["architecture"] == json.loads(json.dumps(learned.to_dict()))
    with np.load(folder / "norms.npz") as norms:
        scores = np.concatenate([norms[f"score_layer1_power{power}"] for power in (0, 1, 2)])
        assert (scores > norms["thresholds"][0]).sum() == learned.layers[0].width == 9
        assert norms["norm_layer2_power1"].shape == (2,)  # groups of the six classes
    assert (folder / "architecture.png").read_bytes().startswith(b"\x89PNG")
    assert "Layer 1" in (folder / "norms.svg").read_text()


def test_the_models_are_those_of_the_learned_architecture(one, small_graph):
    _, folder, _ = one
    model = mixhop_tf.load_model(folder / "model.keras")
    learned = mixhop_tf.Architecture.from_json((folder / "architecture.json").read_text())
    assert model.architecture == learned
    served = tf.saved_model.load(str(folder / "saved_model")).signatures["serving_default"]
    answer = served(
        features=tf.constant(small_graph.features.toarray()), edges=tf.constant(small_graph.edges)
    )["logits"]
    logits = model(Inputs.of(small_graph, model).raw_pair)
    np.testing.assert_allclose(answer, logits, atol=1e-5)
    record = json.loads((folder / "record.json").read_text())
    right = (logits.numpy().argmax(1) == small_graph.labels)[small_graph.val]
    assert right.mean() == record["val_accuracy"]


def test_train_takes_the_learned_architecture(one, small_file, tmp_path):
    _, folder, _ = one
    answer = run_with_fewer_pictures(
        *("train", "--dataset", small_file, "--architecture", folder / "architecture.json"),
        *("--max_steps", 20, "--nosave_model", "--out", "o"),
        cwd=tmp_path,
    )
    assert answer.returncode == 0, answer.stderr
    # The same as the stage that retrains, to the bit.
    mine = json.loads((tmp_path / "o" / "record.json").read_text())
    stage = records.read(folder / "lasso_0.02" / "records.jsonl")[0]
    assert mine["val_loss"] == stage["val_loss"]


def test_a_second_start_trains_nothing_but_the_model(one):
    answer, folder, arguments = one
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    again = run(*arguments, cwd=folder.parent)
    assert again.returncode == 0, again.stderr
    assert again.stdout == answer.stdout
    same = {"records.jsonl", "wide.npz", "wide.json", "architecture.json", "norms.png", "curve.csv"}
    for path, content in before.items():
        if path.name in same:
            assert path.read_bytes() == content, path


def test_another_search_is_not_written_over(one):
    _, folder, arguments = one
    answer = run(*arguments, "--width", 14, cwd=folder.parent)
    assert_one_clear_sentence(
        answer, "--out must be another folder", "learned with other settings (width)", "mine"
    )


def test_more_runs_and_other_coefficients_may_be_asked_for(one, tmp_path):
    _, folder, arguments = one
    shutil.copytree(folder, tmp_path / "mine")
    arguments = [*arguments, "--runs", 3, "--lasso", "0.02,0.01", "--nosave_model"]
    answer = run_quickly(*arguments, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    before = records.read(folder / "lasso_0.02" / "records.jsonl")
    after = records.read(tmp_path / "mine" / "lasso_0.02" / "records.jsonl")
    assert after[:2] == before
    assert len(after) == 3


def test_a_search_that_failed_leaves_its_folder_free(small_file, tmp_path):
    arguments = ("--dataset", small_file, *FAST, "--runs", 1, "--nosave_model", "--out", "o")
    assert_one_clear_sentence(run(*arguments, "--budget", "columns=99", cwd=tmp_path), "--budget")
    assert_one_clear_sentence(run(*arguments, "--lasso", 50, cwd=tmp_path), "lower --lasso")
    answer = run_quickly(*arguments, "--lasso", 0.02, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr


def test_auto_walks_the_path_and_says_what_each_coefficient_gave(small_file, tmp_path):
    arguments = ("--dataset", small_file, *FAST, "--runs", 1, "--nosave_model", "--out", "auto")
    answer = run_quickly(*arguments, "--lasso", "auto", "--powers", "0,1", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    lines = [line for line in answer.stdout.splitlines() if line.startswith("|")]
    # The table of the classes follows that of the coefficients.
    table = lines[: next(i for i, line in enumerate(lines) if line.startswith("| class"))]
    assert table[0].split()[1::2] == ["lasso", "wide", "architecture", "retrained"]
    assert sum(" * " in line for line in table) == 1
    assert len(table) - 2 == len(list((tmp_path / "auto").glob("lasso_*/architecture.json")))
    assert not (tmp_path / "auto" / "saved_model").exists()


@pytest.mark.parametrize(
    ("flags", "parts"),
    [
        (["--lasso", "50"], ["The lasso 50 is too strong", "lower --lasso"]),
        (["--lasso", "much"], ["--lasso takes numbers", "or auto. Received: much"]),
        (
            ["--budget", "columns=500"],
            ["--budget must fit", "make the wide model wider", "Received: columns=(500,"],
        ),
        (["--powers", "0,0"], ["--powers must be distinct whole numbers"]),
        (["--wide_l2", "-1"], ["--wide_l2 must not be negative"]),
        (["--retrain_input_dropout", "1"], ["--retrain_input_dropout must be at least 0"]),
        (["--wide_learning_rate", "1e30"], ["The loss is", "lower --wide_learning_rate"]),
        (
            ["--out", "full"],
            ["--out must be an empty folder or", "learned architecture. Received: 'full'"],
        ),
        (["--out", "full/mine"], ["--out must be a folder (this is a file)", "full/mine"]),
        (["--dataset", "corra"], ["Unknown graph 'corra'"]),
    ],
)
def test_bad_input_ends_in_a_sentence(small_file, tmp_path, flags, parts):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("precious")
    answer = run("--dataset", small_file, *FAST, *flags, cwd=tmp_path)
    assert_one_clear_sentence(answer, *parts)
    assert (tmp_path / "full" / "mine").read_text() == "precious"


def test_a_kill_loses_the_stage_in_progress_and_no_more(one, small_file, tmp_path):
    _, calm, _ = one
    arguments = ("--dataset", small_file, *FAST, "--lasso", 0.02, "--out", "killed")
    process = subprocess.Popen(
        [sys.executable, "-m", "trainers.learn_arch", *map(str, arguments)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    )
    part = tmp_path / "killed" / "lasso_0.02"
    while not (part / "wide.json").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    stamp = (part / "wide.npz").stat().st_mtime_ns
    answer = run(*arguments, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert (part / "wide.npz").stat().st_mtime_ns == stamp
    for name in ("architecture.json", "curve.csv", "norms.png"):
        assert (tmp_path / "killed" / name).read_bytes() == (calm / name).read_bytes(), name
