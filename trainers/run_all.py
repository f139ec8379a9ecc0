"""Reproduces the paper: every table and figure, from one command, into one report.

python -m trainers.run_all                            the full protocol, some hours
python -m trainers.run_all --quick                    a small version, in some minutes
python -m trainers.run_all --only table1,figure4      parts of it
python -m trainers.run_all --runs 10                  fewer runs a cell

The report, results/README.md and results/report.html, is written anew every few minutes while this
runs. What is on record is not run again: give the command again after an interruption. The quick
version has a folder of its own, results/quick.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable
from pathlib import Path

from absl import flags

from datasets import DataError
from trainers import (
    command_line,
    experiments,
    plan,
    protocol,
    records,
    report_files,
    report_tables,
    study,
)
from trainers.errors import RunError
from trainers.plan import Plan
from trainers.start_tensorflow import num_cores, start_tensorflow
from trainers.sweep import Job, sweep_jobs

_REPORT_EVERY = 60.0  # seconds
_REPORT_SHARE = 1 / 20  # of the time, at most: the runs need the cores


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_bool("quick", False, "A small version.")
    flags.DEFINE_list("only", list(plan.PARTS), f"Parts to run: {', '.join(plan.PARTS)}.")
    flags.DEFINE_integer("runs", None, "Runs of each cell of a table; 100 by default.", 1)
    flags.DEFINE_integer("workers", None, "Processes; one a core by default.", 1)
    flags.DEFINE_string("out", "results", "Folder of the records and of the report.")
    flags.DEFINE_string("data_dir", None, "Folder with files of the graphs.")


class GrowingReport:
    """Writes the report now and then.

    Args:
        chosen: What is reported.
        folder: Where it goes.
        every: Seconds from one time to the next, at least.
        clock: Tells the seconds.
    """

    def __init__(
        self,
        chosen: Plan,
        folder: Path,
        every: float = _REPORT_EVERY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chosen = chosen
        self._folder = folder
        self._every = every
        self._clock = clock
        self._next = clock() + every

    def grow(self) -> None:
        """Writes the report if the last time is some while ago.

        Whatever keeps it from being written, the runs go on; at the end it is told.
        """
        start = self._clock()
        if start >= self._next:
            with contextlib.suppress(DataError, RunError, OSError):
                self.write()
            end = self._clock()
            self._next = end + max(self._every, (end - start) / _REPORT_SHARE)

    def write(self) -> list[Path]:
        """Writes the report; gives what a reader may open."""
        return report_files.write(self._chosen, self._folder)


def main() -> None:
    """Runs what is missing, and reports."""
    values = flags.FLAGS
    folder, size = Path(values.out), plan.FULL
    if values.quick:
        folder, size = folder / "quick", plan.QUICK
    runs = values.runs or size.runs
    chosen = Plan(
        dataclasses.replace(size, runs=runs),
        folder / "records",
        values.data_dir,
        plan.chosen_parts(values.only),
    )
    # Whatever is run, all that is on record is reported.
    reported = dataclasses.replace(size, runs=max(runs, size.runs))
    everything = dataclasses.replace(chosen, size=reported, parts=plan.PARTS)
    start_tensorflow(num_cores())
    growing = GrowingReport(everything, folder)
    jobs = list(chosen.jobs())
    sweep_jobs(jobs, values.workers, growing.grow)
    complaints: list[str] = []
    if "figure5" in chosen.parts:
        found, complaints = _searches(chosen)
        sweep_jobs(found, values.workers, growing.grow)
        jobs += found
    written = growing.write()
    if chosen.quick:
        print("quick: few runs of few steps, to see that everything works; these are no results\n")
    for part in chosen.parts:
        if part in ("table1", "table3"):
            rows = [each for each in report_tables.rows(everything, part) if each.runs]
            print(f"{part}\n{report_tables.table(rows)}\n")
    for path in written:
        print(f"wrote {path}")
    protocol.see_all_done([record for cell, seeds in jobs for record in cell.records(seeds)])
    if complaints:
        raise RunError(f"{len(complaints)} searches found nothing; the first: {complaints[0]}")


def _searches(chosen: Plan) -> tuple[list[Job], list[str]]:
    """Makes the searches for architectures.

    Returns:
        The cells that retrain what they found, and what is to be said of those that failed.
    """
    jobs: list[Job] = []
    complaints: list[str] = []
    for each_search in chosen.searches():
        data, config = each_search.data, each_search.config
        graph = data.load(chosen.data_dir)
        path = each_search.path(chosen.records_dir)
        with records.exclusive(path.parent):
            found = study.search_all(
                {experiments.DEFAULT_SEARCH: config},
                range(chosen.size.searches),
                graph,
                data,
                path,
                Path("runs/study") / ("quick" if chosen.quick else data.file_stem),
                chosen.data_dir,
                flags.FLAGS.workers,
            )
        complaints += [
            f"on {data.file_stem}, seed {each['seed']}: {each['error']}"
            for each in found
            if "error" in each
        ]
        mine = [
            each for each in found if each["search"] in (study.EVEN, experiments.DEFAULT_SEARCH)
        ]
        cells = study.cells_of(
            mine, graph, data, config, path.with_suffix(".jsonl"), chosen.data_dir
        )
        jobs += [(cell, range(chosen.size.search_runs)) for cell in cells]
    return jobs, complaints


if __name__ == "__main__":
    command_line.run(main, define_flags)
