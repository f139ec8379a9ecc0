"""What the records say, cell by cell, beside what the paper says."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from scipy import stats

from trainers import protocol
from trainers.cell import Cell
from trainers.experiments import Experiment
from trainers.paper import paper_tables
from trainers.records import Record


@dataclasses.dataclass(frozen=True)
class Result:
    """A cell of a table: the paper's figure, ours, or both. Accuracies are in percent.

    Attributes:
        graph: Name of the graph.
        model: What the row is called.
        paper: Mean and standard deviation (None where there is none), if the paper has the cell.
        row: Of the experiment.
        runs: Finished runs, best first.
        num_failed: Runs that came to nothing.
        settings: Name of the preset.
        of_all: Whether the paper's figure is a mean over all runs, not over the best half.
    """

    graph: str
    model: str
    paper: tuple[float, float | None] | None
    runs: Sequence[Record]
    settings: str
    row: str = ""
    num_failed: int = 0
    of_all: bool = False

    @property
    def summary(self) -> protocol.Summary | None:
        """Of the runs, if there are any."""
        return protocol.summarize(self.runs) if self.runs else None

    @property
    def test(self) -> np.ndarray:
        """Test accuracy of every run."""
        return 100 * np.array([record["test_accuracy"] for record in self.runs], float)

    @property
    def difference(self) -> float | None:
        """Ours, by the protocol of the paper's figure, less that figure."""
        if self.summary is None or self.paper is None:
            return None
        ours = self.summary.mean if self.of_all else self.summary.best_mean
        return 100 * ours - self.paper[0]

    @property
    def holds(self) -> bool | None:
        """Whether ours is within one standard deviation of the paper's mean, or better.

        The deviation is the paper's, or ours where the paper has none.
        """
        if self.difference is None or self.paper is None or self.summary is None:
            return None
        ours = self.summary.std if self.of_all else self.summary.best_std
        deviation = 100 * ours if self.paper[1] is None else self.paper[1]
        return self.difference >= -(0.0 if math.isnan(deviation) else deviation)


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Welch's test between the runs of two rows.

    Attributes:
        first, second: The rows.
        difference: Of the means over all runs, in percent.
        interval: Half the width of its 95 % interval.
        p_value: Two-sided.
    """

    first: Result
    second: Result
    difference: float
    interval: float
    p_value: float


def result_of(experiment: Experiment, cell: Cell, model: str, seeds: Iterable[int]) -> Result:
    """What the records of a cell say, and the paper."""
    table, row = experiment.paper or ("", "")
    paper = None
    if experiment.paper is not None:
        mean, std = paper_tables()[table][row][experiment.data.dataset]
        paper = (mean, std)
    found = cell.records(seeds)
    runs = protocol.ranked(found)
    return Result(
        experiment.data.dataset,
        model,
        paper,
        runs,
        experiment.preset,
        experiment.row,
        num_failed=len(found) - len(runs),
        of_all=table == "own_papers",
    )


def welch(first: Result, second: Result) -> Comparison | None:
    """Compares all runs of two rows, none left out; None where their chance is not known."""
    if min(len(first.runs), len(second.runs)) < 2 or not (first.test.std() or second.test.std()):
        return None
    test = stats.ttest_ind(first.test, second.test, equal_var=False)
    low, high = test.confidence_interval(0.95)
    return Comparison(
        first,
        second,
        float(first.test.mean() - second.test.mean()),
        float(high - low) / 2,
        float(test.pvalue),
    )


@dataclasses.dataclass(frozen=True)
class OverSplits:
    """A row of Table 3 on several splits, in percent.

    Attributes:
        num_splits: Splits with a finished run.
        num_runs: All runs.
        mean: Over the splits, of the mean over a split's runs.
        interval: Half the width of its 95 % interval (Student's t), which is one over splits.
    """

    num_splits: int
    num_runs: int
    mean: float
    interval: float


def over_splits(cells: Sequence[Cell], seeds: Sequence[int]) -> OverSplits | None:
    """What a row's runs on several splits say, if there are any."""
    found = [protocol.ranked(cell.records(seeds)) for cell in cells]
    means = [
        100 * float(np.mean([record["test_accuracy"] for record in runs])) for runs in found if runs
    ]
    if not means:
        return None
    interval = protocol.interval(np.array(means))
    return OverSplits(len(means), sum(map(len, found)), float(np.mean(means)), interval)


def all_records(folder: Path) -> list[Record]:
    """Every record below a folder, in the order of the files' names."""
    from trainers import records

    return [record for path in sorted(folder.rglob("*.jsonl")) for record in records.read(path)]
