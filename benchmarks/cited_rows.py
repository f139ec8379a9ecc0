"""Changes one thing in rows of Table 1 that the paper cites, to explain how far ours are from them.

    python -m benchmarks.cited_rows --out results/benchmarks/cited_rows.md

Each row has the tuned settings except for what the table names. Both columns of ours are means over
the same seeds. The runs are on record in results/records/cited; a second call makes the missing
ones.
"""

import dataclasses
from pathlib import Path

import numpy as np
from absl import flags

from datasets.atomic import replacing
from trainers.cli import app
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.cells import EXPERIMENTS
from trainers.paper.graphs import Graphs
from trainers.paper.presets import CITATION, preset
from trainers.paper.published import published_figure
from trainers.sweeps import protocol
from trainers.sweeps.cell import Cell
from trainers.sweeps.sweep import sweep_jobs
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table
from trainers.text.numbers import plus_minus

RECORDS = Path(__file__).parents[1] / "results" / "records"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Change:
    """What differs from the tuned settings of a row of Table 1.

    Args:
        row: The row.
        text: The change, in words.
        values: Tuned values by name; None switches a flag to its other value.
        scaling: Another scaling of the features.
        graphs: The graphs.
    """

    row: str
    text: str
    values: dict
    scaling: str | None = None
    graphs: tuple[str, ...] = CITATION

    def cells(self, graphs, dataset):
        """The cell of Table 1, and the changed one."""
        experiment = EXPERIMENTS[f"table1/{dataset}/{self.row}"]
        tuned = preset(experiment.preset, dataset, self.row)
        values = {
            name: not tuned.architecture[name] if value is None else value
            for name, value in self.values.items()
        }
        data = dataclasses.replace(experiment.data, scaling=self.scaling or experiment.data.scaling)
        request = ArchitectureRequest(model=self.row, name=None)
        config = graphs.config(data, request, tuned.with_values(**values))
        path = RECORDS / "cited" / f"{dataset}.jsonl"
        return experiment.cell(graphs, RECORDS), Cell(config, path, f"{self.row}, {self.text}")


CHANGES = (
    Change(row="manireg", text="without its penalty", values={"manifold": 0.0}),
    Change(row="semiemb", text="without its penalty", values={"manifold": 0.0}),
    Change(row="lp", text="class masses the other way", values={"mass_normalization": None}),
    Change(row="deepwalk", text="first vectors ten times as long", values={"start_length": 1.0}),
    Change(row="ica", text="l2 = 0.1", values={"l2": 0.1}, graphs=("citeseer",)),
    Change(row="planetoid", text="rows divided by their sum", values={}, scaling="rows"),
)


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_integer("runs", 4, "Runs of each row.", 1)
    flags.DEFINE_list("graphs", list(CITATION), "Graphs.")
    flags.DEFINE_integer("workers", None, "Processes; by default one per core.", 1)
    flags.DEFINE_string("out", None, "File to write the table to.")


def mean(cell, seeds):
    """Mean test accuracy of a cell in percent and half its 95 % interval, as text."""
    summary = protocol.summarize(protocol.ranked(cell.records(seeds)))
    interval = 100 * summary.interval
    return plus_minus(100 * summary.mean, None if np.isnan(interval) else interval)


def main():
    """Makes the missing runs and prints the table."""
    start_tensorflow(1)
    graphs, lines, jobs = Graphs(None, RECORDS), [], []
    seeds = range(flags.FLAGS.runs)
    rows = []
    for change in CHANGES:
        for dataset in [each for each in change.graphs if each in flags.FLAGS.graphs]:
            experiment = EXPERIMENTS[f"table1/{dataset}/{change.row}"]
            ours, changed = change.cells(graphs, dataset)
            used = experiment.seeds(len(seeds))
            rows.append((change, experiment, ours, changed, used))
            jobs += [(ours, used), (changed, used)]
    sweep_jobs(jobs, flags.FLAGS.workers)
    for change, experiment, ours, changed, used in rows:
        dataset = experiment.data.dataset
        cited = published_figure(experiment.paper, dataset)[0]
        name = f"{dataset} · {experiment.paper[1]}"
        figures = [f"{cited}", mean(ours, used), mean(changed, used), str(len(used))]
        lines.append([name, change.text, *figures])
    header = ["graph · row", "change", "cited", "ours", "ours, changed", "runs"]
    table = markdown_table(header, lines)
    print(table)
    if flags.FLAGS.out:
        with replacing(Path(flags.FLAGS.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
