"""The paper's protocol: many runs, the better half by validation accuracy, their test accuracy."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from trainers import records
from trainers.experiments import BEST_SHARE


@dataclasses.dataclass(frozen=True)
class Summary:
    """What the runs of a cell say together. Accuracies are shares, not percent.

    Attributes:
        num_runs: Runs that gave an accuracy.
        num_failed: Runs that did not.
        num_best: Runs in the better half.
        best_mean, best_std: Test accuracy of these (sample standard deviation).
        mean, std: Test accuracy of all runs.
        interval: Half the width of the 95 % interval (Student's t) of `mean`.
        val_mean: Validation accuracy of all runs.
        seconds: All runs together.
    """

    num_runs: int
    num_failed: int
    num_best: int
    best_mean: float
    best_std: float
    mean: float
    std: float
    interval: float
    val_mean: float
    seconds: float

    def __str__(self) -> str:
        text = (
            f"test accuracy of the best {self.num_best} of {self.num_runs} runs by validation: "
            f"{self.best_mean:.2%} ± {self.best_std:.2%} (standard deviation)\n"
            f"test accuracy of all {self.num_runs}: {self.mean:.2%} ± {self.interval:.2%} "
            "(95 % interval of the mean)"
        )
        return text + (f"\n{self.num_failed} runs failed" if self.num_failed else "")


def ranked(found: Sequence[records.Record]) -> list[records.Record]:
    """Finished runs, best first: by validation accuracy, then validation loss, then seed."""
    return sorted(
        (record for record in found if record["status"] == records.DONE),
        key=lambda record: (-record["val_accuracy"], record["val_loss"], record["seed"]),
    )


def summarize(found: Sequence[records.Record], best_share: float = BEST_SHARE) -> Summary:
    """The summary of a cell's records, of which at least one is of a finished run."""
    runs = ranked(found)
    best = runs[: math.ceil(best_share * len(runs))]
    test = np.array([record["test_accuracy"] for record in runs], float)
    best_test = test[: len(best)]
    half_width = stats.t.ppf(0.975, len(runs) - 1) * stats.sem(test) if len(runs) > 1 else math.nan
    return Summary(
        num_runs=len(runs),
        num_failed=len(found) - len(runs),
        num_best=len(best),
        best_mean=float(best_test.mean()),
        best_std=_std(best_test),
        mean=float(test.mean()),
        std=_std(test),
        interval=float(half_width),
        val_mean=float(np.mean([record["val_accuracy"] for record in runs])),
        seconds=sum(record["seconds"] for record in runs),
    )


def _std(values: np.ndarray) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else math.nan
