"""The paper's protocol: many runs, the better half by validation accuracy, their test accuracy."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from trainers.sweeps import records
from trainers.sweeps.errors import RunError
from trainers.sweeps.records import Record
from trainers.sweeps.statistics import deviation, interval
from trainers.text.numbers import percent, plus_minus
from trainers.text.verdict import IN_PERCENT, METRIC_NAMES

# Section 5.2 of the paper reports the better half of the runs.
BEST_SHARE = 0.5


@dataclasses.dataclass(frozen=True)
class Summary:
    """Summary of the runs of a cell. Accuracies are shares, not percent.

    Attributes:
        num_runs: Number of finished runs.
        num_failed: Number of failed runs.
        num_best: Number of runs in the better half.
        best_mean, best_std: Mean and sample standard deviation of their test accuracy.
        mean, std: The same for all runs.
        interval: Half the width of the 95 % interval (Student's t) of `mean`.
        val_mean: Mean validation accuracy of all runs.
        seconds: Total time of all runs.
        machines: Kinds of machines that made the runs, if the records contain them.
        metrics: Mean and 95 % interval of the other metrics of the test nodes, by name.
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
    metrics: Mapping[str, tuple[float, float]] = dataclasses.field(default_factory=dict)

    def __str__(self) -> str:
        if self.has_test:
            best = f"{percent(self.best_mean)} ± {percent(self.best_std)} (standard deviation)"
            every = f"{percent(self.mean)} ± {percent(self.interval)} (95 % interval of the mean)"
            lines = [
                f"test accuracy of the best {self.num_best} of {self.num_runs} runs by "
                f"validation: {best}",
                f"test accuracy of all {self.num_runs}: {every}",
            ]
            if self.metrics:
                each = [_metric(name, *values) for name, values in self.metrics.items()]
                lines.append(f"other metrics of all {self.num_runs}: {', '.join(each)}")
        else:
            lines = [f"mean validation accuracy of {self.num_runs} runs: {self.val_mean:.2%}"]
        if self.num_failed:
            lines.append(f"{self.num_failed} runs failed")
        if len(self.machines) > 1:
            lines.append(
                f"the runs come from {len(self.machines)} kinds of machines, whose results may "
                f"differ in the last digits: {'; '.join(self.machines)}"
            )
        return "\n".join(lines)

    @property
    def has_test(self) -> bool:
        """Whether the runs have a test accuracy."""
        return not math.isnan(self.mean)

    def to_dict(self) -> dict[str, Any]:
        """Plain containers for JSON. NaN becomes None, because JSON has no NaN."""
        fields = dataclasses.asdict(self)
        if len(self.machines) < 2:
            del fields["machines"]
        del fields["metrics"]
        if self.metrics:
            fields["metrics"] = {
                name: {"mean": mean, "interval": _known(spread)}
                for name, (mean, spread) in self.metrics.items()
            }
        return {name: _known(value) for name, value in fields.items()}


def _known(value: Any) -> Any:
    """The value, or None in place of NaN."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _metric(name: str, mean: float, spread: float) -> str:
    if name in IN_PERCENT:
        return f"{METRIC_NAMES[name]} {plus_minus(100 * mean, 100 * spread)}%"
    return f"{METRIC_NAMES[name]} {plus_minus(mean, spread, 3)}"


def _metrics(runs: Sequence[Record]) -> dict[str, tuple[float, float]]:
    """Mean and interval of the other test metrics, if all runs have them."""
    found = {}
    for name in METRIC_NAMES:
        values = [record.get("test_metrics", {}).get(name) for record in runs]
        if None not in values:
            numbers = np.array(values, float)
            found[name] = float(numbers.mean()), interval(numbers)
    return found


def check_all_done(runs: Sequence[Record]) -> None:
    """Raises a `RunError` that names the first failed run, if there is one."""
    failed = [record for record in runs if record["status"] != records.DONE]
    if failed:
        first = failed[0]
        where = f"{first['experiment']}, " if first.get("experiment") else ""
        raise RunError(
            f"{len(failed)} of {len(runs)} runs failed; the first, {where}seed {first['seed']}: "
            f"{first['error']}"
        )


def ranked(runs: Iterable[Record]) -> list[Record]:
    """Finished runs, best first: by validation score, then validation loss, then seed.

    The score is the accuracy, or the metric that the runs selected by.
    """
    return sorted(
        (record for record in runs if record["status"] == records.DONE),
        key=lambda record: (-records.score(record), record["val_loss"], record["seed"]),
    )


def summarize(recorded: Sequence[Record], best_share: float = BEST_SHARE) -> Summary:
    """The summary of a cell's records; at least one must be of a finished run."""
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
        metrics=_metrics(runs),
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
