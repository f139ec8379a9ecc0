"""One run of a sweep, in a worker process: from a task to its record."""

from __future__ import annotations

import dataclasses
import functools
import json

import mixhop_tf
from mixhop_tf.errors import DivergedError
from mixhop_tf.training.graph import Graph
from trainers.sweeps import checkpoints, records
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import RunConfig, graph_digest
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError, explain
from trainers.sweeps.records import Record
from trainers.sweeps.source import Source
from trainers.sweeps.tensorflow import start_tensorflow


@dataclasses.dataclass(frozen=True)
class Task:
    """A run to make: its cell, its seed, the number of threads, and the graph if it is loaded."""

    cell: Cell
    seed: int
    num_threads: int
    graph: Graph | None = dataclasses.field(default=None, repr=False, compare=False)

    @property
    def data(self) -> DataConfig:
        """Which graph the run is on."""
        return self.cell.config.data

    @property
    def data_dir(self) -> str | None:
        """Folder that may hold files of the graph."""
        return self.cell.data_dir


def execute(task: Task) -> Record:
    """Makes the run and returns its record, also if the run fails."""
    try:
        config_json = json.dumps(task.cell.config.to_dict())
        trainer = _trainer(config_json, Source(task.data_dir, task.graph), task.num_threads)
        run = trainer.run(task.seed, checkpoint=checkpoints.of_run(task.cell, task.seed))
    except DivergedError as error:
        return failure(task, records.DIVERGED, str(error))
    except Exception as error:
        sentence = explain(error) or f"{type(error).__name__}: {error}".splitlines()[0]
        return failure(task, records.FAILED, sentence)
    return records.of_run(task.cell.config, run, task.cell.experiment)


def failure(task: Task, status: str, error: str) -> Record:
    """The record of a run that failed."""
    cell = task.cell
    return records.of_failure(cell.config, task.seed, cell.experiment, status, error)


@functools.lru_cache(maxsize=1)
def _trainer(
    config_json: str, source: Source, num_threads: int
) -> mixhop_tf.Trainer | mixhop_tf.MethodTrainer:
    """The compiled trainer of a config. Only the last is kept: a config's runs come in a row."""
    config = RunConfig.from_dict(json.loads(config_json))
    graph = source.load(config.data)
    if graph_digest(graph) != config.digest:
        raise RunError(f"{config.data.dataset} has changed since the sweep began; start again.")
    start_tensorflow(num_threads)
    return config.trainer(graph)
