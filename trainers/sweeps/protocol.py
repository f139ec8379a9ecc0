"""The paper's protocol: many runs, the better half by validation accuracy, their test accuracy."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from trainers.sweeps import records
from trainers.sweeps.errors import RunError
from trainers.sweeps.records import Record
from trainers.sweeps.statistics import deviation, interval
from trainers.text.numbers import percent

# Section 5.2 of the paper reports the better half of the runs.
BEST_SHARE = 0.5


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
        machines: Kinds of machines that the runs are from, where the records tell.
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
    machines: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.has_test:
            best = f"{percent(self.best_mean)} ± {percent(self.best_std)} (standard deviation)"
            every = f"{percent(self.mean)} ± {percent(self.interval)} (95 % interval of the mean)"
            lines = [
                f"test accuracy of the best {self.num_best} of {self.num_runs} runs by "
                f"validation: {best}",
                f"test accuracy of all {self.num_runs}: {every}",
            ]
        else:
            lines = [f"mean validation accuracy of {self.num_runs} runs: {self.val_mean:.2%}"]
        if self.num_failed:
            lines.append(f"{self.num_failed} runs failed")
        if len(self.machines) > 1:
            lines.append(
                f"the runs are from {len(self.machines)} kinds of machines, which may differ in "
                f"their last digits: {'; '.join(self.machines)}"
            )
        return "\n".join(lines)

    @property
    def has_test(self) -> bool:
        """Whether there were test nodes."""
        return not math.isnan(self.mean)

    def to_dict(self) -> dict[str, Any]:
        """Plain containers for JSON, which has no NaN."""
        fields = dataclasses.asdict(self)
        if len(self.machines) < 2:
            del fields["machines"]
        return {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in fields.items()
        }


def check_all_done(runs: Sequence[Record]) -> None:
    """Raises a `RunError` that names the first run that failed, if one did."""
    failed = [record for record in runs if record["status"] != records.DONE]
    if failed:
        first = failed[0]
        where = f"{first['experiment']}, " if first.get("experiment") else ""
        raise RunError(
            f"{len(failed)} of {len(runs)} runs failed; the first, {where}seed {first['seed']}: "
            f"{first['error']}"
        )


def ranked(runs: Iterable[Record]) -> list[Record]:
    """Finished runs, best first: by validation accuracy, then validation loss, then seed."""
    return sorted(
        (record for record in runs if record["status"] == records.DONE),
        key=lambda record: (-record["val_accuracy"], record["val_loss"], record["seed"]),
    )


def summarize(recorded: Sequence[Record], best_share: float = BEST_SHARE) -> Summary:
    """The summary of a cell's records, of which at least one is of a finished run."""
    runs = ranked(recorded)
    best = runs[: math.ceil(best_share * len(runs))]
    test = np.array([record["test_accuracy"] for record in runs], float)
    best_test = test[: len(best)]
    return Summary(
        num_runs=len(runs),
        num_failed=len(recorded) - len(runs),
        num_best=len(best),
        best_mean=float(best_test.mean()),
        best_std=deviation(best_test),
        mean=float(test.mean()),
        std=deviation(test),
        interval=interval(test),
        val_mean=float(np.mean([record["val_accuracy"] for record in runs])),
        seconds=sum(record["seconds"] for record in runs),
        machines=tuple(
            sorted({_machine(record["machine"]) for record in runs if "machine" in record})
        ),
    )


def _machine(kind: Record) -> str:
    """The kind of a machine in words."""
    threads = kind.get("intra_op_threads")
    return ", ".join(
        [
            f"{kind.get('cpu')}",
            f"oneDNN {'on' if kind.get('onednn') else 'off'}",
            f"{threads} thread{'s' * (threads != 1)} an op",
            f"TensorFlow for {kind.get('tensorflow_build')}",
        ]
    )
