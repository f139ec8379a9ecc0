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

import dataclasses
from pathlib import Path

from absl import flags

from trainers.cli import app
from trainers.paper import plan, reproduction
from trainers.paper.plan import Plan
from trainers.paper.study import check_all_learned
from trainers.reporting.evidence import Evidence
from trainers.reporting.files import GrowingReport
from trainers.reporting.tables import table
from trainers.sweeps import protocol
from trainers.sweeps.tensorflow import num_cores, start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_bool("quick", False, "A small version.")
    flags.DEFINE_list("only", list(plan.PARTS), f"Parts to run: {', '.join(plan.PARTS)}.")
    flags.DEFINE_integer("runs", None, "Runs of each cell of a table; 100 by default.", 1)
    flags.DEFINE_integer("workers", None, "Processes; one a core by default.", 1)
    flags.DEFINE_string("out", "results", "Folder of the records and of the report.")
    flags.DEFINE_string("data_dir", None, "Folder with files of the graphs.")


def plans() -> tuple[Plan, Plan, Path]:
    """What to run, what to report, and where it goes. All that is on record is reported."""
    values = flags.FLAGS
    folder, size = Path(values.out), plan.FULL
    if values.quick:
        folder, size = folder / "quick", plan.QUICK
    runs = values.runs or size.runs
    parts = plan.parts_named(values.only)
    run = Plan(dataclasses.replace(size, runs=runs), folder / "records", values.data_dir, parts)
    reported = dataclasses.replace(size, runs=max(runs, size.runs))
    return run, dataclasses.replace(run, size=reported, parts=plan.PARTS), folder


def main() -> None:
    """Runs what is missing, and reports."""
    run, reported, folder = plans()
    start_tensorflow(num_cores())
    growing = GrowingReport(reported, folder)
    jobs, entries = reproduction.run(run, folder / "wide", flags.FLAGS.workers, growing.grow)
    written = growing.write()
    if run.quick:
        print("quick: few runs of few steps, to see that everything works; these are no results\n")
    evidence = Evidence(reported)
    rows = {"table1": evidence.table_1, "table3": [row for row, _ in evidence.table_3]}
    for part in run.parts:
        if part in rows:
            print(f"{part}\n{table([row for row in rows[part] if row.runs])}\n")
    for path in written:
        print(f"wrote {path}")
    protocol.check_all_done([record for cell, seeds in jobs for record in cell.records(seeds)])
    check_all_learned(entries)


if __name__ == "__main__":
    app.run(main, define_flags)
