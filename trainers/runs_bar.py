"""A bar over runs that take now long, now short: the time left goes by what each should take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tqdm import tqdm

from trainers.cell import Cell
from trainers.worker import Task

# Seconds of a run, measured on two cores, to tell how runs compare: what a run takes here is seen
# from those that are done.
_SECONDS = {"cora": 3.0, "citeseer": 4.0, "pubmed": 15.0}
_OTHER_SECONDS = 8.0
_FACTORS = {"mlp": 0.4, "gcn": 0.5, "chebyshev": 1.0, "gat": 4.0}


def expected_seconds(cell: Cell) -> float:
    """What a run of a cell should take, roughly."""
    seconds = _SECONDS.get(cell.config.data.dataset, _OTHER_SECONDS)
    return seconds * _FACTORS.get(cell.config.architecture.get("model", ""), 1.0)


class RunsBar(tqdm):
    """Shows the runs that are done, and the time left.

    Args:
        jobs: Cells and their seeds.
        tasks: The runs of them that are missing.
    """

    def __init__(self, jobs: Sequence[tuple[Cell, Sequence[int]]], tasks: Sequence[Task]) -> None:
        runs = {
            (cell.path, cell.config.key(), seed): cell for cell, seeds in jobs for seed in seeds
        }
        self._num_runs = len(runs)
        self._num_done = self._num_runs - len(tasks)
        total = sum(map(expected_seconds, runs.values()))
        missing = sum(expected_seconds(task.cell) for task in tasks)
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
        self.update(expected_seconds(task.cell))
