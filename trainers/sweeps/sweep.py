"""Many runs on all cores. Recorded runs are skipped, and each finished run is recorded at once."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence

from tqdm import tqdm

from datasets import atomic
from trainers.sweeps import checkpoints, pool, records, worker
from trainers.sweeps.cell import Cell, Job
from trainers.sweeps.engine import POOL, Engine
from trainers.sweeps.errors import OUT_OF_MEMORY
from trainers.sweeps.progress import RunsBar
from trainers.sweeps.worker import Task

# One process shows all bars. tqdm's own lock serves several processes: it is a system semaphore,
# which a killed process leaves behind on systems that do not fork.
tqdm.set_lock(threading.RLock())


def sweep(
    cells: Sequence[Cell],
    seeds: Sequence[int],
    num_workers: int | None = None,
    engine: Engine = POOL,
) -> None:
    """`sweep_jobs` with the same seeds for every cell."""
    sweep_jobs([(cell, seeds) for cell in cells], num_workers, engine=engine)


def sweep_jobs(
    jobs: Sequence[Job],
    num_workers: int | None = None,
    on_record: Callable[[], object] = lambda: None,
    cost: Callable[[Cell], float] = lambda _: 1.0,
    engine: Engine = POOL,
) -> None:
    """Makes the runs that have no record yet.

    If a run fails, its error is recorded and the others continue. If the process of a run dies, the
    run is repeated at the end without others beside it, because it may have lacked memory. At the
    end the records are sorted, so that they do not depend on the number of workers or on
    interruptions.

    Args:
        jobs: Cells and their seeds; a worker compiles the config of each cell once.
        num_workers: Number of runs at once; by default one per core.
        on_record: Called after each run.
        cost: The expected duration of a run of a cell, in any unit, for the time left.
        engine: Where the runs are made.
    """
    checkpoints.seconds()  # a mistake is reported once, here, and not by every run
    paths = sorted({cell.path for cell, _ in jobs})
    with contextlib.ExitStack() as stack:
        for folder in sorted({path.parent for path in paths}):
            stack.enter_context(records.exclusive(folder))
            atomic.remove_leftovers(folder)
        num_threads = engine.num_threads(num_workers)
        # Two cells may be the same, because two searches may find the same architecture.
        missing = {
            (cell.path, cell.config.key(), seed): Task(cell, seed, num_threads)
            for cell, seeds in jobs
            for seed in cell.missing(seeds)
        }
        tasks = list(missing.values())
        bar = stack.enter_context(RunsBar(jobs, tasks, cost))
        dead = []
        for task, answer in _answers(engine, tasks, num_workers, bar):
            if isinstance(answer, pool.Death):
                dead.append(task)
            else:
                _keep(task, answer, bar)
                on_record()
        for task, answer in _answers(engine, dead, 1, bar):
            if isinstance(answer, pool.Death):
                answer = worker.failure(task, records.FAILED, _obituary(answer))
            _keep(task, answer, bar)
            on_record()
        checkpoints.remove_settled(jobs)
        for path in paths:
            records.put_in_order(path)


def _answers(
    engine: Engine, tasks: Sequence[Task], num_workers: int | None, bar: RunsBar
) -> Iterator[tuple[Task, records.Record | pool.Death]]:
    # Refreshing keeps the clock of the bar moving during a long run.
    for task, answer in engine.run_tasks(worker.execute, tasks, num_workers, bar.refresh):
        bar.set_description(task.cell.label, refresh=False)
        yield task, answer


def _keep(task: Task, record: records.Record, bar: RunsBar) -> None:
    records.append(task.cell.path, record)
    if record["status"] != records.FAILED:  # a failed run may be repeated from its checkpoint
        checkpoints.of_run(task.cell, task.seed).remove()
    bar.done(task)
    if record["status"] != records.DONE:
        bar.write(f"{task.cell.label}, seed {task.seed}: {record['error']}")


def _obituary(death: pool.Death) -> str:
    if death.cause:
        return death.cause
    if death.exit_code == -9:
        return f"its process was killed, most likely {OUT_OF_MEMORY}"
    return f"its process ended with exit code {death.exit_code}"
