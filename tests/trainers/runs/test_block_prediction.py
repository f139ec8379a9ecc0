"""Predictions in blocks are those of the whole graph."""

import csv
import dataclasses

import numpy as np
import pytest

import mixhop_tf
from mixhop_tf import Architecture, Settings
from mixhop_tf.training import size
from trainers.runs import block_prediction
from trainers.runs.block_prediction import BlockPrediction
from trainers.runs.predictors import WholePrediction, predictor


@pytest.fixture(scope="module")
def world(small_graph, tmp_path_factory):
    """A graph with awkward names, and a model of it."""
    ids = np.array([f"person {i}" for i in range(small_graph.num_nodes)])
    ids[:3] = "=1+1", 'a "b"', "c, d"
    graph = dataclasses.replace(
        small_graph, node_ids=ids, class_names=("a", "b", "c, c", '"d"', "=e", "f")
    )
    run = mixhop_tf.train(graph, Architecture.default(6), Settings(max_steps=3))
    folder = run.export(tmp_path_factory.mktemp("model") / "served")
    return graph, mixhop_tf.load_saved_model(folder)


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("same_split", [True, False])
def test_the_file_says_the_same(world, tmp_path, monkeypatch, same_split):
    monkeypatch.setattr(block_prediction, "_ROWS", 7)
    graph, model = world
    rows = []
    for kind in (WholePrediction, BlockPrediction):
        made = kind(graph, graph.features, model, tmp_path / f"{kind.__name__}.csv")
        answer = made.answer()
        made.write(answer, same_split)
        made.end()
        rows.append(rows_of(tmp_path / f"{kind.__name__}.csv"))
    assert rows[0][0] == rows[1][0]
    assert [row[:3] for row in rows[0]] == [row[:3] for row in rows[1]]
    numbers = [np.array([row[3:] for row in each[1:]], float) for each in rows]
    np.testing.assert_allclose(numbers[1], numbers[0], atol=1e-5)
    assert len(list(tmp_path.iterdir())) == 2, "intermediate results are removed"


def test_embeddings_are_those_of_the_model(world, tmp_path):
    graph, model = world
    whole, blocks = (
        kind(graph, graph.features, model, tmp_path / "p.csv").embeddings()
        for kind in (WholePrediction, BlockPrediction)
    )
    np.testing.assert_allclose(blocks, whole, atol=1e-5)


def test_size_decides(world, tmp_path, monkeypatch):
    graph, model = world
    out = tmp_path / "p.csv"
    assert isinstance(predictor(graph, graph.features, model, out), WholePrediction)
    monkeypatch.setattr(size, "MANY_NODES", 1)
    assert isinstance(predictor(graph, graph.features, model, out), BlockPrediction)
    without = dataclasses.replace(model, model=None)
    assert isinstance(predictor(graph, graph.features, without, out), WholePrediction)


def test_a_killed_prediction_finds_its_intermediate_results(world, tmp_path):
    graph, model = world
    first = BlockPrediction(graph, graph.features, model, tmp_path / "p.csv").answer()
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npy")}
    assert kept, "nothing was written yet, so the results stay"
    again = BlockPrediction(graph, graph.features, model, tmp_path / "p.csv").answer()
    np.testing.assert_array_equal(first["logits"], again["logits"])
    assert kept == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npy")}
