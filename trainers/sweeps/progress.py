"""A bar over runs that take now long, now short: the time left goes by what each should take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tqdm import tqdm

from trainers.sweeps.cell import Cell, Job
from trainers.sweeps.worker import Task


class RunsBar(tqdm):
    """Shows the runs that are done, and the time left.

    Args:
        jobs: Cells and their seeds.
        tasks: The runs of them that are missing.
        cost: What a run of a cell takes, in any unit.
    """

    def __init__(
        self, jobs: Sequence[Job], tasks: Sequence[Task], cost: Callable[[Cell], float]
    ) -> None:
        self._cost = cost
        runs = {
            (cell.path, cell.config.key(), seed): cell for cell, seeds in jobs for seed in seeds
        }
        self._num_runs = len(runs)
        self._num_done = self._num_runs - len(tasks)
        total = sum(map(cost, runs.values()))
        missing = sum(cost(task.cell) for task in tasks)
        super().__init__(
            total=total,
            initial=total - missing,
            smoothing=0,  # two workers finish in bursts
            bar_format="{l_bar}{bar}| {runs} runs [{elapsed}<{remaining}]",
            disable=None,
        )

    @property
    def format_dict(self) -> dict[str, Any]:
        """What the format may name."""
        return {**super().format_dict, "runs": f"{self._num_done}/{self._num_runs}"}

    def done(self, task: Task) -> None:
        """Counts a run."""
        self._num_done += 1
        self.update(self._cost(task.cell))
