"""What a reproduction of the paper is made of: which cells, with which seeds, part by part."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from datasets.synthetic import HOMOPHILIES
from trainers import experiments, homophily, tables
from trainers.cell import Cell
from trainers.config import Preset
from trainers.data_config import DataConfig
from trainers.errors import RunError
from trainers.learn_config import LearnConfig
from trainers.series import ABLATIONS, FIGURE_3, FIGURE_4, Series
from trainers.tables import EXPERIMENTS, Experiment

PARTS = ("table1", "table2", "table3", "figure3", "figure4", "figure5")

# Rows that are run, in the order of the paper's tables, and what they are called.
ROWS = {
    "mlp": "MLP, no graph",
    "chebyshev": "Chebyshev",
    "gcn": "GCN",
    "gat": "GAT",
    "mixhop-p1": "MixHop, P = {1}",
    "mixhop-default": "MixHop, default",
    "mixhop-learned": "MixHop, learned by the authors",
    "mixhop-searched": "MixHop, learned here",
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Size:
    """How much is run.

    Args:
        runs: Of each cell of a table.
        further_splits: Seeds of the further random splits, and the runs on each.
        levels: Of homophily.
        graphs: Of each level.
        searches: For an architecture, on each split of each graph in Figure 5.
        search_runs: Retrainings of each architecture found.
        searched: The graphs in Figure 5.
        max_steps: Of a run, if fewer than its settings have.
    """

    runs: int = experiments.RUNS
    further_splits: Sequence[int] = experiments.FURTHER_SPLITS
    further_runs: int = experiments.FURTHER_RUNS
    levels: Sequence[float] = HOMOPHILIES
    graphs: int = experiments.SYNTHETIC_GRAPHS
    searches: int = experiments.STUDY_SEARCHES
    search_runs: int = experiments.STUDY_RUNS
    searched: Sequence[str] = experiments.CITATION
    max_steps: int | None = None


FULL = Size()
QUICK = Size(
    runs=experiments.QUICK_RUNS,
    further_splits=experiments.FURTHER_SPLITS[:1],
    further_runs=1,
    levels=experiments.SYNTHETIC_QUICK_LEVELS,
    graphs=experiments.SYNTHETIC_QUICK_GRAPHS,
    searches=1,
    search_runs=1,
    searched=("cora",),
    max_steps=experiments.QUICK_STEPS,
)


@dataclasses.dataclass(frozen=True)
class ArchSearch:
    """Searches for an architecture, from several seeds: for Table 1, or for Table 3."""

    data: DataConfig
    config: LearnConfig

    def path(self, records_dir: Path) -> Path:
        """What was found; the retrainings are beside it."""
        return records_dir / "search" / f"{self.data.file_stem}.json"


@dataclasses.dataclass(frozen=True)
class Plan:
    """The cells of a reproduction.

    Args:
        size: How much is run.
        records_dir: Folder of the records.
        data_dir: Folder with files of the graphs.
        parts: What is run and reported, of `PARTS`.
    """

    size: Size
    records_dir: Path
    data_dir: str | None = None
    parts: tuple[str, ...] = PARTS

    @property
    def quick(self) -> bool:
        """Whether this is a small version."""
        return self.size.max_steps is not None

    @property
    def seeds(self) -> range:
        """Of the runs of a table's cell."""
        return range(self.size.runs)

    @property
    def further_seeds(self) -> range:
        """Of the runs on each further split."""
        return range(min(self.size.runs, self.size.further_runs))

    @functools.cache  # noqa: B019
    def cell(self, experiment: Experiment) -> Cell:
        """The cell of an experiment."""
        from trainers.experiment_cells import cell_of

        return self._shortened(cell_of(experiment, self.records_dir, self.data_dir))

    def further(self, experiment: Experiment) -> list[Cell]:
        """The cells of an experiment of Table 3 on further splits."""
        return [
            self.cell(other)
            for other in tables.on_further_splits(experiment)
            if other.data.seed in self.size.further_splits
        ]

    @functools.cache  # noqa: B019  # plans are few, and graphs take time
    def series(self, part: str) -> dict[str, homophily.Jobs]:
        """The cells of a figure over homophily, by name of the line."""
        found: Mapping[str, Series] = {"figure3": FIGURE_3, "figure4": FIGURE_4}[part]
        folder = {"figure3": "delta_ops", "figure4": "synthetic"}[part]
        return {
            name: {
                level: [(self._shortened(cell), seeds) for cell, seeds in jobs]
                for level, jobs in homophily.cells_of(
                    name,
                    each,
                    self.size.levels,
                    self.size.graphs,
                    self.records_dir / folder,
                ).items()
            }
            for name, each in found.items()
        }

    @functools.cache  # noqa: B019
    def ablations(self) -> dict[str, homophily.Jobs]:
        """The cells of what is changed in Figure 4, as far as there are records of it."""
        folder = self.records_dir / "synthetic"
        return {
            name: homophily.cells_of(
                name, each, experiments.ABLATION_LEVELS, experiments.ABLATION_GRAPHS, folder
            )
            for name, each in ABLATIONS.items()
            if (folder / f"{name}.jsonl").is_file()
        }

    def searches(self) -> list[ArchSearch]:
        """The searches for architectures: on Planetoid's splits, then on the random ones."""
        splits = [DataConfig(dataset=graph) for graph in self.size.searched]
        splits += [tables.random_split(graph) for graph in self.size.searched]
        return [
            ArchSearch(
                data,
                _short_search(
                    experiments.ways_to_search(data.dataset, data.many_labels)[
                        experiments.DEFAULT_SEARCH
                    ],
                    self.size.max_steps,
                ),
            )
            for data in splits
        ]

    def jobs(self) -> Iterator[tuple[Cell, Sequence[int]]]:
        """Cells and their seeds, MixHop's first, but for the searches of Figure 5."""
        rows = [
            experiment
            for part in self.parts
            if part.startswith("table")
            for experiment in table_rows(part)
        ]
        rows.sort(key=lambda experiment: experiment.model != "mixhop")
        for experiment in rows:
            yield self.cell(experiment), self.seeds
        for experiment in rows:
            if experiment.table == "table3":
                for cell in self.further(experiment):
                    yield cell, self.further_seeds
        for part in ("figure4", "figure3"):
            if part in self.parts:
                yield from homophily.all_jobs(self.series(part))

    def _shortened(self, cell: Cell) -> Cell:
        """The cell with no more steps than this size allows."""
        settings = cell.config.settings.at_most(self.size.max_steps)
        config = dataclasses.replace(cell.config, settings=settings)
        return dataclasses.replace(cell, config=config)


def _short_search(config: LearnConfig, max_steps: int | None) -> LearnConfig:
    """The search with no more steps than this in each of its trainings."""

    def short(preset: Preset) -> Preset:
        return dataclasses.replace(preset, settings=preset.settings.at_most(max_steps))

    return dataclasses.replace(config, wide=short(config.wide), retrain=short(config.retrain))


@functools.cache
def table_rows(part: str) -> tuple[Experiment, ...]:
    """What is run for a table, graph by graph, in the order of `ROWS`.

    Beside MixHop's rows of Table 1 stands the GCN with its own paper's settings.
    """
    others = {("table1", "gcn"): "own"}
    names = [
        f"{others.get((part, row), part)}/{graph}/{row}"
        for graph in experiments.CITATION
        for row in ROWS
    ]
    return tuple(EXPERIMENTS[name] for name in names if name in EXPERIMENTS)


def chosen_parts(texts: Sequence[str]) -> tuple[str, ...]:
    """Parts by name, in their order."""
    unknown = [text for text in texts if text not in PARTS]
    if unknown or not texts:
        raise RunError(f"--only takes {', '.join(PARTS)}, not {','.join(texts)!r}.")
    return tuple(part for part in PARTS if part in texts)
