"""Measures accuracy at each level of homophily: Figure 4 of the paper, and its table.

python -m trainers.synthetic                       ten levels, six models, ten graphs each
python -m trainers.synthetic --quick               a small version that takes a few minutes
python -m trainers.synthetic --data_dir my/folder  the ten published graphs, ten splits of each
python -m trainers.synthetic --only lp,deepwalk,ica  methods that Table 1 cites
python -m trainers.synthetic --only 'summed/*' --levels 0.0,0.2 --graphs 5    an ablation

All models have two layers and 60 hidden columns and train on a third of the nodes. Each uses the
settings with the best validation accuracy in a search of the same size. If the command is
interrupted, run it again: it continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trainers.cli import app, homophily_flags
from trainers.paper import homophily
from trainers.paper.series import ABLATIONS, CITED, FIGURE_4
from trainers.plots import homophily as plots
from trainers.reporting import homophily_table
from trainers.sweeps.statistics import Point

SERIES = {**FIGURE_4, **CITED, **ABLATIONS}


def define_flags() -> None:
    """Defines the flags of this command."""
    homophily_flags.define(SERIES, list(FIGURE_4), "results/records/synthetic")


def main() -> None:
    """Makes the missing runs, prints the table, and draws the figure."""
    request = homophily_flags.request(SERIES)
    jobs = request.run()
    curves = homophily.curves(jobs, homophily.ACCURACY)
    print(homophily_table.table(curves))
    if not request.series.keys() - FIGURE_4.keys():
        lines, published, note = _labelled(curves), {}, request.note(curves)
        if request.data_dir is not None:
            generated = homophily.curves(request.generated().jobs(), homophily.ACCURACY)
            lines, published = _labelled(generated), _labelled(curves)
            note = f"marks: {note}"
        request.save(plots.accuracies(lines, note, published), "figure4", FIGURE_4)
    homophily.check_all_done(jobs)


def _labelled(curves: Mapping[str, Sequence[Point]]) -> dict[str, Sequence[Point]]:
    return {SERIES[name].label: points for name, points in curves.items()}


if __name__ == "__main__":
    app.run(main, define_flags)
