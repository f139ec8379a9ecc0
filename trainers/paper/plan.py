"""The plan of a reproduction of the paper: its cells and their seeds, part by part."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import datasets
from datasets.synthetic import HOMOPHILIES
from mixhop_tf import LearnSettings, Recipe, SettingError
from trainers.paper import cells, homophily, series
from trainers.paper.cells import EXPERIMENTS, Experiment
from trainers.paper.graphs import Graphs
from trainers.paper.learn_settings import DEFAULT_WAY, STUDY_RUNS, STUDY_SEEDS, ways_to_learn
from trainers.paper.presets import CITATION, MIXHOPS
from trainers.paper.series import ABLATIONS, CITED, FIGURE_3, FIGURE_4, Series
from trainers.sweeps.cell import Cell, Job
from trainers.sweeps.data_config import DataConfig

# Runs per cell, from Section 5.2 of the paper.
RUNS = 100

# In the small version of a reproduction: runs per cell, and the largest number of steps per run.
QUICK_RUNS, QUICK_STEPS = 2, 100

PARTS = ("table1", "table2", "table3", "figure3", "figure4", "figure5")

# The rows in the order of the paper's tables, with their labels.
ROWS = {
    **cells.CLASSICAL,
    "mlp": "MLP, no graph",
    "chebyshev": "Chebyshev",
    "gcn": "GCN",
    "gat": "GAT",
    "mixhop-p1": "MixHop, P = {1}",
    "mixhop-default": "MixHop, default",
    "mixhop-learned": "MixHop, learned by the authors",
    "mixhop-searched": "MixHop, learned here",
    cells.ATTENTION_ROW: "MixHop with attention",
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Size:
    """The size of a reproduction.

    Args:
        runs: Runs of each cell of a table.
        further_splits: Seeds of the further random splits.
        further_runs: Runs on each further split.
        levels: Levels of homophily.
        graphs: Graphs per level.
        learn_seeds: Architectures learned on each split of each graph in Figure 5.
        learn_runs: Retrainings of each learned architecture.
        learn_on: The graphs in Figure 5.
        max_steps: Largest number of steps per run; None for that of the settings.
    """

    runs: int = RUNS
    further_splits: Sequence[int] = cells.FURTHER_SPLITS
    further_runs: int = cells.FURTHER_RUNS
    levels: Sequence[float] = HOMOPHILIES
    graphs: int = series.NUM_GRAPHS
    learn_seeds: int = STUDY_SEEDS
    learn_runs: int = STUDY_RUNS
    learn_on: Sequence[str] = CITATION
    max_steps: int | None = None


FULL = Size()
QUICK = Size(
    runs=QUICK_RUNS,
    further_splits=cells.FURTHER_SPLITS[:1],
    further_runs=1,
    levels=series.QUICK_LEVELS,
    graphs=series.QUICK_GRAPHS,
    learn_seeds=1,
    learn_runs=1,
    learn_on=("cora",),
    max_steps=QUICK_STEPS,
)


@dataclasses.dataclass(frozen=True)
class ArchitecturePlan:
    """An architecture to learn, from several seeds: for Table 1, or for Table 3."""

    data: DataConfig
    settings: LearnSettings

    def path(self, records_dir: Path) -> Path:
        """The file of the learned architectures; the records of the retrainings are beside it."""
        return records_dir / "search" / f"{self.data.file_stem}.json"


@dataclasses.dataclass(frozen=True)
class Plan:
    """The cells of a reproduction.

    Args:
        size: The size of the reproduction.
        records_dir: Folder of the records.
        data_dir: Folder with files of the graphs.
        parts: The parts to run and report, out of `PARTS`.
        trust_records: Whether facts about graphs are taken from the records; see `Graphs`.
    """

    size: Size
    records_dir: Path
    data_dir: str | None = None
    parts: tuple[str, ...] = PARTS
    trust_records: bool = False

    @property
    def quick(self) -> bool:
        """Whether this is the small version."""
        return self.size.max_steps is not None

    @property
    def further_seeds(self) -> range:
        """Seeds of the runs on each further split."""
        return range(min(self.size.runs, self.size.further_runs))

    @functools.cached_property
    def graphs(self) -> Graphs:
        """The graphs of the cells."""
        return Graphs(self.data_dir, self.records_dir, self.trust_records)

    def load(self, data: DataConfig) -> datasets.Graph:
        """Loads a graph."""
        return self.graphs.load(data)

    def cell(self, experiment: Experiment) -> Cell:
        """The cell of an experiment."""
        return self._shortened(experiment.cell(self.graphs, self.records_dir, self.data_dir))

    def further(self, experiment: Experiment) -> list[Cell]:
        """The cells of an experiment of Table 3 on further splits."""
        return [
            self.cell(other)
            for other in cells.on_further_splits(experiment)
            if other.data.seed in self.size.further_splits
        ]

    def series(self, part: str) -> dict[str, homophily.Jobs]:
        """The cells of a figure over homophily, by name of the line."""
        return self._figure_3 if part == "figure3" else self._figure_4

    @functools.cached_property
    def _figure_3(self) -> dict[str, homophily.Jobs]:
        return self._lines(FIGURE_3, "delta_ops")

    @functools.cached_property
    def _figure_4(self) -> dict[str, homophily.Jobs]:
        return self._lines({**FIGURE_4, **CITED}, "synthetic")

    def _lines(self, lines: Mapping[str, Series], folder: str) -> dict[str, homophily.Jobs]:
        return {
            name: {
                level: [(self._shortened(cell), seeds) for cell, seeds in jobs]
                for level, jobs in self._jobs_of(
                    name, each, folder, self.size.levels, self.size.graphs
                ).items()
            }
            for name, each in lines.items()
        }

    @functools.cached_property
    def ablations(self) -> dict[str, homophily.Jobs]:
        """The cells of the ablations of Figure 4 that have records."""
        levels, graphs = series.ABLATION_LEVELS, series.ABLATION_GRAPHS
        return {
            name: self._jobs_of(name, each, "synthetic", levels, graphs)
            for name, each in ABLATIONS.items()
            if (self.records_dir / "synthetic" / f"{name}.jsonl").is_file()
        }

    def _jobs_of(
        self, name: str, line: Series, folder: str, levels: Sequence[float], graphs: int
    ) -> homophily.Jobs:
        """The cells of a line. The figures always use generated graphs, even with a `data_dir`."""
        generated = self.graphs if self.data_dir is None else self._generated
        return homophily.jobs_of(name, line, levels, graphs, self.records_dir / folder, generated)

    @functools.cached_property
    def _generated(self) -> Graphs:
        return Graphs(None, self.records_dir, self.trust_records)

    def architectures(self) -> list[ArchitecturePlan]:
        """The architectures to learn: on Planetoid's splits, then on the random ones."""
        splits = [DataConfig(dataset=graph) for graph in self.size.learn_on]
        splits += [cells.random_split(graph) for graph in self.size.learn_on]
        return [
            ArchitecturePlan(
                data, _shortened(ways_to_learn(data)[DEFAULT_WAY], self.size.max_steps)
            )
            for data in splits
        ]

    def jobs(self) -> Iterator[Job]:
        """All cells with their seeds, MixHop's first, except those of Figure 5."""
        rows = [
            experiment
            for part in self.parts
            if part.startswith("table")
            for experiment in table_rows(part)
        ]
        rows.sort(key=lambda experiment: experiment.model not in MIXHOPS)
        for experiment in rows:
            yield self.cell(experiment), experiment.seeds(self.size.runs)
        for experiment in rows:
            if experiment.table == "table3":
                for cell in self.further(experiment):
                    yield cell, experiment.seeds(len(self.further_seeds))
        for part in ("figure4", "figure3"):
            if part in self.parts:
                yield from homophily.all_jobs(self.series(part))

    def _shortened(self, cell: Cell) -> Cell:
        """The cell with at most `max_steps` steps."""
        settings = cell.config.settings.at_most(self.size.max_steps)
        config = dataclasses.replace(cell.config, settings=settings)
        return dataclasses.replace(cell, config=config)


def _shortened(settings: LearnSettings, max_steps: int | None) -> LearnSettings:
    """The settings with at most `max_steps` steps in each training."""

    def short(recipe: Recipe) -> Recipe:
        return dataclasses.replace(recipe, settings=recipe.settings.at_most(max_steps))

    return dataclasses.replace(settings, wide=short(settings.wide), retrain=short(settings.retrain))


@functools.cache
def table_rows(part: str) -> tuple[Experiment, ...]:
    """The experiments of a table, graph by graph, in the order of `ROWS`.

    Table 1 has MixHop's rows, and the GCN with the settings of its own paper.
    """
    others = {("table1", "gcn"): "own"}
    names = [f"{others.get((part, row), part)}/{graph}/{row}" for graph in CITATION for row in ROWS]
    return tuple(EXPERIMENTS[name] for name in names if name in EXPERIMENTS)


def parts_named(names: Sequence[str]) -> tuple[str, ...]:
    """Parts by name, in their order."""
    if not names or set(names) - set(PARTS):
        raise SettingError("only", f"takes {', '.join(PARTS)}", tuple(names))
    return tuple(part for part in PARTS if part in names)
