"""What Ray's tasks need, without Ray."""

import dataclasses
from pathlib import Path

import pytest
from small_settings import SETTINGS

import datasets
from trainers.sweeps import ray_cluster, ray_engine
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError
from trainers.sweeps.ray_task import Origin, Unfit, call
from trainers.sweeps.worker import Task


class FakeRay:
    """Counts what is put into Ray's memory."""

    def __init__(self, num_processors=2):
        self.things, self.num_processors = [], num_processors

    def put(self, thing):
        self.things.append(thing)
        return len(self.things) - 1

    def cluster_resources(self):
        return {"CPU": self.num_processors} if self.num_processors else {}


@pytest.fixture
def tasks(small_graph, tmp_path):
    """Two runs on each of three files, of which two hold the same graph."""
    other = datasets.generate(0.5, num_nodes=100, num_classes=5, edges_per_node=2, seed=1)
    for name, graph in {"a": small_graph, "b": small_graph, "c": other}.items():
        graph.save(tmp_path / f"{name}.npz")

    def cell(name):
        data = DataConfig(dataset=str(tmp_path / f"{name}.npz"))
        config = RunConfig(data=data, digest="", architecture={}, settings=SETTINGS)
        return Cell(config, tmp_path / "records.jsonl")

    return [Task(cell(name), seed, 1) for name in "abc" for seed in range(2)]


def test_a_graph_is_put_once_for_all_tasks_by_its_content(tasks, small_graph, same_graph):
    ray = FakeRay()
    graphs = ray_engine._Graphs(ray, tasks)
    assert [graphs.of(task) for task in tasks] == [0, 0, 0, 0, 1, 1]
    same_graph(ray.things[0], small_graph)


def test_a_graph_is_freed_after_its_last_task(tasks):
    graphs = ray_engine._Graphs(FakeRay(), tasks)
    for task in tasks:
        graphs.of(task)
    for number, task in enumerate(tasks, start=1):
        graphs.release(task)
        assert len(graphs._references) == {4: 1, 5: 1, 6: 0}.get(number, 2)


def test_a_graph_that_cannot_be_read_and_a_store_are_left_to_the_task(tasks, small_graph, tmp_path):
    small_graph.save(tmp_path / "a.store")
    broken, stored = (
        dataclasses.replace(task.cell.config.data, dataset=str(tmp_path / name))
        for task, name in zip(tasks, ("none.npz", "a.store"), strict=False)
    )
    graphs = ray_engine._Graphs(FakeRay(), [])
    assert graphs._put(broken, None) is None
    assert graphs._put(stored, None) is None


def test_the_task_gets_the_graph_and_runs_in_the_folder_of_the_command(
    tasks, small_graph, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    origin = Origin.here()
    monkeypatch.chdir("/")
    task = call(lambda task: task, tasks[0], small_graph, origin)
    assert task.graph is small_graph
    assert Path.cwd() == tmp_path
    assert call(lambda task: task, 7, None, origin) == 7


def test_a_node_without_the_folder_or_with_another_version_is_unfit(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    origin = Origin.here()
    away = dataclasses.replace(origin, folder=str(tmp_path / "away"))
    answer = call(pytest.fail, 1, None, away)
    assert isinstance(answer, Unfit)
    assert f"cannot open {tmp_path / 'away'} (No such file or directory)" in answer
    older = dataclasses.replace(origin, versions=origin.versions | {"keras": "3.0.0"})
    assert "and this process has 3.0.0; install the same" in call(pytest.fail, 1, None, older)
    other = dataclasses.replace(origin, code="0" * 64)
    assert "has other code than this process; use the same checkout" in call(
        pytest.fail, 1, None, other
    )
    assert call(abs, -1, None, origin) == 1


def test_a_cluster_without_processors_ends_in_a_sentence(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(ray_cluster.time, "monotonic", lambda: now[0])
    ray = FakeRay(num_processors=0)
    capacity = ray_cluster.Capacity(ray)
    assert capacity.now() == 1  # a node may come
    now[0] = 61.0
    with pytest.raises(RunError, match="has no processors; add a node with `ray start"):
        capacity.now()
    ray.num_processors = 4
    assert capacity.now() == 4
    now[0] = 120.0
    ray.num_processors = 0
    assert capacity.now() == 1


def test_without_ray_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(ray_cluster.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RunError, match=r"pip install -r requirements-cluster\.lock"):
        ray_engine.RayEngine()
