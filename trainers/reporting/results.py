"""The results of each cell of a table: from the records, and from the paper."""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Iterable, Sequence

import numpy as np
from scipy import stats

from trainers.paper.cells import CLASSICAL, Experiment
from trainers.paper.published import published_figure
from trainers.sweeps import protocol
from trainers.sweeps.cell import Cell
from trainers.sweeps.records import Record
from trainers.sweeps.statistics import interval


class Standing(enum.StrEnum):
    """Ours against the paper's: by more than one standard deviation apart, or not."""

    BETTER = "better"
    AS_GOOD = "as good"
    BELOW = "below"


@dataclasses.dataclass(frozen=True)
class Result:
    """A cell of a table: the paper's accuracy, ours, or both, in percent.

    Attributes:
        graph: Name of the graph.
        model: Name of the row in the report.
        paper: Mean and standard deviation (None where there is none), if the paper has the cell.
        runs: Finished runs, best first.
        settings: Name of the preset.
        row: Name of the row in the experiments.
        num_failed: Number of runs that failed.
        of_all: Whether the published mean is over all runs, not over the best half.
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
        """The summary of the runs, if there are any."""
        return protocol.summarize(self.runs) if self.runs else None

    @property
    def test(self) -> np.ndarray:
        """Test accuracy of every run."""
        return 100 * np.array([record["test_accuracy"] for record in self.runs], float)

    @property
    def ours(self) -> tuple[float, float] | None:
        """Mean and standard deviation by the protocol of the published mean, if there are runs."""
        if self.summary is None:
            return None
        if self.of_all:
            return 100 * self.summary.mean, 100 * self.summary.std
        return 100 * self.summary.best_mean, 100 * self.summary.best_std

    @property
    def difference(self) -> float | None:
        """Ours, by the protocol of the published mean, minus that mean."""
        if self.ours is None or self.paper is None:
            return None
        return self.ours[0] - self.paper[0]

    @property
    def standing(self) -> Standing | None:
        """Ours against the paper's mean, in standard deviations; None if either is missing.

        The deviation is the paper's, or ours where the paper has none.
        """
        if self.difference is None or self.paper is None or self.ours is None:
            return None
        deviation = self.ours[1] if self.paper[1] is None else self.paper[1]
        deviation = 0.0 if math.isnan(deviation) else deviation
        if self.difference > deviation:
            return Standing.BETTER
        return Standing.AS_GOOD if self.difference >= -deviation else Standing.BELOW


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Welch's test between the runs of two rows.

    Attributes:
        first, second: The rows.
        difference: Difference of the means over all runs, in percent.
        interval: Half the width of its 95 % interval.
        p_value: The two-sided p-value.
    """

    first: Result
    second: Result
    difference: float
    interval: float
    p_value: float


def result_of(experiment: Experiment, cell: Cell, model: str, seeds: Iterable[int]) -> Result:
    """Reads the records of a cell, and the paper's accuracy."""
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
        of_all=_is_mean_of_all(experiment),
    )


def _is_mean_of_all(experiment: Experiment) -> bool:
    """Whether the published mean is over all runs: that of baselines' papers, and of cited rows."""
    if experiment.paper is None:
        return False
    return experiment.paper[0] == "own_papers" or experiment.row in CLASSICAL


def welch(first: Result, second: Result) -> Comparison | None:
    """Compares all runs of two rows; None if the runs are too few or all equal."""
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
        means: Mean test accuracy of the runs on each split, by the split's seed.
        val_mean: Mean validation accuracy: over the runs of a split, then over the splits.
        num_runs: Number of all runs.
    """

    means: dict[int, float]
    val_mean: float
    num_runs: int

    @property
    def mean(self) -> float:
        """The mean over the splits."""
        return float(np.mean(list(self.means.values())))

    @property
    def interval(self) -> float:
        """Half the width of the 95 % interval of the mean over splits (Student's t)."""
        return interval(np.array(list(self.means.values())))

    @property
    def one_more(self) -> tuple[float, float] | None:
        """The range in which the mean on one more split lies in 95 % of the cases (Student's t)."""
        values = np.array(list(self.means.values()))
        if len(values) < 2:
            return None
        # The error of the mean is 1 / sqrt(n) of a single split's error.
        half = self.interval * math.sqrt(len(values) + 1)
        return self.mean - half, self.mean + half

    def ahead_of(self, other: OverSplits) -> tuple[float, float, int] | None:
        """The mean lead, half the width of its 95 % interval, and the number of splits.

        Both were run on the same splits, so the differences split by split are compared.
        """
        both = sorted(self.means.keys() & other.means.keys())
        if not both:
            return None
        differences = np.array([self.means[seed] - other.means[seed] for seed in both])
        return float(differences.mean()), interval(differences), len(both)


def over_splits(cells: Sequence[Cell], seeds: Sequence[int]) -> OverSplits | None:
    """Reads a row's runs on several splits; None if there are none."""
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
