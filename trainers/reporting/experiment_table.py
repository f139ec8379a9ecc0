"""A short table of experiments: our accuracies and the paper's."""

from __future__ import annotations

from collections.abc import Iterable

from trainers.paper.cells import Experiment
from trainers.paper.published import published_figure
from trainers.sweeps import protocol
from trainers.sweeps.cell import Cell, Job
from trainers.text.markdown import markdown_table
from trainers.text.numbers import NONE, plus_minus


def table(rows: Iterable[tuple[Experiment, Job]]) -> str:
    """The test accuracy of each experiment in percent, and the paper's."""
    header = ["experiment", "runs", "best half ± sd", "all ± 95 % interval", "paper ± sd"]
    return markdown_table(header, [_row(experiment, *job) for experiment, job in rows])


def _row(experiment: Experiment, cell: Cell, seeds: Iterable[int]) -> list[str]:
    figure = published_figure(experiment.paper, experiment.data.dataset)
    paper = NONE if figure is None else plus_minus(*figure, digits=None)
    recorded = cell.records(seeds)
    if not protocol.ranked(recorded):
        return [experiment.name, "0", NONE, NONE, paper]
    summary = protocol.summarize(recorded)
    return [
        experiment.name,
        str(summary.num_runs),
        plus_minus(100 * summary.best_mean, 100 * summary.best_std),
        plus_minus(100 * summary.mean, 100 * summary.interval),
        paper,
    ]
