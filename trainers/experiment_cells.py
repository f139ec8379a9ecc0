"""From an experiment, as declared, to a cell that can be run."""

from __future__ import annotations

import functools
from pathlib import Path

import datasets
from trainers import architectures, baselines
from trainers.cell import Cell
from trainers.config import Architecture, Preset, RunConfig
from trainers.data_config import DataConfig
from trainers.experiments import preset
from trainers.tables import Experiment


def cell_of(experiment: Experiment, records_dir: Path, data_dir: str | None = None) -> Cell:
    """The cell, its records under the experiment's name in `records_dir`."""
    graph = _load(experiment.data, data_dir)
    chosen = preset(experiment.preset, experiment.data.dataset, experiment.model)
    architecture = architecture_of(
        experiment.model, experiment.architecture, experiment.data.dataset, graph, chosen
    )
    return Cell(
        RunConfig.of(experiment.data, graph, architecture, chosen.settings),
        records_dir / f"{experiment.name}.jsonl",
        experiment.name,
        data_dir,
    )


@functools.lru_cache(maxsize=16)
def _load(data: DataConfig, data_dir: str | None) -> datasets.Graph:
    """The rows of a table share their graph: one split, or one and ten further ones."""
    return data.load(data_dir)


def architecture_of(
    model: str, text: str | None, dataset: str, graph: datasets.Graph, preset: Preset
) -> Architecture:
    """What a preset makes of a model for a graph.

    Args:
        model: `mixhop` or a baseline.
        text: Of MixHop, the name or notation of the architecture.
        dataset: Name of the graph.
        graph: The graph.
        preset: Gives dropout, and widths of a baseline.
    """
    if model == "mixhop":
        return architectures.resolve(
            text or architectures.preferred(dataset), dataset, graph.num_classes, preset
        )
    return baselines.resolve(model, graph, preset, {})
