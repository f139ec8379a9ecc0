"""From an experiment, as declared, to a cell that can be run."""

from __future__ import annotations

from pathlib import Path

from trainers import architectures
from trainers.cell import Cell
from trainers.config import RunConfig
from trainers.experiments import Experiment, preset


def cell_of(experiment: Experiment, records_dir: Path, data_dir: str | None = None) -> Cell:
    """The cell, its records under the experiment's name in `records_dir`."""
    graph = experiment.data.load(data_dir)
    chosen = preset(experiment.preset, experiment.data.dataset)
    architecture = architectures.resolve(
        experiment.architecture,
        experiment.data.dataset,
        graph.num_classes,
        chosen,
    )
    return Cell(
        RunConfig.of(experiment.data, graph, architecture, chosen.settings),
        records_dir / f"{experiment.name}.jsonl",
        experiment.name,
        data_dir,
    )
