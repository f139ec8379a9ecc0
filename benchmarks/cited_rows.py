"""Changes one thing in rows of Table 1 that the paper cites, to explain how far ours are from them.

    python -m benchmarks.cited_rows --out results/benchmarks/cited_rows.md
    python -m benchmarks.cited_rows --rows ica,planetoid --graphs citeseer --runs 10

Each row has the tuned settings except for what the table names. Where other values must be tuned
again, validation accuracy chooses them. Both columns of ours are means over the same seeds. The
runs are on record in results/records/cited; a second call makes the missing ones. The table has all
runs on record, also those of rows and graphs that a call leaves out.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from absl import flags

from datasets.atomic import replacing
from trainers.cli import app
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.cells import CLASSICAL, EXPERIMENTS, Experiment
from trainers.paper.classical_presets import SPACES
from trainers.paper.graphs import Graphs
from trainers.paper.preset import Preset
from trainers.paper.presets import CITATION, preset
from trainers.paper.published import published_figure
from trainers.paper.tuning import tune
from trainers.sweeps import protocol
from trainers.sweeps.cell import Cell
from trainers.sweeps.sweep import sweep
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table
from trainers.text.numbers import plus_minus

RECORDS = Path(__file__).parents[1] / "results" / "records"
CHOICE_RUNS = 2  # of each combination of values among which validation accuracy chooses


@dataclasses.dataclass(frozen=True, kw_only=True)
class Change:
    """What differs from the tuned settings of a row of Table 1.

    Args:
        row: The row.
        text: The change, in words.
        values: Tuned values by name; None switches a flag to its other value.
        data: Fields of the graph's configuration.
        choices: Values by name, among which validation accuracy chooses.
        graphs: The graphs.
    """

    row: str
    text: str
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    data: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    choices: Mapping[str, Sequence[Any]] = dataclasses.field(default_factory=dict)
    graphs: tuple[str, ...] = CITATION

    def experiment(self, dataset: str) -> Experiment:
        """The cell of Table 1."""
        return EXPERIMENTS[f"table1/{dataset}/{self.row}"]

    def presets(self, dataset: str) -> list[Preset]:
        """The changed settings: one for each combination of `choices`."""
        tuned = preset(self.experiment(dataset).preset, dataset, self.row)
        values = {
            name: not tuned.architecture[name] if value is None else value
            for name, value in self.values.items()
        }
        return [
            tuned.with_values(**values, **dict(zip(self.choices, each, strict=True)))
            for each in itertools.product(*self.choices.values())
        ]

    def cell(self, graphs: Graphs, dataset: str, changed: Preset) -> Cell:
        """The cell of changed settings."""
        data = dataclasses.replace(self.experiment(dataset).data, **self.data)
        request = ArchitectureRequest(model=self.row, name=None)
        config = graphs.config(data, request, changed)
        path = RECORDS / "cited" / f"{dataset}.jsonl"
        return Cell(config, path, f"{self.row}, {self.text}")


AS_TUNED = SPACES["ica"]  # two choices that every change of ICA needs again
CHANGES = (
    Change(row="manireg", text="without its penalty", values={"manifold": 0.0}),
    Change(row="semiemb", text="without its penalty", values={"manifold": 0.0}),
    Change(row="lp", text="class masses the other way", values={"mass_normalization": None}),
    Change(row="deepwalk", text="first vectors ten times as long", values={"start_length": 1.0}),
    Change(row="deepwalk", text="half as many walks", values={"rounds": 10}),
    Change(row="deepwalk", text="a quarter of the walks", values={"rounds": 5}),
    Change(
        row="ica",
        text="one regression for all classes",
        values={"one_vs_rest": False},
        choices=AS_TUNED,
    ),
    Change(
        row="ica",
        text="words with their TF-IDF values",
        data={"raw_features": True},
        choices=AS_TUNED,
        graphs=("pubmed",),
    ),
    Change(
        row="planetoid",
        text="test nodes unseen in training",
        values={"inductive": True},
        graphs=("citeseer", "pubmed"),  # on Cora, tuning chose variant t
    ),
    Change(
        row="planetoid",
        text="rows divided by their sum, rates tuned again",
        data={"scaling": "rows"},
        choices={"learning_rate": (0.3, 1.0, 3.0), "layer_rate": (0.003, 0.1)},
        graphs=("citeseer",),
    ),
)


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_integer("runs", 4, "Runs of each row.", 1)
    flags.DEFINE_list("rows", list(CLASSICAL), "Rows whose missing runs are made.")
    flags.DEFINE_list("graphs", list(CITATION), "Graphs whose missing runs are made.")
    flags.DEFINE_integer("workers", None, "Processes; by default one per core.", 1)
    flags.DEFINE_string("out", None, "File to write the table to.")


def line(
    change: Change,
    dataset: str,
    graphs: Graphs,
    make: Callable[[Sequence[Cell], Sequence[int]], None],
    num_runs: int,
) -> list[str] | None:
    """A row of the table; None without runs on record.

    Args:
        change: The change.
        dataset: The graph.
        graphs: Loads graphs.
        make: Makes the missing runs of cells.
        num_runs: Number of runs to make.
    """
    experiment = change.experiment(dataset)
    seeds = experiment.seeds(num_runs)
    presets = change.presets(dataset)
    cell_of = functools.partial(change.cell, graphs, dataset)
    ours = experiment.cell(graphs, RECORDS)
    make([ours], seeds)
    few = len(experiment.seeds(CHOICE_RUNS))
    rounds = [(len(presets), few)] if len(presets) > 1 else []
    changed = cell_of(tune(presets, cell_of, make, [*rounds, (1, len(seeds))])[0].preset)
    both = [
        {record["seed"]: record for record in protocol.ranked(cell.records(experiment.seeds(100)))}
        for cell in (ours, changed)
    ]
    shared = sorted(both[0].keys() & both[1].keys())
    if not shared:
        return None
    cited = f"{published_figure(experiment.paper, dataset)[0]}"
    means = [mean([records[seed] for seed in shared]) for records in both]
    name = f"{dataset} · {experiment.paper[1]}"
    return [name, change.text, cited, *means, str(len(shared))]


def mean(records: Sequence[Mapping[str, Any]]) -> str:
    """Mean test accuracy in percent and half its 95 % interval, as text."""
    summary = protocol.summarize(protocol.ranked(records))
    interval = 100 * summary.interval
    return plus_minus(100 * summary.mean, None if np.isnan(interval) else interval)


def main() -> None:
    """Makes the missing runs and prints the table."""
    values = flags.FLAGS
    start_tensorflow(1)
    graphs, lines = Graphs(None, RECORDS), []
    for change in CHANGES:
        for dataset in change.graphs:
            wanted = change.row in values.rows and dataset in values.graphs
            make = functools.partial(sweep, num_workers=values.workers) if wanted else nothing
            found = line(change, dataset, graphs, make, values.runs)
            if found is not None:
                lines.append(found)
                print(*found, sep=" | ", flush=True)
    header = ["graph · row", "change", "cited", "ours", "ours, changed", "runs"]
    table = markdown_table(header, lines)
    print(table)
    if values.out:
        with replacing(Path(values.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


def nothing(cells: Sequence[Cell], seeds: Sequence[int]) -> None:
    """Makes no runs."""


if __name__ == "__main__":
    app.run(main, define_flags)
