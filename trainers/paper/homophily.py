"""Sweeps over homophily: many graphs per level, one run on each, and their summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import mixhop_tf
from datasets import synthetic
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.graphs import Graphs
from trainers.paper.presets import preset
from trainers.paper.series import Series
from trainers.sweeps import protocol
from trainers.sweeps.cell import Cell, Job
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.records import Record
from trainers.sweeps.statistics import Point, interval

ACCURACY, DELTAS = "test_accuracy", "delta_share"  # fields of records

# By level: a cell for each graph, and the seed of its one run. The seed also decides the graph and
# the split, so that graph, split and weights differ from cell to cell.
Jobs = Mapping[float, Sequence[Job]]


def jobs_of(
    name: str,
    series: Series,
    levels: Sequence[float],
    num_graphs: int,
    records_dir: Path,
    graphs: Graphs,
    data_dir: str | None = None,
) -> Jobs:
    """The cells of a series, by level: one per graph, with seeds 0, 1, ….

    Args:
        name: Name of the series; its records are in `name.jsonl`.
        series: The model and how it is trained.
        levels: Levels of homophily.
        num_graphs: Graphs per level; for published graphs, splits per graph.
        records_dir: Folder of the records.
        graphs: Loads the graphs.
        data_dir: Folder with the published graphs; None for generated graphs.
    """
    path = records_dir / f"{name}.jsonl"
    return {
        level: [
            (
                Cell(_config(series, level, seed, graphs), path, f"{name}, h = {level}", data_dir),
                (seed,),
            )
            for seed in range(num_graphs)
        ]
        for level in levels
    }


def _config(series: Series, level: float, seed: int, graphs: Graphs) -> RunConfig:
    data = DataConfig(
        dataset=f"{synthetic.name_of(level)}{series.features}", split=series.split, seed=seed
    )
    name = "default" if series.model == "mixhop" else None
    request = ArchitectureRequest(
        model=series.model,
        name=name,
        hidden_dims=series.hidden_dims,
        jumping=series.jumping or None,
    )
    settings = preset(series.preset, data.dataset, series.model)
    return graphs.config(data, request, settings, series.shared_first_kernel)


def all_jobs(jobs: Mapping[str, Jobs]) -> list[Job]:
    """The jobs of all series and levels."""
    return [job for levels in jobs.values() for some in levels.values() for job in some]


def check_all_done(jobs: Mapping[str, Jobs]) -> None:
    """Raises a `RunError` that names the first failed run, if there is one."""
    every = all_jobs(jobs)
    protocol.check_all_done([record for cell, seeds in every for record in cell.records(seeds)])


def curves(jobs: Mapping[str, Jobs], field: str) -> dict[str, list[Point]]:
    """A field of the records, level by level; levels without a finished run are left out."""
    return {
        name: [
            point
            for level, some in levels.items()
            if (point := _point(level, some, field)) is not None
        ]
        for name, levels in jobs.items()
    }


def _point(level: float, jobs: Sequence[Job], field: str) -> Point | None:
    values = np.array([record[field] for record in _done(jobs)], float)
    if not len(values):
        return None
    return Point(level, float(values.mean()), interval(values), len(values))


def lead(first: Jobs, second: Jobs, level: float, field: str) -> tuple[float, float] | None:
    """The mean lead of one series over another, and half the width of its 95 % interval.

    Both are computed from the differences on the same graphs. None if they share no graph.
    """
    values = [
        {record["seed"]: record[field] for record in _done(jobs[level])} for jobs in (first, second)
    ]
    both = sorted(values[0].keys() & values[1].keys())
    if not both:
        return None
    differences = np.array([values[0][seed] - values[1][seed] for seed in both])
    return float(differences.mean()), interval(differences)


def _done(jobs: Sequence[Job]) -> list[Record]:
    return [record for cell, seeds in jobs for record in protocol.ranked(cell.records(seeds))]


def note(points: Mapping[str, Sequence[Point]], what: str = "graphs") -> str:
    """A short note about what a figure of these points shows."""
    counts = sorted({point.num_graphs for some in points.values() for point in some})
    if counts == [1]:
        return f"one {what.removesuffix('s')} a level"
    span = " to ".join(map(str, (counts[0], counts[-1]))) if counts[1:] else f"{counts[0]}"
    return f"mean of {span} {what}, 95 % interval"


def fresh_delta_share(num_models: int = 10) -> float:
    """The share of delta operators in untrained models, as the mean over seeds."""
    architecture = mixhop_tf.Architecture.default(synthetic.NUM_CLASSES)
    sizes = synthetic.NUM_RADIAL, synthetic.NUM_CLASSES
    models = [
        mixhop_tf.build_model(architecture, *sizes, shared_first_kernel=True, seed=seed)
        for seed in range(num_models)
    ]
    return float(np.mean([mixhop_tf.count_deltas(model).share for model in models]))
