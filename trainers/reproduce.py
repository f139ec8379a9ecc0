"""Reproduces cells of the paper's tables and prints the results.

python -m trainers.reproduce --list                        lists all experiments
python -m trainers.reproduce --only 'table1/*'             the MixHop rows of Table 1, 100 runs each
python -m trainers.reproduce --only '*/cora/*' --runs 10   fewer runs: seeds 0 to 9

Recorded runs are not repeated. If the command is interrupted, run it again: it continues where it
stopped.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from mixhop_tf.cores import num_cores
from trainers.cli import app, engine_flags
from trainers.paper import plan
from trainers.paper.cells import EXPERIMENTS
from trainers.paper.graphs import Graphs
from trainers.paper.run_cost import expected_seconds
from trainers.reporting.experiment_table import table
from trainers.sweeps import protocol
from trainers.sweeps.patterns import select
from trainers.sweeps.sweep import sweep_jobs
from trainers.sweeps.tensorflow import start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_list("only", ["*"], "Experiments to run: names, or patterns such as 'table1/*'.")
    flags.DEFINE_integer("runs", plan.RUNS, "Runs of each experiment.", 1)
    flags.DEFINE_integer("workers", None, "Processes; by default one per core.", 1)
    engine_flags.define()
    flags.DEFINE_string("records_dir", "results/records", "Folder of the run records.")
    flags.DEFINE_string("data_dir", None, "Folder with files of the graphs.")
    flags.DEFINE_bool("list", False, "Only list the experiments.")


def main() -> None:
    """Makes the missing runs, then prints the table."""
    values = flags.FLAGS
    experiments = select(EXPERIMENTS, values.only, "experiment")
    if values.list:
        print("\n".join(experiments))
        return
    engine = engine_flags.engine()
    start_tensorflow(num_cores())
    folder = Path(values.records_dir)
    graphs = Graphs(values.data_dir, folder)
    jobs = [
        (each.cell(graphs, folder, values.data_dir), each.seeds(values.runs))
        for each in experiments.values()
    ]
    sweep_jobs(jobs, values.workers, cost=expected_seconds, engine=engine)
    print(table(zip(experiments.values(), jobs, strict=True)))
    protocol.check_all_done([record for cell, seeds in jobs for record in cell.records(seeds)])


if __name__ == "__main__":
    app.run(main, define_flags)
