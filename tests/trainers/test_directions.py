"""Directions, weights, depth and attention on the command line."""

import csv
import json
import re

import numpy as np
import pytest
from commands import assert_one_clear_sentence, run_with_fewer_pictures
from small_directed import directed_graph, weighted_graph

import datasets

FEW = ("--max_steps", 60, "--hidden_dims", 20, "--input_dropout", 0, "--hidden_dropout", 0.2)
GENERAL = ("--preset", "general", *FEW)


def as_dataset(graph, name):
    """The graph of the library as one of `datasets`, with merged edges."""
    edges, weights = datasets.merged_edges(
        graph.edges, graph.num_nodes, weights=graph.edge_weights, directed=graph.directed
    )
    return datasets.Graph(
        name=name,
        num_nodes=graph.num_nodes,
        num_classes=graph.num_classes,
        features=graph.features,
        edges=edges,
        edge_weights=weights,
        directed=graph.directed,
        labels=graph.labels,
        class_names=graph.class_names,
        train=graph.train,
        val=graph.val,
        test=graph.test,
    )


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A folder with a directed and a weighted graph, and a model of each."""
    folder = tmp_path_factory.mktemp("world")
    for name, graph in (("web", directed_graph()), ("calls", weighted_graph())):
        as_dataset(graph, name).save(folder / name)
    flags = {"web": ("--direction", "both"), "calls": ()}
    answers = {
        name: run_with_fewer_pictures(
            "train", "--dataset", name, *GENERAL, *given, "--out", f"{name}_model", cwd=folder
        )
        for name, given in flags.items()
    }
    assert all(each.returncode == 0 for each in answers.values()), answers
    return folder, answers


def accuracy_in(text):
    return float(re.search(r"test (\d+\.\d)%", text)[1])


def test_a_directed_graph_is_trained_in_both_directions(world):
    answer = world[1]["web"]
    assert "directed edges" in answer.stdout
    assert "in 1  in 2  out 1  out 2" in answer.stdout
    assert accuracy_in(answer.stdout) >= 95


def test_a_column_of_weights_is_used(world):
    answer = world[1]["calls"]
    assert "weighted edges" in answer.stdout
    assert accuracy_in(answer.stdout) >= 95


@pytest.mark.parametrize("name", ["web", "calls"])
def test_predictions_need_no_flag(world, name, tmp_path):
    folder, out = world[0], tmp_path / "predictions.csv"
    for model in (f"{name}_model", f"{name}_model/saved_model"):
        answer = run_with_fewer_pictures(
            "predict", "--model", model, "--dataset", name, "--out", out, cwd=folder
        )
        assert answer.returncode == 0, answer.stderr
        with open(out, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        graph = datasets.load(folder / name)
        right = [
            row["label"] == graph.class_names[label]
            for row, label in zip(rows, graph.labels, strict=True)
        ]
        assert np.mean(np.array(right)[graph.test]) >= 0.95


def test_a_weighted_model_wants_weights(world, tmp_path):
    folder = world[0]
    graph = datasets.load(folder / "calls", weight="none")
    graph.save(tmp_path / "plain")
    answer = run_with_fewer_pictures(
        "predict", "--model", folder / "calls_model", "--dataset", tmp_path / "plain", cwd=tmp_path
    )
    assert_one_clear_sentence(answer, "trained with edge weights", "--weight")


def test_stats_describe_weights_and_directions(world):
    folder = world[0]
    web = run_with_fewer_pictures("stats", "--dataset", "web", "--direction", "in", cwd=folder)
    calls = run_with_fewer_pictures("stats", "--dataset", "calls", cwd=folder)
    assert "| directed edges" in web.stdout
    assert "| edge weight: min, median, max" in calls.stdout


def test_a_learned_architecture_keeps_its_direction(world):
    folder = world[0]
    learned = run_with_fewer_pictures(
        *("learn_arch", "--dataset", "web", "--direction", "both", "--width", 4, "--jumping"),
        *("--budget", "columns=6", "--lasso", 0.01, "--wide_max_steps", 20, "--runs", 1),
        *("--retrain_max_steps", 60, "--out", "learned"),
        cwd=folder,
    )
    assert learned.returncode == 0, learned.stderr
    assert "powers 0, in 1, in 2, out 1, out 2" in learned.stdout
    content = json.loads((folder / "learned" / "architecture.json").read_text())
    assert content["adjacency"]["direction"] == "both"
    assert content["jumping"] is True
    again = run_with_fewer_pictures(
        *("train", "--dataset", "web", "--architecture", "learned/architecture.json"),
        *("--preset", "general", "--max_steps", 5, "--out", "again"),
        cwd=folder,
    )
    assert again.returncode == 0, again.stderr
    assert "directed edges" in again.stdout


def test_attention_jumping_connections_and_depth(world):
    answer = run_with_fewer_pictures(
        *("train", "--dataset", "calls", "--model", "mixhop_attention", "--heads", 2),
        *("--hidden_dims", "12,12", "--jumping", "--max_steps", 5, "--out", "attentive"),
        cwd=world[0],
    )
    assert answer.returncode == 0, answer.stderr
    assert "2 attention heads, elu" in answer.stdout
    assert "row normalization, jumping connections to the output" in answer.stdout


@pytest.mark.parametrize(
    ("flags", "parts"),
    [
        (("--dataset", "web", "--model", "gcn", "--direction", "in"), ["--direction", "MixHop"]),
        (("--dataset", "calls", "--heads", "2"), ["--heads", "without attention"]),
        (("--dataset", "calls", "--weight", "length"), ["length"]),
        (("--dataset", "web", "--architecture", "0:4:2,-1:4:2"), ["--architecture", "both"]),
        (("--dataset", "calls", "--model", "mixhop_attention", "--order", "2"), ["--order"]),
    ],
)
def test_flags_that_do_not_fit_are_refused(world, flags, parts):
    answer = run_with_fewer_pictures("train", *flags, *FEW[:2], cwd=world[0])
    assert_one_clear_sentence(answer, *parts)


def test_a_baseline_that_ignores_weights_says_so(world):
    answer = run_with_fewer_pictures(
        *("train", "--dataset", "calls", "--model", "mlp", "--max_steps", 2, "--out", "mlp"),
        cwd=world[0],
    )
    assert "edge weights are not used by --model mlp" in answer.stdout
