"""A progress bar for runs of different length: the time left follows from their expected cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trainers.sweeps.cell import Cell, Job
from trainers.sweeps.worker import Task
from trainers.text.bar import Bar


class RunsBar(Bar):
    """Shows the number of finished runs and the time left.

    Args:
        jobs: Cells and their seeds.
        tasks: The missing runs.
        cost: The expected duration of a run of a cell, in any unit.
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
        )

    @property
    def format_dict(self) -> dict[str, Any]:
        """The values that the format can use."""
        return {**super().format_dict, "runs": f"{self._num_done}/{self._num_runs}"}

    def counted(self) -> str:
        """Says how many of all runs are done."""
        return f"{self._num_done:,} of {self._num_runs:,} runs"

    def done(self, task: Task) -> None:
        """Counts a finished run."""
        self._num_done += 1
        self.update(self._cost(task.cell))
