"""Measures what the rows of Table 1 that the paper cites cost: seconds of CPU time of a run.

    python -m benchmarks.cited_cost --out results/benchmarks/cited_cost.md

Each cell has one run, in this process and on one thread, with the compilation of its first step.
The last row is what all 100 runs of every cell take, in minutes on two cores.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from absl import flags

from datasets.atomic import replacing
from trainers.cli import app
from trainers.paper.cells import CLASSICAL, EXPERIMENTS
from trainers.paper.graphs import Graphs
from trainers.paper.plan import RUNS
from trainers.paper.presets import CITATION
from trainers.sweeps.sweep import sweep_jobs
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table

CORES = 2


class ThisProcess:
    """Executes tasks one after the other in this process; see `trainers.sweeps.engine.Engine`."""

    def num_threads(self, num_workers: int | None) -> int:  # noqa: ARG002
        """Returns 1."""
        return 1

    def num_processors(self) -> int:
        """Returns 1."""
        return 1

    def run_tasks(
        self,
        function: Callable[[Any], Any],
        tasks: Sequence[Any],
        num_workers: int | None,  # noqa: ARG002
        on_tick: Callable[[], object] = lambda: None,  # noqa: ARG002
    ) -> Iterator[tuple[Any, Any]]:
        """Yields the answers."""
        for task in tasks:
            yield task, function(task)


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_string("out", None, "File to write the table to.")


def seconds(row: str, dataset: str, graphs: Graphs) -> float:
    """CPU seconds of a run of a cell; its graph is loaded before."""
    experiment = EXPERIMENTS[f"table1/{dataset}/{row}"]
    with tempfile.TemporaryDirectory() as folder:
        cell = experiment.cell(graphs, Path(folder))
        graphs.load(experiment.data)
        begin = time.process_time()
        sweep_jobs([(cell, (0,))], 1, engine=ThisProcess())
        return time.process_time() - begin


def minutes(cost: dict[str, float]) -> float:
    """Minutes that all runs of a column take on all cores; LP has one run."""
    of_runs = (each * (1 if row == "lp" else RUNS) for row, each in cost.items())
    return sum(of_runs) / CORES / 60


def main() -> None:
    """Prints the table."""
    start_tensorflow(1)
    graphs = Graphs()
    costs = {
        dataset: {row: seconds(row, dataset, graphs) for row in CLASSICAL} for dataset in CITATION
    }
    lines = [
        [name, *(f"{costs[dataset][row]:.1f}" for dataset in CITATION)]
        for row, name in CLASSICAL.items()
    ]
    lines.append(
        [f"minutes for {RUNS} runs", *(f"{minutes(costs[dataset]):.0f}" for dataset in CITATION)]
    )
    table = markdown_table(["CPU seconds of a run", *CITATION], lines)
    print(table)
    if flags.FLAGS.out:
        with replacing(Path(flags.FLAGS.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
