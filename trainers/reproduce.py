"""Runs cells of the paper's tables, or goes on with them, and prints what their records say.

python -m trainers.reproduce --list                        the names of all experiments
python -m trainers.reproduce --only 'table1/*'             the MixHop rows of Table 1, 100 runs each
python -m trainers.reproduce --only '*/cora/*' --runs 10   fewer runs, those with seeds 0 to 9
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from absl import flags

from trainers import command_line, experiments, protocol, tables
from trainers.paper import paper_tables
from trainers.start_tensorflow import num_cores, start_tensorflow
from trainers.text_table import markdown_table

if TYPE_CHECKING:
    from trainers.cell import Cell


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_list("only", ["*"], "Names of experiments, or patterns such as 'table1/*'.")
    flags.DEFINE_integer("runs", experiments.RUNS, "Runs of each experiment.", 1)
    flags.DEFINE_integer("workers", None, "Processes; one a core by default.", 1)
    flags.DEFINE_string("records_dir", "results/records", "Folder of the run records.")
    flags.DEFINE_string("data_dir", None, "Folder with files of the graphs.")
    flags.DEFINE_bool("list", False, "Only list the experiments.")


def table(chosen: Sequence[tables.Experiment], cells: Sequence[Cell], runs: int) -> str:
    """Test accuracy in percent of each experiment, the paper's beside it."""
    rows = []
    for experiment, cell in zip(chosen, cells, strict=True):
        found = cell.records(range(runs))
        if not protocol.ranked(found):
            rows.append([experiment.name, "0", "–", "–", _paper(experiment)])
            continue
        summary = protocol.summarize(found)
        rows.append(
            [
                experiment.name,
                str(summary.num_runs),
                _percent(summary.best_mean, summary.best_std),
                _percent(summary.mean, summary.interval),
                _paper(experiment),
            ]
        )
    return markdown_table(
        ["experiment", "runs", "best half ± sd", "all ± 95 % interval", "paper ± sd"], rows
    )


def _percent(mean: float, spread: float) -> str:
    """Of a single run there is no spread."""
    return f"{100 * mean:.2f} ± {'–' if math.isnan(spread) else f'{100 * spread:.2f}'}"


def _paper(experiment: tables.Experiment) -> str:
    if experiment.paper is None:
        return "–"
    name, row = experiment.paper
    mean, std = paper_tables()[name][row][experiment.data.dataset]
    return f"{mean} ± {'–' if std is None else std}"


def main() -> None:
    """Runs what is missing, then prints the table."""
    chosen = tables.matching(flags.FLAGS.only)
    if flags.FLAGS.list:
        print("\n".join(experiment.name for experiment in chosen))
        return
    start_tensorflow(num_cores())
    from trainers.experiment_cells import cell_of
    from trainers.sweep import sweep

    cells = [
        cell_of(experiment, Path(flags.FLAGS.records_dir), flags.FLAGS.data_dir)
        for experiment in chosen
    ]
    sweep(cells, range(flags.FLAGS.runs), flags.FLAGS.workers)
    print(table(chosen, cells, flags.FLAGS.runs))
    protocol.see_all_done(
        [record for cell in cells for record in cell.records(range(flags.FLAGS.runs))]
    )


if __name__ == "__main__":
    command_line.run(main, define_flags)
