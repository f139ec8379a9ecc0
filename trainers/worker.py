"""One run of a sweep, in a worker process: from a task to its record."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from trainers import records
from trainers.cell import Cell
from trainers.config import graph_digest
from trainers.errors import DivergedError, RunError, explain
from trainers.start_tensorflow import start_tensorflow

if TYPE_CHECKING:
    from trainers.loop import Trainer

# The compiled trainer of the last task: runs of one config come one after the other.
_trainers: dict[str, Trainer] = {}


@dataclasses.dataclass(frozen=True)
class Task:
    """A run to make: a cell's, from a seed, with so many threads."""

    cell: Cell
    seed: int
    num_threads: int


def execute(task: Task) -> records.Record:
    """The record of the run, whatever happens to it."""
    try:
        run = _trainer(task).run(task.seed)
    except DivergedError as error:
        return failure(task, records.DIVERGED, str(error))
    except Exception as error:
        sentence = explain(error) or f"{type(error).__name__}: {error}".splitlines()[0]
        return failure(task, records.FAILED, sentence)
    return records.of_run(task.cell.config, run, task.cell.experiment)


def failure(task: Task, status: str, error: str) -> records.Record:
    """The record of a run that failed."""
    cell = task.cell
    return records.of_failure(cell.config, task.seed, cell.experiment, status, error)


def _trainer(task: Task) -> Trainer:
    config = task.cell.config
    key = config.key()
    if key not in _trainers:
        _trainers.clear()
        graph = config.data.load(task.cell.data_dir)
        if graph_digest(graph) != config.digest:
            raise RunError(f"{config.data.dataset} has changed since the sweep began; start again.")
        start_tensorflow(task.num_threads)
        from trainers.loop import Trainer

        _trainers[key] = Trainer(graph, config)
    return _trainers[key]
