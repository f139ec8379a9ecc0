"""A run in a sweep that is killed resumes from its checkpoint, and no checkpoint is left over."""

import dataclasses

import fake_sweep
import pytest
from small_settings import SETTINGS

import mixhop_tf
from trainers.sweeps import checkpoints, records, sweep, worker
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError

VARYING = {"seconds", "versions"}


@pytest.fixture(autouse=True)
def _checkpoints_at_every_step(monkeypatch):
    monkeypatch.setenv(checkpoints.VARIABLE, "0")


@pytest.fixture
def task(small_graph, tmp_path):
    path = tmp_path / "graph.npz"
    small_graph.save(path)
    data = DataConfig(dataset=str(path))
    architecture = mixhop_tf.Architecture.default(small_graph.num_classes, hidden_dims=[6])
    config = RunConfig.of(data, small_graph, architecture, SETTINGS)
    worker._trainer.cache_clear()
    return worker.Task(Cell(config, tmp_path / "runs" / "cell.jsonl"), seed=3, num_threads=1)


def files(folder):
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


def lasting(record):
    return {name: value for name, value in record.items() if name not in VARYING}


def interrupt_after(monkeypatch, steps):
    """Interrupts the first run after so many checkpoints; gives the numbers of the next steps."""
    made, save = [], mixhop_tf.Checkpoint.save

    def dying(self, fingerprint, state):
        save(self, fingerprint, state)
        made.append(state.next_step)
        if len(made) == steps:
            raise KeyboardInterrupt

    monkeypatch.setattr(mixhop_tf.Checkpoint, "save", dying)
    return made


def test_a_killed_run_resumes_to_the_same_record(task, monkeypatch):
    calm = worker.execute(dataclasses.replace(task, cell=_elsewhere(task.cell)))
    made = interrupt_after(monkeypatch, 7)
    with pytest.raises(KeyboardInterrupt):
        worker.execute(task)
    (left,) = files(task.cell.path.parent)
    assert left.endswith("-seed3.checkpoint.npz")

    resumed = worker.execute(task)
    assert made[7] == made[6] + 1
    assert resumed["status"] == records.DONE
    assert lasting(resumed) == lasting(calm)


def _elsewhere(cell):
    return dataclasses.replace(cell, path=cell.path.parent.with_name("calm") / "cell.jsonl")


def test_the_checkpoint_stays_until_the_record_is_written(task):
    record = worker.execute(task)
    assert files(task.cell.path.parent) == {checkpoints.of_run(task.cell, 3).path.name}
    records.append(task.cell.path, record)
    checkpoints.remove_settled([(task.cell, range(4))])
    assert files(task.cell.path.parent) == {"cell.jsonl"}


def test_a_sweep_leaves_no_checkpoint_of_its_runs_and_those_of_others_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "execute", fake_sweep.fake_run)
    monkeypatch.setattr(sweep.pool, "run_tasks", _here)
    first, second = fake_sweep.cells(tmp_path)
    pending = checkpoints.of_run(second, 0).path
    for path in (checkpoints.of_run(first, 0).path, checkpoints.of_run(first, 1).path, pending):
        path.write_bytes(b"state")
    sweep.sweep([first], range(1))
    assert files(tmp_path) == {"a.jsonl", checkpoints.of_run(first, 1).path.name, pending.name}
    checkpoints.of_run(first, 0).path.write_bytes(b"of a sweep killed after its record")
    sweep.sweep([first, second], range(2))
    assert files(tmp_path) == {"a.jsonl", "b.jsonl"}


def _here(function, tasks, *_):
    return ((task, function(task)) for task in tasks)


def test_a_failed_run_keeps_its_checkpoint_for_another_try(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "execute", fake_sweep.fake_run)
    monkeypatch.setattr(sweep.pool, "run_tasks", _here)
    monkeypatch.setenv("FAIL", "0")
    cell, _ = fake_sweep.cells(tmp_path)
    kept = checkpoints.of_run(cell, 0).path
    kept.write_bytes(b"state")
    sweep.sweep([cell], range(2))
    assert kept.name in files(tmp_path)


def test_a_wrong_number_of_seconds_is_reported_before_any_run(tmp_path, monkeypatch):
    monkeypatch.setenv(checkpoints.VARIABLE, "often")
    with pytest.raises(RunError, match="takes a number of seconds, not 'often'"):
        sweep.sweep(fake_sweep.cells(tmp_path), range(1))
    assert not files(tmp_path)
