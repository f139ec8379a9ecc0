"""`python -m trainers.predict`: from a trained model and a graph to predictions.csv."""

import csv
import dataclasses
import functools
import shutil

import numpy as np
import pytest
import scipy.sparse as sp
import tensorflow as tf
from commands import assert_one_clear_sentence, run_command, run_with_fewer_pictures

import datasets
import mixhop_tf
from trainers.runs import prediction
from trainers.sweeps.config import graph_digest
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError

predict = functools.partial(run_command, "predict")


@pytest.fixture(scope="module")
def world(small_graph, tmp_path_factory):
    """A folder of CSV files with ids and names of its own, and a model trained on it."""
    folder = tmp_path_factory.mktemp("world")
    graph = dataclasses.replace(
        small_graph,
        name="town",
        node_ids=np.array([f"person {i}" for i in range(small_graph.num_nodes)]),
        feature_names=("east", "north"),
        class_names=tuple("abcdef"),
    )
    graph.save(folder / "town")
    answer = run_with_fewer_pictures(
        *(
            "train",
            "--dataset",
            "town",
            "--preset",
            "general",
            "--max_steps",
            30,
            "--hidden_dims",
            12,
        ),
        *("--out", "model"),
        cwd=folder,
    )
    assert answer.returncode == 0, answer.stderr
    return folder, datasets.load(folder / "town")


