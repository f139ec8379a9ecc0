"""Predictions in blocks are those of the whole graph."""

import csv
import dataclasses
from pathlib import Path

import numpy as np
import pytest

import mixhop_tf
from mixhop_tf import Architecture, SettingError, Settings, limits
from trainers.runs import block_prediction
from trainers.runs.block_prediction import BlockPrediction
from trainers.runs.predictors import WholePrediction, predictor, shared
from trainers.runs.question import Question
from trainers.runs.shared_prediction import SharedPrediction
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.engine import LocalPool
from trainers.sweeps.errors import RunError
from trainers.sweeps.pool import Death
from trainers.sweeps.ray_engine import RayEngine


@pytest.fixture(scope="module")
def served(small_graph, tmp_path_factory):
    """A graph with awkward names, and the folder of a model of it."""
    ids = np.array([f"person {i}" for i in range(small_graph.num_nodes)])
    ids[:3] = "=1+1", 'a "b"', "c, d"
    graph = dataclasses.replace(
        small_graph, node_ids=ids, class_names=("a", "b", "c, c", '"d"', "=e", "f")
    )
    run = mixhop_tf.train(graph, Architecture.default(6), Settings(max_steps=3))
    return graph, run.export(tmp_path_factory.mktemp("model") / "served")


@pytest.fixture(scope="module")
def world(served):
    """The graph and the model."""
    graph, folder = served
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
    monkeypatch.setattr(limits, "MANY_ROWS", 1)
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


class Here(LocalPool):
    """Executes tasks in this process; the first dies as often as wanted."""

    def __init__(self, num_deaths=0):
        self.num_deaths = num_deaths

    def run_tasks(self, function, tasks, num_workers, on_tick=lambda: None):
        assert len(tasks) == num_workers
        for task in tasks:
            if self.num_deaths and len(task.parts.done) > 2:
                self.num_deaths -= 1
                yield task, Death(-9)
            else:
                yield task, function(task)


@pytest.fixture(scope="module")
def question(served, tmp_path_factory):
    graph, folder = served
    path = tmp_path_factory.mktemp("stored") / "graph.npz"
    graph.save(path)
    return Question(Path(folder), DataConfig(dataset=str(path)))


def made_in_parts(question, folder, engine):
    found = question.load()
    prediction = SharedPrediction(found, question, folder / "shared.csv", engine, 3)
    answer = prediction.answer()
    prediction.write(answer, found.same_split)
    return found, prediction, answer


def compare_with_blocks(question, folder, engine):
    """In parts, the file and the embeddings must have the bytes that one process gives."""
    found, ours, answer = made_in_parts(question, folder, engine)
    alone = BlockPrediction(found.graph, found.features, found.model, folder / "alone.csv")
    np.testing.assert_array_equal(answer["logits"], alone.answer()["logits"])
    alone.write(alone.answer(), found.same_split)
    assert (folder / "shared.csv").read_bytes() == (folder / "alone.csv").read_bytes()
    np.testing.assert_array_equal(ours.embeddings(), alone.embeddings())
    ours.end()
    alone.end()
    assert sorted(path.name for path in folder.iterdir()) == ["alone.csv", "shared.csv"]


def test_parts_are_joined_to_the_file_of_one_process(question, tmp_path):
    compare_with_blocks(question, tmp_path, Here())


def test_a_process_that_dies_is_reported_and_the_next_start_continues(question, tmp_path):
    with pytest.raises(RunError, match="Part 0 of the prediction failed: its process died; start"):
        made_in_parts(question, tmp_path, Here(num_deaths=1))
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npy")}
    assert kept
    compare_with_blocks(question, tmp_path, Here())


def test_a_small_graph_needs_no_engine(question, tmp_path):
    with pytest.raises(SettingError, match="works with graphs of at least 200,000 nodes"):
        shared(question.load(), question, tmp_path / "p.csv", Here(), 2)


@pytest.mark.ray
@pytest.mark.usefixtures("ray_here")
def test_parts_on_ray(question, tmp_path):
    compare_with_blocks(question, tmp_path, RayEngine())
