"""Reproduces every table and figure of the paper and writes one report.

python -m trainers.run_all                            the full protocol; it takes hours
python -m trainers.run_all --quick                    a small version that takes a few minutes
python -m trainers.run_all --only table1,figure4      some parts
python -m trainers.run_all --runs 10                  fewer runs per cell

The command updates the report (results/README.md and results/report.html) every few minutes.
Recorded runs are not repeated: after an interruption, run the command again. The quick version
writes to results/quick.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from absl import flags

from mixhop_tf.cores import num_cores
from trainers.cli import app, engine_flags
from trainers.paper import plan, reproduction
from trainers.paper.plan import Plan
from trainers.paper.study import check_all_learned
from trainers.reporting.evidence import Evidence
from trainers.reporting.files import GrowingReport
from trainers.reporting.tables import table
from trainers.sweeps import protocol
from trainers.sweeps.tensorflow import start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_bool("quick", False, "Run a small version.")
    flags.DEFINE_list("only", list(plan.PARTS), f"Parts to run: {', '.join(plan.PARTS)}.")
    flags.DEFINE_integer("runs", None, "Runs of each cell of a table; by default 100.", 1)
    flags.DEFINE_integer("workers", None, "Processes; by default one per core.", 1)
    engine_flags.define()
    flags.DEFINE_string("out", "results", "Folder for the records and the report.")
    flags.DEFINE_string("data_dir", None, "Folder with files of the graphs.")


def plans() -> tuple[Plan, Plan, Path]:
    """The plan to run, the plan to report, and the folder. The report covers all records."""
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
    """Makes the missing runs and writes the report."""
    run, reported, folder = plans()
    engine = engine_flags.engine()
    start_tensorflow(num_cores())
    growing = GrowingReport(reported, folder)
    jobs, entries = reproduction.run(
        run, folder / "wide", flags.FLAGS.workers, growing.grow, engine
    )
    written = growing.write()
    if run.quick:
        print("quick: a few short runs that test the setup; the numbers are not results\n")
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
