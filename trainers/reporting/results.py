"""What the records say, cell by cell, beside what the paper says."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence

import numpy as np
from scipy import stats

from trainers.paper.cells import Experiment
from trainers.paper.published import published_figure
from trainers.sweeps import protocol
from trainers.sweeps.cell import Cell
from trainers.sweeps.records import Record
from trainers.sweeps.statistics import interval


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
    def ours(self) -> tuple[float, float] | None:
        """Mean and standard deviation by the protocol of the paper's figure, if there are runs."""
        if self.summary is None:
            return None
        if self.of_all:
            return 100 * self.summary.mean, 100 * self.summary.std
        return 100 * self.summary.best_mean, 100 * self.summary.best_std

    @property
    def difference(self) -> float | None:
        """Ours, by the protocol of the paper's figure, less that figure."""
        if self.ours is None or self.paper is None:
            return None
        return self.ours[0] - self.paper[0]

    @property
    def holds(self) -> bool | None:
        """Whether ours is within one standard deviation of the paper's mean, or better.

        The deviation is the paper's, or ours where the paper has none.
        """
        if self.difference is None or self.paper is None or self.ours is None:
            return None
        deviation = self.ours[1] if self.paper[1] is None else self.paper[1]
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
    recorded = cell.records(seeds)
    runs = protocol.ranked(recorded)
    return Result(
        experiment.data.dataset,
        model,
        published_figure(experiment.paper, experiment.data.dataset),
        runs,
        experiment.preset,
        experiment.row,
        num_failed=len(recorded) - len(runs),
        of_all=experiment.paper is not None and experiment.paper[0] == "own_papers",
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
        means: Of each split with a finished run, by its seed, the mean test accuracy of its runs.
        val_mean: Over the splits, of the mean validation accuracy of a split's runs.
        num_runs: All runs.
    """

    means: dict[int, float]
    val_mean: float
    num_runs: int

    @property
    def mean(self) -> float:
        """Over the splits."""
        return float(np.mean(list(self.means.values())))

    @property
    def interval(self) -> float:
        """Half the width of its 95 % interval (Student's t), which is one over splits."""
        return interval(np.array(list(self.means.values())))

    @property
    def one_more(self) -> tuple[float, float] | None:
        """Where the mean on one more split lies in 95 % of the cases (Student's t)."""
        values = np.array(list(self.means.values()))
        if len(values) < 2:
            return None
        # The interval is of the mean, whose error is 1 / sqrt(n) of a split's.
        half = self.interval * math.sqrt(len(values) + 1)
        return self.mean - half, self.mean + half

    def ahead_of(self, other: OverSplits) -> tuple[float, float, int] | None:
        """By how much, half the width of the 95 % interval, and on how many splits.

        The splits are the same for both, so it is their differences that count.
        """
        both = sorted(self.means.keys() & other.means.keys())
        if not both:
            return None
        differences = np.array([self.means[seed] - other.means[seed] for seed in both])
        return float(differences.mean()), interval(differences), len(both)


def over_splits(cells: Sequence[Cell], seeds: Sequence[int]) -> OverSplits | None:
    """What a row's runs on several splits say, if there are any."""
    ranked = {cell.config.data.seed: protocol.ranked(cell.records(seeds)) for cell in cells}
    by_split = {seed: runs for seed, runs in ranked.items() if runs}
    if not by_split:
        return None
    test, val = (
        {
            seed: 100 * float(np.mean([record[field] for record in runs]))
            for seed, runs in by_split.items()
        }
        for field in ("test_accuracy", "val_accuracy")
    )
    return OverSplits(test, float(np.mean(list(val.values()))), sum(map(len, by_split.values())))
