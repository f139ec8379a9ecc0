"""Accuracy against homophily: Figure 4 of the paper, and its table.

python -m trainers.synthetic                       ten levels, five models, ten graphs each
python -m trainers.synthetic --quick               a small version, in some minutes
python -m trainers.synthetic --data_dir my/folder  the ten published graphs, ten splits of each
python -m trainers.synthetic --only 'summed/*' --levels 0.0,0.2 --graphs 5    an ablation

All models are trained by the same engine, two layers deep and 60 columns wide, on a third of the
nodes, each with the settings that a search of the same size found for it by validation accuracy.
The records are kept; a sweep that was killed goes on when given again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trainers import command_line, homophily, homophily_figures, homophily_flags
from trainers.homophily import Point
from trainers.series import ABLATIONS, FIGURE_4

SERIES = {**FIGURE_4, **ABLATIONS}
FIELD = "test_accuracy"


def define_flags() -> None:
    """Defines the flags of this command."""
    homophily_flags.define(SERIES, list(FIGURE_4), "results/records/synthetic")


def main() -> None:
    """Trains what is missing, prints the table, and draws the figure."""
    asked = homophily_flags.asked(SERIES)
    jobs = asked.run()
    curves = homophily.curves(jobs, FIELD)
    print(homophily.table(curves))
    if not asked.series.keys() - FIGURE_4.keys():
        lines, published, note = _labelled(curves), {}, asked.note(curves)
        if asked.data_dir is not None:
            generated = homophily.curves(asked.generated().jobs(), FIELD)
            lines, published = _labelled(generated), _labelled(curves)
            note = f"marks: {note}"
        drawn = homophily_figures.accuracies(lines, note, published)
        asked.save(drawn, "figure4", FIGURE_4)
    homophily.see_all_done(jobs)


def _labelled(curves: Mapping[str, Sequence[Point]]) -> dict[str, Sequence[Point]]:
    return {SERIES[name].label: points for name, points in curves.items()}


if __name__ == "__main__":
    command_line.run(main, define_flags)
