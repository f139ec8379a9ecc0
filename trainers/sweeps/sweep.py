"""Many runs on all cores: what the records hold is skipped, what is finished is kept."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence

from tqdm import tqdm

from datasets import atomic
from trainers.sweeps import pool, records, worker
from trainers.sweeps.cell import Cell, Job
from trainers.sweeps.errors import OUT_OF_MEMORY
from trainers.sweeps.progress import RunsBar
from trainers.sweeps.tensorflow import num_cores
from trainers.sweeps.worker import Task

# One process shows all bars. tqdm's own lock is for several: it is a semaphore of the system, which
# a killed process leaves behind where processes are not forked.
tqdm.set_lock(threading.RLock())


def sweep(cells: Sequence[Cell], seeds: Sequence[int], num_workers: int | None = None) -> None:
    """`sweep_jobs` with the same seeds for every cell."""
    sweep_jobs([(cell, seeds) for cell in cells], num_workers)


def sweep_jobs(
    jobs: Sequence[Job],
    num_workers: int | None = None,
    on_record: Callable[[], object] = lambda: None,
    cost: Callable[[Cell], float] = lambda _: 1.0,
) -> None:
    """Makes the runs of cells from their seeds that are not on record.

    A run that fails is recorded with its error and the others go on. One whose process died is
    tried again at the end, alone, for it may have lacked memory. When all is done the records are
    put in order: the same ones, whatever the number of workers and interruptions.

    Args:
        jobs: Cells and their seeds; a worker compiles the config of each cell once.
        num_workers: Processes; one a core unless given.
        on_record: Called after each run.
        cost: What a run of a cell takes, in any unit, to tell the time left.
    """
    num_workers = num_workers or num_cores()
    paths = sorted({cell.path for cell, _ in jobs})
    with contextlib.ExitStack() as stack:
        for folder in sorted({path.parent for path in paths}):
            stack.enter_context(records.exclusive(folder))
            atomic.remove_leftovers(folder)
        num_threads = max(1, num_cores() // num_workers)
        # Two cells may be the same: searches find an architecture twice.
        missing = {
            (cell.path, cell.config.key(), seed): Task(cell, seed, num_threads)
            for cell, seeds in jobs
            for seed in cell.missing(seeds)
        }
        tasks = list(missing.values())
        bar = stack.enter_context(RunsBar(jobs, tasks, cost))
        dead = []
        for task, answer in _answers(tasks, num_workers, bar):
            if isinstance(answer, pool.Death):
                dead.append(task)
            else:
                _keep(task, answer, bar)
                on_record()
        for task, answer in _answers(dead, 1, bar):
            if isinstance(answer, pool.Death):
                answer = worker.failure(task, records.FAILED, _obituary(answer))
            _keep(task, answer, bar)
            on_record()
        for path in paths:
            records.put_in_order(path)


def _answers(
    tasks: Sequence[Task], num_workers: int, bar: RunsBar
) -> Iterator[tuple[Task, records.Record | pool.Death]]:
    # The clock of the bar goes on while a long run does.
    for task, answer in pool.run_tasks(worker.execute, tasks, num_workers, bar.refresh):
        bar.set_description(task.cell.label, refresh=False)
        yield task, answer


def _keep(task: Task, record: records.Record, bar: RunsBar) -> None:
    records.append(task.cell.path, record)
    bar.done(task)
    if record["status"] != records.DONE:
        bar.write(f"{task.cell.label}, seed {task.seed}: {record['error']}")


def _obituary(death: pool.Death) -> str:
    if death.exit_code == -9:
        return f"its process was killed, most likely {OUT_OF_MEMORY}"
    return f"its process ended with exit code {death.exit_code}"