def copied(world, tmp_path):
    shutil.copytree(world[0] / "town", tmp_path / "town")
    return tmp_path / "town"


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_predictions_are_the_trainers_own(world, tmp_path):
    folder, graph = world
    answer = predict("--model", folder / "model", "--dataset", folder / "town", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ""
    model = mixhop_tf.load_model(folder / "model" / "model.keras")
    features = tf.constant(graph.features.toarray())
    logits = model((features, model.operator(graph.edges, graph.num_nodes)))
    expected = tf.nn.softmax(logits).numpy()
    rows = rows_of(tmp_path / "predictions.csv")
    assert list(rows[0]) == ["node", "label", "split", *(f"p_{name}" for name in "abcdef")]
    assert [row["node"] for row in rows] == graph.node_ids.tolist()
    found = np.array([[float(row[f"p_{name}"]) for name in "abcdef"] for row in rows])
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert [row["label"] for row in rows] == ["abcdef"[c] for c in expected.argmax(1)]
    for part in ("train", "val", "test"):
        chosen = [i for i, row in enumerate(rows) if row["split"] == part]
        assert chosen == sorted(getattr(graph, part))
    right = expected.argmax(1) == graph.labels
    share = right[graph.test].mean()
    assert f"test ({len(graph.test)} nodes): accuracy {share:.1%} (" in answer.stdout
    for name in ("confusion", "ranking", "reliability"):
        picture = tmp_path / f"predictions_{name}.png"
        assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_graph_that_has_grown_needs_no_labels_and_new_nodes_are_named(world, tmp_path):
    folder, graph = world
    town = copied(world, tmp_path)
    (town / "labels.csv").unlink()
    (town / "split.csv").unlink()
    with open(town / "features.csv", "a", encoding="utf-8") as file:
        file.write("zoe,100,20\nyan,-3,7\n")
    with open(town / "edges.csv", "a", encoding="utf-8") as file:
        file.write("zoe,person 0\n")
    answer = predict("--model", folder / "model", "--dataset", "town", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert "2 of 152 nodes are new to the model: zoe, yan" in answer.stdout
    assert "accuracy" not in answer.stdout
    assert len(rows_of(tmp_path / "predictions.csv")) == 152
    # Far from the new node nothing has changed: statistics are those of the training graph.
    before, after = (
        prediction.predict(each, each.features, prediction.load_model(folder / "model"))[
            "probabilities"
        ]
        for each in (graph, datasets.load(town, class_names="abcdef", make_split=False))
    )
    adjacency = sp.csr_array((np.ones(len(graph.edges)), graph.edges.T), shape=(150, 150))
    adjacency = adjacency + adjacency.T + sp.eye_array(150)
    near = adjacency[[0]] + adjacency[[0]] @ adjacency  # whose degree, or whose neighbour's …
    reach = (near @ adjacency @ adjacency).toarray()[0] > 0
    np.testing.assert_allclose(after[:150][~reach], before[~reach], atol=1e-5)
    assert np.abs(after[0] - before[0]).max() > 1e-4


def test_the_scores_are_those_of_the_split_that_the_model_was_trained_with(world, tmp_path):
    folder, graph = world
    model = prediction.load_model(folder / "model")
    here = DataConfig(dataset=str(folder / "town"))
    assert prediction.training_data(folder / "model") == prediction.training_data(
        folder / "model" / "saved_model"
    )
    # The split that came with the graph, which may grow.
    found, same = prediction.load_graph(
        here, None, model, prediction.training_data(folder / "model")
    )
    assert same
    np.testing.assert_array_equal(found.val, graph.val)
    # A split made for the training, which is another when the graph has grown.
    data = dataclasses.replace(here, split="stratified", seed=1)
    trained_on = data, graph_digest(data.load())
    found, same = prediction.load_graph(here, None, model, trained_on)
    assert same
    np.testing.assert_array_equal(found.val, data.load().val)
    town = copied(world, tmp_path)
    with open(town / "features.csv", "a", encoding="utf-8") as file:
        file.write("zoe,100,20\n")
    grown = DataConfig(dataset=str(town))
    assert not prediction.load_graph(grown, None, model, trained_on)[1]
    # Of a SavedModel without its run nobody knows.
    shutil.copytree(folder / "model" / "saved_model", tmp_path / "bare")
    assert prediction.training_data(tmp_path / "bare") is None
    assert not prediction.load_graph(here, None, model, None)[1]


def test_columns_are_found_by_name(world, tmp_path):
    folder, graph = world
    model = prediction.load_model(folder / "model")
    swapped = dataclasses.replace(
        graph, features=graph.features[:, [1, 0]], feature_names=("north", "east")
    )
    aligned, notes = prediction.aligned_features(swapped, model)
    np.testing.assert_array_equal(aligned.toarray(), graph.features.toarray())
    assert notes == []
    extra = sp.hstack([graph.features, sp.csr_array(np.ones((150, 1)))])
    wider = dataclasses.replace(graph, features=extra, feature_names=("east", "north", "age"))
    aligned, notes = prediction.aligned_features(wider, model)
    np.testing.assert_array_equal(aligned.toarray(), graph.features.toarray())
    assert notes == ["1 features are unused, as the model lacks them: age"]
    other = dataclasses.replace(graph, feature_names=("east", "south"))
    with pytest.raises(RunError, match=r"lacks columns .* \(1 in all\): north; add them"):
        prediction.aligned_features(other, model)


def test_what_cannot_be_predicted_is_refused_in_one_sentence(world, tmp_path):
    folder, _ = world
    town = copied(world, tmp_path)
    lines = (town / "features.csv").read_text().splitlines()
    (town / "features.csv").write_text("\n".join(line.rsplit(",", 1)[0] for line in lines))
    model = ("--model", folder / "model")
    assert_one_clear_sentence(
        predict(*model, "--dataset", town, cwd=tmp_path),
        "lacks columns that the model takes",
        "north",
    )
    assert_one_clear_sentence(predict(*model, cwd=tmp_path), "--dataset must be given")
    assert_one_clear_sentence(
        predict("--model", tmp_path, "--dataset", town, cwd=tmp_path), "holds no SavedModel"
    )
    assert_one_clear_sentence(
        predict(*model, "--dataset", town, "--out", tmp_path, cwd=tmp_path),
        "--out must be a file, such as",
        "predictions.csv",
    )


def test_names_that_a_spreadsheet_would_run_are_made_inert(tmp_path):
    graph = datasets.Graph(
        name="g",
        num_nodes=2,
        num_classes=2,
        features=np.eye(2),
        edges=[[0, 1]],
        labels=[0, 1],
        train=[0],
        val=[1],
        test=[],
        class_names=("=1+1", "-7"),
        node_ids=["@SUM(A1)", "anna"],
    )
    answer = {"labels": np.arange(2), "probabilities": np.eye(2)}
    prediction.write(tmp_path / "p.csv", graph, answer, graph.class_names, ["train", "val"])
    rows = list(csv.reader((tmp_path / "p.csv").read_text(encoding="utf-8").splitlines()))
    assert [row[:2] for row in rows[1:]] == [["'@SUM(A1)", "'=1+1"], ["anna", "-7"]]
    # What a graph's own files call it is still written back as it is.
    graph.save(tmp_path / "folder")
    assert set(datasets.load(tmp_path / "folder").class_names) == {"=1+1", "-7"}
