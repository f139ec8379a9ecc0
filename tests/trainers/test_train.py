"""`python -m trainers.train` from flags to folder, on a small graph of the user's own."""

import csv
import dataclasses
import functools
import json

import numpy as np
import pytest
import tensorflow as tf
from commands import assert_one_clear_sentence, run_command, run_with_fewer_pictures

import mixhop_tf
from mixhop_tf.delta import count_deltas
from mixhop_tf.training.inputs import Inputs
from trainers.plots.style import KINDS
from trainers.sweeps import records

run = functools.partial(run_command, "train")
run_quickly = functools.partial(run_with_fewer_pictures, "train")
FAST = ("--max_steps", "15", "--hidden_dims", "12")
PICTURES = ("curve", "confusion", "ranking", "reliability")
FILES = {
    *("config.json", "record.json", "metrics.json", "curve.csv"),
    *(f"{name}.{kind}" for name in PICTURES for kind in KINDS),
}


@pytest.fixture(scope="module")
def one(small_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    answer = run("--dataset", small_file, *FAST, "--seed", 4, "--out", "out/mine", cwd=folder)
    assert answer.returncode == 0, answer.stderr
    return answer, folder / "out" / "mine"


@pytest.fixture(scope="module")
def many(small_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    model = ("--input_dropout", 0.2, "--activation", "tanh", "--lasso", 0.02)
    arguments = ("--dataset", small_file, *FAST, *model, "--runs", 4, "--seed", 3, "--out", "cell")
    answer = run(*arguments, cwd=folder)
    assert answer.returncode == 0, answer.stderr
    return answer, folder / "cell", arguments


def test_a_run_prints_its_accuracies_and_nothing_else_to_the_side(one):
    answer, folder = one
    record = json.loads((folder / "record.json").read_text())
    assert (
        f"seed 4: validation {record['val_accuracy']:.1%}, test {record['test_accuracy']:.1%}, "
        f"at step {record['best_step']} of {record['num_steps']}"
    ) in answer.stdout
    assert "wrote out/mine" in answer.stdout
    assert answer.stderr == ""  # no bar when it is not a terminal, no notes of TensorFlow


def test_a_run_leaves_all_of_it_behind(one):
    _, folder = one
    names = {path.name for path in folder.iterdir()}
    assert names == {"model.keras", "saved_model", *FILES}
    record = json.loads((folder / "record.json").read_text())
    assert record["config"] == json.loads((folder / "config.json").read_text())
    assert (record["seed"], record["status"]) == (4, records.DONE)
    with open(folder / "curve.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["step"]) for row in rows] == list(range(1, 16))
    best = rows[record["best_step"] - 1]
    assert float(best["val_accuracy"]) == record["val_accuracy"]
    assert float(best["val_loss"]) == record["val_loss"]
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert "validation" in (folder / "curve.svg").read_text()


def test_both_models_predict_what_the_record_says(one, small_graph):
    _, folder = one
    record = json.loads((folder / "record.json").read_text())
    model = mixhop_tf.load_model(folder / "model.keras")
    served = tf.saved_model.load(str(folder / "saved_model")).signatures["serving_default"]
    logits = model(Inputs.of(small_graph, model).raw_pair).numpy()
    answer = served(
        features=tf.constant(small_graph.features.toarray()), edges=tf.constant(small_graph.edges)
    )["logits"]
    np.testing.assert_allclose(answer, logits, atol=1e-5)
    test = small_graph.test
    accuracy = (logits.argmax(1) == small_graph.labels)[test].mean()
    assert accuracy == record["test_accuracy"]
    names = mixhop_tf.load_saved_model(folder / "saved_model").class_names
    assert list(names) == list(small_graph.class_names)


def test_the_same_command_gives_the_same_folder_again(one, small_file, tmp_path):
    _, folder = one
    run("--dataset", small_file, *FAST, "--seed", 4, "--out", "again", cwd=tmp_path)
    for name in FILES - {"record.json"}:
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes(), name
    first, second = (
        json.loads((each / "record.json").read_text()) for each in (folder, tmp_path / "again")
    )
    assert first | {"seconds": 0} == second | {"seconds": 0}


def test_many_runs_give_the_protocol(many):
    answer, folder, _ = many
    found = records.read(folder / "records.jsonl")
    assert [record["seed"] for record in found] == [3, 4, 5, 6]
    first = found[0]["config"]["architecture"]["layers"][0]
    assert (first["dropout"], first["activation"]) == (0.2, "tanh")
    assert found[0]["config"]["settings"]["lasso"] == 0.02
    summary = json.loads((folder / "summary.json").read_text())
    best = sorted(found, key=lambda r: (-r["val_accuracy"], r["val_loss"]))[:2]
    assert summary["best_mean"] == pytest.approx(np.mean([r["test_accuracy"] for r in best]))
    assert summary["mean"] == pytest.approx(np.mean([r["test_accuracy"] for r in found]))
    assert f"best 2 of 4 runs by validation: {summary['best_mean']:.2%}" in answer.stdout
    assert "95 % interval" in answer.stdout
    assert (folder / "runs.png").read_bytes().startswith(b"\x89PNG")
    # The best run was made again for its model: by a process with other threads, to the bit.
    again = json.loads((folder / "best" / "record.json").read_text())
    assert again | {"seconds": 0} == best[0] | {"seconds": 0}
    assert (folder / "best" / "saved_model" / "saved_model.pb").is_file()


def test_a_second_start_makes_no_run_twice(many):
    _, folder, arguments = many
    before = {path: path.stat().st_mtime_ns for path in folder.glob("best/*")}
    records_before = (folder / "records.jsonl").read_bytes()
    answer = run(*arguments, cwd=folder.parent)
    assert answer.returncode == 0, answer.stderr
    assert (folder / "records.jsonl").read_bytes() == records_before
    assert not list(folder.rglob(".*"))
    after = {path: path.stat().st_mtime_ns for path in folder.glob("best/*")}
    assert {p.name for p in after if after[p] != before[p]} <= {"config.json"}


def test_a_folder_of_other_settings_is_not_written_over(many):
    _, folder, arguments = many
    answer = run(*arguments, "--l2", 0.25, "--hidden_dropout", 0.1, cwd=folder.parent)
    assert_one_clear_sentence(
        answer, "--out must be another folder", "other settings (", "l2", "cell"
    )


@pytest.mark.parametrize(
    ("flags", "parts"),
    [
        (["--learning_rate", "1e30"], ["The loss is", "lower --learning_rate"]),
        (["--learning_rate", "-1"], ["--learning_rate must be positive. Received: -1.0"]),
        (["--architecture", "0:1:1,x"], ["--architecture must be one of", "Received: '0:1:1,x'"]),
        (["--dataset", "corra"], ["Unknown graph 'corra'", "cora"]),
        (
            ["--architecture", "0:12:8,1:12:10", "--lasso_kind", "proximal"],
            ["--lasso_kind must fit the architecture", "multiples of the 6 classes"],
        ),
        (
            ["--architecture", "0:12:6,1:18:6", "--shared_first_kernel"],
            ["--shared_first_kernel needs two layers", "--architecture default"],
        ),
        (
            ["--model", "gcn", "--shared_first_kernel"],
            ["--shared_first_kernel works only with MixHop, not with --model gcn"],
        ),
        (["--out", "file"], ["--out must be a folder (this is a file)", "'file'"]),
        (
            ["--out", "full"],
            ["--out must be an empty folder or the folder of a run. Received: 'full'"],
        ),
        (
            ["--per_class", "5"],
            ["--per_class works only with --split random, not with --split given"],
        ),
        (
            ["--workers", "2", "--address", "10.0.0.1:6379"],
            ["--address works only with --engine ray; leave it out"],
        ),
        (["--join", "--runs", "2"], ["--join works only with a single run; leave out --runs"]),
        (["--dataste", "cora"], ["Unknown command line flag 'dataste'. Did you mean: dataset"]),
        (["extra"], ["unexpected argument 'extra'"]),
    ],
)
def test_bad_input_ends_in_a_sentence(small_file, tmp_path, flags, parts):
    (tmp_path / "file").touch()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("precious")
    answer = run("--dataset", small_file, "--max_steps", 5, *flags, cwd=tmp_path)
    assert_one_clear_sentence(answer, *parts)
    assert (tmp_path / "full" / "mine").read_text() == "precious"


def test_of_a_shared_kernel_the_record_has_the_share_of_delta_operators(small_file, tmp_path):
    flags = ("--dataset", small_file, "--max_steps", 5, "--out", "shared", "--shared_first_kernel")
    answer = run_quickly(*flags, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    told = json.loads((tmp_path / "shared" / "record.json").read_text())["delta_share"]
    model = mixhop_tf.load_model(tmp_path / "shared" / "model.keras")
    assert told == count_deltas(model).share > 0


def test_a_graph_without_a_split_gets_a_stratified_one(small_graph, tmp_path):
    small_graph.with_split([], [], []).save(tmp_path / "bare.npz")
    answer = run_quickly("--dataset", "bare.npz", "--max_steps", 5, "--out", "bare", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert "bare.npz" not in answer.stderr
    assert "has no split, so 60 % of each class train, 20 % validate and 20 %" in answer.stderr
    sizes = np.bincount(small_graph.labels)
    assert f"{sum(np.ceil(0.6 * sizes).astype(int))} train" in answer.stdout


def test_a_folder_keeps_to_its_run(one, small_file):
    """Another seed or an incomplete folder must not mix the files of two runs."""
    _, folder = one
    arguments = ("--dataset", small_file, *FAST, "--out", folder)
    assert_one_clear_sentence(
        run(*arguments, "--seed", 5), "--out must be another folder", "the run of seed 4"
    )
    kept = folder / ".0123456789ab.curve.csv"
    kept.write_text("torn")
    (folder / "record.json").unlink()  # as if killed before the last file
    answer = run(*arguments, "--seed", 5, "--nosave_model")
    assert answer.returncode == 0, answer.stderr
    assert json.loads((folder / "record.json").read_text())["seed"] == 5
    names = {path.name for path in folder.iterdir()}
    assert names == FILES  # no model of seed 4, nothing torn


def test_a_graph_without_test_nodes_gets_its_validation_accuracy(small_graph, tmp_path):
    dataclasses.replace(small_graph, test=[]).save(tmp_path / "g.npz")
    arguments = ("--dataset", "g.npz", *FAST, "--runs", 2, "--nosave_model", "--out", "o")
    answer = run_quickly(*arguments, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert "mean validation accuracy of 2 runs" in answer.stdout
    assert "nan" not in answer.stdout
    assert json.loads((tmp_path / "o" / "summary.json").read_text())["mean"] is None
    # A model asked for later is made later.
    answer = run_quickly(*(each for each in arguments if each != "--nosave_model"), cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert (tmp_path / "o" / "best" / "saved_model").is_dir()
