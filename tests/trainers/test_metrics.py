"""A verdict to trust: the customers' case on the command line, and every metric of the file."""

import csv
import json

import numpy as np
import pytest
from commands import assert_one_clear_sentence, run_with_fewer_pictures
from customers import customers
from sklearn import metrics
from sklearn.ensemble import HistGradientBoostingClassifier

import datasets
from mixhop_tf.metrics import calibration_error
from trainers.sweeps import records

FAST = ("--preset", "general", "--max_steps", 120, "--hidden_dims", 24)
REMEDY = ("--select_by", "pr_auc", "--class_weight", "balanced", "--threshold", "auto")


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("customers")
    customers(seed=5).save(folder / "crm")
    return folder, datasets.load(folder / "crm")


def command(folder, name, *arguments):
    answer = run_with_fewer_pictures(name, "--dataset", "crm", *arguments, cwd=folder)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.fixture(scope="module")
def default(world):
    return command(world[0], "train", *FAST, "--nosave_model", "--out", "default")


@pytest.fixture(scope="module")
def found(world):
    """Output of the training with the remedy, and of the prediction; labels and shares."""
    folder, _ = world
    trained = command(folder, "train", *FAST, *REMEDY, "--calibrate", "--out", "found")
    predicted = command(folder, "predict", "--model", "found")
    with open(folder / "predictions.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return trained, predicted, rows


def test_plain_settings_say_that_accuracy_is_no_guide(default):
    assert "Warning: leaves is never predicted." in default
    assert "Accuracy is no guide here: always answering stays is right for 95.0%" in default
    assert f"train with {' '.join(REMEDY)}." in default


def test_leavers_are_found_and_ranked_better_than_by_gradient_boosting(world, found):
    _, graph = world
    leaves = graph.class_names.index("leaves")
    features, test = graph.features.toarray(), graph.test
    boosted = HistGradientBoostingClassifier(random_state=0)
    boosted.fit(features[graph.train], graph.labels[graph.train])
    theirs = metrics.average_precision_score(
        graph.labels[test] == leaves, boosted.predict_proba(features[test])[:, leaves]
    )
    content = json.loads((world[0] / "found" / "metrics.json").read_text())
    scores = next(each for each in content["classes"] if each["name"] == "leaves")
    assert content["pr_auc"] > theirs + 0.1
    assert scores["recall"] > 0.3
    assert scores["precision"] > 0.3
    assert "never predicted" not in found[0]
    assert "Accuracy is no guide here" in found[0]
    assert "train with" not in found[0]
    assert "threshold: the answer is leaves if its probability is at least 0." in found[0]
    assert "before calibration, temperature" in found[0]


def test_every_metric_is_that_of_the_written_predictions(world, found):
    folder, graph = world
    trained, predicted, rows = found
    names = graph.class_names
    test = [row for row in rows if row["split"] == "test"]
    assert len(test) == len(graph.test)
    ids = {name: i for i, name in enumerate(graph.node_ids.tolist())}
    truth = np.array([graph.labels[ids[row["node"]]] for row in test])
    shares = np.array([[float(row[f"p_{name}"]) for name in names] for row in test])
    shares /= shares.sum(axis=1, keepdims=True)
    answers = np.array([names.index(row["label"]) for row in test])
    leaves = names.index("leaves")
    content = json.loads((folder / "found" / "metrics.json").read_text())
    expected = {
        "accuracy": metrics.accuracy_score(truth, answers),
        "balanced_accuracy": metrics.balanced_accuracy_score(truth, answers),
        "macro_f1": metrics.f1_score(truth, answers, average="macro"),
        "roc_auc": metrics.roc_auc_score(truth == leaves, shares[:, leaves]),
        "pr_auc": metrics.average_precision_score(truth == leaves, shares[:, leaves]),
        "log_loss": metrics.log_loss(truth, shares),
        "calibration_error": calibration_error(truth, shares),
    }
    for name, value in expected.items():
        assert content[name] == pytest.approx(value, abs=1e-5), name
    parts = metrics.precision_recall_fscore_support(truth, answers)
    for i, each in enumerate(content["classes"]):
        assert [each["precision"], each["recall"], each["f1"]] == pytest.approx(
            [part[i] for part in parts[:3]]
        )
    assert content["confusion"] == metrics.confusion_matrix(truth, answers).tolist()
    for line in (
        f"accuracy {expected['accuracy']:.1%} (always answering stays: 95.0%), balanced accuracy "
        f"{expected['balanced_accuracy']:.1%}, macro-F1 {expected['macro_f1']:.1%}",
        f"ROC-AUC {expected['roc_auc']:.3f}, PR-AUC of leaves {expected['pr_auc']:.3f} "
        f"(by chance 0.050), log loss {expected['log_loss']:.3f}, calibration error "
        f"{expected['calibration_error']:.1%} (",
    ):
        assert line in trained
        assert line in predicted


def test_calibration_is_honest_although_classes_were_weighted(world, found):
    content = json.loads((world[0] / "found" / "metrics.json").read_text())
    assert content["calibration_error"] < 0.05 < content["uncalibrated_error"]
    assert content["log_loss"] < 0.2  # 0.199 is that of the share alone


def test_many_runs_give_the_mean_of_each_metric(world):
    folder, _ = world
    answer = command(
        folder, "train", *FAST, *REMEDY, "--nosave_model", "--runs", 3, "--out", "many"
    )
    runs = records.read(folder / "many" / "records.jsonl")
    assert len(runs) == 3
    mean = np.mean([run["test_metrics"]["pr_auc"] for run in runs])
    assert f"PR-AUC {mean:.3f} ± " in answer
    assert "best run by validation pr auc" in answer
    best = max(runs, key=lambda run: (run["val_score"], -run["val_loss"]))
    assert f"(seed {best['seed']})" in answer
    summary = json.loads((folder / "many" / "summary.json").read_text())
    assert summary["metrics"]["pr_auc"]["mean"] == pytest.approx(mean)


def test_nodes_that_were_trained_on_are_never_scored(world, found):
    """A bare SavedModel does not know the split; new nodes are those to score, if there are any."""
    folder, graph = world
    bare = ("--model", "found/saved_model")
    (folder / "found" / "config.json").rename(folder / "kept.json")
    try:
        answer = command(folder, "predict", *bare, "--out", "bare.csv")
        assert "all labelled nodes are scored; the model may have been trained on some" in answer
        assert f"all labelled ({graph.num_nodes:,} nodes): accuracy" in answer
        other = customers(num_nodes=500, seed=8)
        ids = [f"d{i}" if i % 2 else f"c{i}" for i in range(500)]
        other = other.with_split([], [], [])
        object.__setattr__(other, "node_ids", np.array(ids))
        other.save(folder / "other")
        answer = command(folder, "predict", *bare, "--dataset", "other", "--out", "other.csv")
        assert "new (250 nodes): accuracy" in answer
        with open(folder / "other.csv", encoding="utf-8", newline="") as file:
            assert {row["split"] for row in csv.DictReader(file)} == {""}
    finally:
        (folder / "kept.json").rename(folder / "found" / "config.json")


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (None, "none.csv", "--class_weight must be balanced, none, or the path of a CSV file"),
        ("class,weight\nleaves,heavy\n", "w.csv", "--class_weight must be a CSV file with"),
        ("[1]", "w.json", "--class_weight must be a CSV file with"),
        ("class,weight\ngoes,3\n", "w.csv", "--class_weight must name classes of crm"),
        ('{"leaves": -3}', "w.json", "--class_weight must be none, balanced, or a positive"),
    ],
)
def test_weights_in_a_file(world, tmp_path, content, name, message):
    if content is not None:
        (tmp_path / name).write_text(content)
    weight = ("--class_weight", tmp_path / name)
    answer = run_with_fewer_pictures(
        "train", "--dataset", "crm", *weight, "--out", "no", cwd=world[0]
    )
    assert_one_clear_sentence(answer, message)


def test_weights_from_a_file_are_those_of_the_config(world, tmp_path):
    (tmp_path / "w.csv").write_text("class,weight\nleaves,9\nstays,1\n")
    weight = ("--class_weight", tmp_path / "w.csv")
    fast = ("--preset", "general", "--max_steps", 2, "--nosave_model")
    command(world[0], "train", *fast, *weight, "--out", "weighed")
    config = json.loads((world[0] / "weighed" / "config.json").read_text())
    assert config["settings"]["class_weight"] == [["leaves", 9.0], ["stays", 1.0]]
