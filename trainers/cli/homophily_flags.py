"""The flags of the commands that sweep over homophily."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

from absl import flags
from matplotlib.figure import Figure

from datasets.synthetic import HOMOPHILIES
from mixhop_tf import SettingError
from mixhop_tf.cores import num_cores
from trainers.cli import engine_flags
from trainers.paper import homophily
from trainers.paper.graphs import PUBLISHED, Graphs
from trainers.paper.run_cost import expected_seconds
from trainers.paper.series import NUM_GRAPHS, QUICK_GRAPHS, QUICK_LEVELS, Series
from trainers.plots import style
from trainers.sweeps.engine import Engine
from trainers.sweeps.patterns import select
from trainers.sweeps.statistics import Point
from trainers.sweeps.sweep import sweep_jobs
from trainers.sweeps.tensorflow import start_tensorflow

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()

QUICK_DIR = Path("runs/quick")


@dataclasses.dataclass(frozen=True)
class HomophilyRequest:
    """The flags, resolved once.

    Attributes:
        series: Lines of the figure, by name.
        levels: Levels of homophily.
        num_graphs: Graphs per level.
        records_dir: Folder of the records.
        figures_dir: Folder of the figure.
        data_dir: Folder with the published graphs; None for generated graphs.
        quick: Whether this is the small version.
        workers: Number of runs at once.
        engine: Where the runs are made.
    """

    series: Mapping[str, Series]
    levels: tuple[float, ...]
    num_graphs: int
    records_dir: Path
    figures_dir: Path
    data_dir: str | None
    quick: bool
    workers: int | None
    engine: Engine

    def jobs(self) -> dict[str, homophily.Jobs]:
        """The cells of each series with their seeds."""
        graphs = Graphs(self.data_dir, self.records_dir)
        return {
            name: homophily.jobs_of(
                name,
                each,
                self.levels,
                self.num_graphs,
                self.records_dir,
                graphs,
                self.data_dir,
            )
            for name, each in self.series.items()
        }

    def generated(self) -> HomophilyRequest:
        """The same request for generated graphs, with the full number of them."""
        return dataclasses.replace(
            self,
            records_dir=self.records_dir.parent,
            data_dir=None,
            num_graphs=NUM_GRAPHS,
        )

    def run(self) -> dict[str, homophily.Jobs]:
        """Makes the missing runs and returns the cells of each series with their seeds."""
        start_tensorflow(num_cores())
        jobs = self.jobs()
        all_jobs = homophily.all_jobs(jobs)
        sweep_jobs(all_jobs, self.workers, cost=expected_seconds, engine=self.engine)
        return jobs

    def note(self, points: Mapping[str, Sequence[Point]]) -> str:
        """A short note about what a figure shows."""
        what = "splits" if self.data_dir else "graphs"
        return "quick: " * self.quick + homophily.note(points, what)

    def save(self, figure: Figure, name: str, whole: Mapping[str, Series]) -> None:
        """Writes a figure into the folder of figures and prints the paths.

        A figure that lacks lines, levels or graphs gets another name, so that it does not replace
        the complete one.
        """
        if self.data_dir:
            name += "_published"
        complete = self.levels == HOMOPHILIES and self.num_graphs >= NUM_GRAPHS
        if not self.quick and not (complete and self.series.keys() == whole.keys()):
            name += "_part"
        self.figures_dir.mkdir(parents=True, exist_ok=True)
        for path in style.save(figure, self.figures_dir / name):
            print(f"wrote {path}")


def define(series: Mapping[str, Series], only: Sequence[str], records_dir: str) -> None:
    """Defines the flags.

    Args:
        series: The lines to choose from.
        only: The lines that are run by default.
        records_dir: Folder of the records.
    """
    flags.DEFINE_list("only", list(only), f"Lines to draw: {', '.join(series)}, or patterns.")
    flags.DEFINE_list("levels", list(map(str, HOMOPHILIES)), "Levels of homophily.")
    flags.DEFINE_integer("graphs", NUM_GRAPHS, "Graphs per level.", 1)
    flags.DEFINE_bool("quick", False, "Run a small version: four levels, one graph each.")
    flags.DEFINE_integer("workers", None, "Processes; by default one per core.", 1)
    engine_flags.define()
    flags.DEFINE_string("records_dir", records_dir, "Folder of the run records.")
    flags.DEFINE_string("figures_dir", "results/figures", "Folder for the figure.")
    flags.DEFINE_string(
        "data_dir",
        None,
        "Folder with the ten published graphs. If given, the models train on these, and --graphs "
        "is the number of splits of each.",
    )


def request(series: Mapping[str, Series]) -> HomophilyRequest:
    """Reads the flags; with `--quick`, the records and the figure go to `runs/quick`."""
    values = flags.FLAGS
    quick = values.quick
    for name in ("levels", "graphs"):
        if quick and values[name].present:
            rule = "does not work with --quick, which has its own; leave one of them out"
            raise SettingError(name, rule)
    records_dir, figures_dir = Path(values.records_dir), Path(values.figures_dir)
    if quick and not values["records_dir"].present:
        records_dir = QUICK_DIR / records_dir.name
    if quick and not values["figures_dir"].present:
        figures_dir = QUICK_DIR / figures_dir.name
    lines = select(series, values.only, "series")
    if values.data_dir is not None:
        records_dir = records_dir / PUBLISHED
        given = [name for name, each in lines.items() if each.split == "given"]
        if given:
            rule = "must name lines with random splits when --data_dir is given"
            raise SettingError("only", rule, given[0])
    return HomophilyRequest(
        lines,
        QUICK_LEVELS if quick else _levels(values.levels),
        QUICK_GRAPHS if quick else values.graphs,
        records_dir,
        figures_dir,
        values.data_dir,
        quick,
        values.workers,
        engine_flags.engine(),
    )


def _levels(texts: Sequence[str]) -> tuple[float, ...]:
    names = {str(level): level for level in HOMOPHILIES}
    levels = tuple(names[text.strip()] for text in texts if text.strip() in names)
    if len(levels) < len(texts) or not levels:
        raise SettingError("levels", f"takes {', '.join(names)}", tuple(texts))
    return levels
