"""The contract of the own pool on Ray. One Ray on this machine serves all tests of this file."""

import os

import fake_sweep
import pool_functions as functions
import pytest

from trainers.sweeps import ray_cluster, ray_engine, records, worker
from trainers.sweeps.cell import Cell
from trainers.sweeps.pool import Death
from trainers.sweeps.ray_engine import RayEngine
from trainers.sweeps.sweep import sweep

pytestmark = [pytest.mark.ray, pytest.mark.usefixtures("ray_here")]


@pytest.fixture
def engine():
    """Ray on this machine."""
    return RayEngine()


def test_every_task_gets_its_answer_and_processes_are_reused(engine):
    ticks = []
    answers = dict(engine.run_tasks(functions.process_id, range(12), None, lambda: ticks.append(1)))
    assert sorted(answers) == list(range(12))
    assert len(set(answers.values())) < 6  # TensorFlow would start once in each
    assert os.getpid() not in answers.values()
    assert ticks


def test_a_task_that_always_kills_its_worker_is_reported_and_the_others_finish(engine):
    answers = dict(engine.run_tasks(functions.die_at_three, range(6), 2))
    death = answers.pop(3)
    assert isinstance(death, Death)
    assert "its worker died in 4 attempts" in death.cause
    assert answers == {task: task for task in (0, 1, 2, 4, 5)}


def test_a_task_that_kills_its_worker_once_is_repeated(engine, tmp_path):
    path = tmp_path / "died"
    assert list(engine.run_tasks(functions.die_once, [path], 1)) == [(path, path)]
    assert path.exists()


def test_answers_that_are_no_longer_wanted_leave_nothing_running(engine):
    answers = engine.run_tasks(functions.process_id, range(100), 2)
    next(answers)
    answers.close()
    # The processors are free for other tasks.
    assert dict(engine.run_tasks(functions.square, [3], 2)) == {3: 9}


def test_nothing_is_written_into_the_home_folder_and_ray_listens_on_the_loopback_alone(engine):
    assert dict(engine.run_tasks(functions.square, [2], 1)) == {2: 4}
    address = ray_cluster.connect().get_runtime_context().gcs_address
    assert address.startswith("127.0.0.1:")
    assert os.environ["RAY_AUTH_MODE"] == "token"
    assert len(os.environ["RAY_AUTH_TOKEN"]) == 64


def test_records_are_those_of_the_own_pool(engine, tmp_path, make_config):
    config = make_config()

    def made(name, engine=None):
        cell = Cell(config, tmp_path / f"{name}.jsonl", "t/good/m")
        sweep([cell], range(2), 2, *[engine] * (engine is not None))
        return [
            {key: value for key, value in record.items() if key not in ("seconds", "hardware")}
            for record in records.read(cell.path)
        ]

    ours = made("ray", engine)
    assert [record["status"] for record in ours] == [records.DONE] * 2
    assert ours == made("pool")


def test_a_failed_run_is_recorded_with_its_reason(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "execute", fake_sweep.always_dies_at_one)
    monkeypatch.setattr(ray_engine, "NUM_RETRIES", 0)
    cells = fake_sweep.cells(tmp_path)[:1]
    sweep(cells, range(3), 2, engine)
    statuses = {record["seed"]: record["status"] for record in records.read(cells[0].path)}
    assert statuses == {0: records.DONE, 1: records.FAILED, 2: records.DONE}
