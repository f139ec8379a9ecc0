"""The flags of the commands that sweep over homophily."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from absl import flags

from datasets.synthetic import HOMOPHILIES
from trainers import figures, homophily
from trainers.errors import RunError
from trainers.experiments import (
    SYNTHETIC_GRAPHS,
    SYNTHETIC_QUICK_GRAPHS,
    SYNTHETIC_QUICK_LEVELS,
)
from trainers.series import Series
from trainers.start_tensorflow import num_cores, start_tensorflow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The flags below belong, in --help, to the command line that calls `define`.
flags.disclaim_key_flags()

QUICK_DIR = Path("runs/quick")


@dataclasses.dataclass(frozen=True)
class Sweep:
    """What the flags ask for.

    Attributes:
        series: By name.
        levels: Of homophily.
        num_graphs: Graphs of each level.
        records_dir: Folder of the records.
        figures_dir: Folder of the figure.
        data_dir: Folder with the published graphs, if they are meant.
        quick: Whether this is the small version.
    """

    series: Mapping[str, Series]
    levels: tuple[float, ...]
    num_graphs: int
    records_dir: Path
    figures_dir: Path
    data_dir: str | None
    quick: bool

    def jobs(self) -> dict[str, homophily.Jobs]:
        """The cells of each series, and their seeds."""
        return {
            name: homophily.cells_of(
                name, each, self.levels, self.num_graphs, self.records_dir, self.data_dir
            )
            for name, each in self.series.items()
        }

    def generated(self) -> Sweep:
        """The same on generated graphs, as many as a figure has."""
        return dataclasses.replace(
            self,
            records_dir=self.records_dir.parent,
            data_dir=None,
            num_graphs=SYNTHETIC_GRAPHS,
        )

    def run(self) -> dict[str, homophily.Jobs]:
        """Makes the runs that are missing; the cells of each series, and their seeds."""
        start_tensorflow(num_cores())
        from trainers.sweep import sweep_jobs

        jobs = self.jobs()
        sweep_jobs(homophily.all_jobs(jobs), flags.FLAGS.workers)
        return jobs

    def note(self, found: Mapping[str, Sequence[homophily.Point]]) -> str:
        """What a figure shows, in short."""
        what = "splits" if self.data_dir else "graphs"
        return "quick: " * self.quick + homophily.note(found, what)

    def save(self, figure: Figure, name: str, whole: Mapping[str, Series]) -> None:
        """Writes a figure into the folder of figures, and says so.

        One that has not all the lines, levels and graphs gets another name: it is not to stand in
        the place of the whole.
        """
        if self.data_dir:
            name += "_published"
        complete = self.levels == HOMOPHILIES and self.num_graphs >= SYNTHETIC_GRAPHS
        if not self.quick and not (complete and self.series.keys() == whole.keys()):
            name += "_part"
        self.figures_dir.mkdir(parents=True, exist_ok=True)
        for path in figures.save(figure, self.figures_dir / name):
            print(f"wrote {path}")


def define(series: Mapping[str, Series], only: Sequence[str], records_dir: str) -> None:
    """Defines the flags.

    Args:
        series: What can be asked for.
        only: What is run when nothing is.
        records_dir: Folder of the records.
    """
    flags.DEFINE_list("only", list(only), f"Lines to draw: {', '.join(series)}, or patterns.")
    flags.DEFINE_list("levels", list(map(str, HOMOPHILIES)), "Levels of homophily.")
    flags.DEFINE_integer("graphs", SYNTHETIC_GRAPHS, "Graphs of each level.", 1)
    flags.DEFINE_bool("quick", False, "A small version: four levels, one graph each.")
    flags.DEFINE_integer("workers", None, "Processes; one a core by default.", 1)
    flags.DEFINE_string("records_dir", records_dir, "Folder of the run records.")
    flags.DEFINE_string("figures_dir", "results/figures", "Where the figure goes.")
    flags.DEFINE_string(
        "data_dir",
        None,
        "Folder with the ten published graphs, to train on these; --graphs is then the number of "
        "splits of each.",
    )


def asked(series: Mapping[str, Series]) -> Sweep:
    """What the flags ask for; of `--quick`, the records and the figure go to `runs/quick`."""
    values = flags.FLAGS
    quick = values.quick
    for name in ("levels", "graphs"):
        if quick and values[name].present:
            raise RunError(f"--quick has its own --{name}; leave one of them out.")
    records_dir, figures_dir = Path(values.records_dir), Path(values.figures_dir)
    if quick and not values["records_dir"].present:
        records_dir = QUICK_DIR / records_dir.name
    if quick and not values["figures_dir"].present:
        figures_dir = QUICK_DIR / figures_dir.name
    lines = homophily.chosen(series, values.only)
    if values.data_dir is not None:
        records_dir = records_dir / "published"
        given = [name for name, each in lines.items() if each.split == "given"]
        if given:
            raise RunError(
                f"{given[0]} has one split of each published graph, so there is nothing to take a "
                "mean of; leave it out of --only."
            )
    return Sweep(
        lines,
        SYNTHETIC_QUICK_LEVELS if quick else _levels(values.levels),
        SYNTHETIC_QUICK_GRAPHS if quick else values.graphs,
        records_dir,
        figures_dir,
        values.data_dir,
        quick,
    )


def _levels(texts: Sequence[str]) -> tuple[float, ...]:
    names = {str(level): level for level in HOMOPHILIES}
    levels = tuple(names[text.strip()] for text in texts if text.strip() in names)
    if len(levels) < len(texts) or not levels:
        raise RunError(f"--levels takes {', '.join(names)}, not {','.join(texts)!r}.")
    return levels
