"""Sweeps over homophily: many graphs of each level, a run on each, and what they say together."""

from __future__ import annotations

import dataclasses
import fnmatch
import functools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import datasets
from datasets import synthetic
from trainers import experiments, protocol, records
from trainers.cell import Cell
from trainers.config import Architecture, Preset, RunConfig, graph_digest
from trainers.data_config import DataConfig
from trainers.errors import RunError
from trainers.series import Series
from trainers.text_table import markdown_table

# By level: a cell for each graph, and the seed of its one run, which is the graph's. So graph,
# split and weights differ from one to the next.
# The field of records that holds the share of delta operators.
DELTAS = "delta_share"

Job = tuple[Cell, Sequence[int]]
Jobs = Mapping[float, Sequence[Job]]


@dataclasses.dataclass(frozen=True)
class Point:
    """What the graphs of one level say together.

    Attributes:
        level: The homophily.
        mean: Over the graphs.
        interval: Half the width of the 95 % interval (Student's t) of `mean`; NaN of one graph.
        num_graphs: Graphs with a finished run.
    """

    level: float
    mean: float
    interval: float
    num_graphs: int


def note(found: Mapping[str, Sequence[Point]], what: str = "graphs") -> str:
    """What a figure of these points shows, in short."""
    counts = sorted({point.num_graphs for points in found.values() for point in points})
    if counts == [1]:
        return f"one {what.removesuffix('s')} a level"
    span = " to ".join(map(str, (counts[0], counts[-1]))) if counts[1:] else f"{counts[0]}"
    return f"mean of {span} {what}, 95 % interval"


def chosen(series: Mapping[str, Series], patterns: Sequence[str]) -> dict[str, Series]:
    """Those whose names match one of the patterns."""
    for pattern in patterns or [""]:
        if not fnmatch.filter(series, pattern):
            raise RunError(f"No series matches {pattern!r}; the names are {', '.join(series)}.")
    return {
        name: each
        for name, each in series.items()
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
    }


def cells_of(
    name: str,
    series: Series,
    levels: Sequence[float],
    num_graphs: int,
    records_dir: Path,
    data_dir: str | None = None,
) -> Jobs:
    """The cells of a series, by level: one a graph, with seeds 0, 1, ….

    Args:
        name: Of the series; its records go into `name.jsonl`.
        series: What is trained.
        levels: Of homophily.
        num_graphs: Graphs of each level. Of a published graph it is the split that differs.
        records_dir: Folder of the records.
        data_dir: Folder with the published graphs; without it they are generated.
    """
    path = records_dir / f"{name}.jsonl"
    known = _eigenvalues(path)
    return {
        level: [
            (
                Cell(
                    _config(series, level, seed, data_dir, known),
                    path,
                    f"{name}, h = {level}",
                    data_dir,
                ),
                (seed,),
            )
            for seed in range(num_graphs)
        ]
        for level in levels
    }


def _eigenvalues(path: Path) -> dict[str, float]:
    """The largest eigenvalues that records name, by the graph's digest: they take long to find."""
    configs = [record["config"] for record in records.read(path)]
    return {
        config["digest"]: config["architecture"]["largest_eigenvalue"]
        for config in configs
        if "largest_eigenvalue" in config["architecture"]
    }


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
    done = [record for cell, seeds in jobs for record in _done(cell, seeds)]
    values = np.array([record[field] for record in done], float)
    if not len(values):
        return None
    return Point(level, float(values.mean()), protocol.interval(values), len(values))


def ahead(first: Jobs, second: Jobs, level: float, field: str) -> tuple[float, float] | None:
    """By how much one series is ahead of another, and half the width of the 95 % interval.

    The graphs are the same for both, so it is their differences that count; None without any.
    """
    values = [
        {
            record["seed"]: record[field]
            for cell, seeds in jobs[level]
            for record in _done(cell, seeds)
        }
        for jobs in (first, second)
    ]
    both = sorted(values[0].keys() & values[1].keys())
    if not both:
        return None
    differences = np.array([values[0][seed] - values[1][seed] for seed in both])
    return float(differences.mean()), protocol.interval(differences)


def _done(cell: Cell, seeds: Sequence[int]) -> list[records.Record]:
    return protocol.ranked(cell.records(seeds))


def table(found: Mapping[str, Sequence[Point]]) -> str:
    """A row a level, a column a series: the mean over the graphs and its interval, in percent.

    Where there are fewer graphs than elsewhere, their number stands in brackets.
    """
    most = max((point.num_graphs for points in found.values() for point in points), default=0)
    levels = sorted({point.level for points in found.values() for point in points})
    by_level = {
        name: {point.level: _text(point, most) for point in points}
        for name, points in found.items()
    }
    rows = [
        [f"{level}", *(texts.get(level, "–") for texts in by_level.values())] for level in levels
    ]
    return markdown_table(["homophily", *found], rows)


def _text(point: Point, most: int) -> str:
    spread = "" if math.isnan(point.interval) else f" ± {100 * point.interval:.1f}"
    unfinished = "" if point.num_graphs == most else f" ({point.num_graphs})"
    return f"{100 * point.mean:.1f}{spread}{unfinished}"


def fresh_delta_share(num_models: int = 10) -> float:
    """The share of delta operators in models that are not trained, the mean over seeds."""
    from mixhop_tf import Architecture, build_model
    from mixhop_tf.delta import count_deltas

    architecture = Architecture.default(synthetic.NUM_CLASSES)
    sizes = synthetic.NUM_RADIAL, synthetic.NUM_CLASSES
    models = [
        build_model(architecture, *sizes, shared_first_kernel=True, seed=seed)
        for seed in range(num_models)
    ]
    return float(np.mean([count_deltas(model).share for model in models]))


def all_jobs(jobs: Mapping[str, Jobs]) -> list[Job]:
    """Those of every series and level."""
    return [job for levels in jobs.values() for some in levels.values() for job in some]


def see_all_done(jobs: Mapping[str, Jobs]) -> None:
    """Raises a `RunError` that names the first run that failed, if one did."""
    every = all_jobs(jobs)
    protocol.see_all_done([record for cell, seeds in every for record in cell.records(seeds)])


def _config(
    series: Series, level: float, seed: int, data_dir: str | None, eigenvalues: Mapping[str, float]
) -> RunConfig:
    data = DataConfig(
        dataset=f"{synthetic.name_of(level)}{series.features}",
        split=series.split,
        seed=seed,
    )
    graph = _load(data, data_dir)
    preset = experiments.preset(series.preset, data.dataset, series.model)
    eigenvalue = eigenvalues.get(graph_digest(graph))
    return RunConfig.of(
        data,
        graph,
        _architecture(series, graph, preset, eigenvalue),
        preset.settings,
        series.shared_first_kernel,
    )


def _architecture(
    series: Series, graph: datasets.Graph, preset: Preset, eigenvalue: float | None
) -> Architecture:
    from trainers import architectures, baselines

    widths = series.hidden_dims
    if series.model == "mixhop":
        options = architectures.Options(hidden_dims=widths)
        return architectures.resolve("default", graph.name, graph.num_classes, preset, options)
    given = {
        "hidden_width": None if widths is None else widths[0],
        "largest_eigenvalue": eigenvalue,
    }
    told = {name: value for name, value in given.items() if value is not None}
    return baselines.resolve(series.model, graph, preset, told)


@functools.lru_cache(maxsize=256)
def _load(data: DataConfig, data_dir: str | None) -> datasets.Graph:
    """All models are trained on the same graphs."""
    if data_dir is not None:
        missing = synthetic.missing_published(Path(data_dir), data.dataset)
        if missing:
            raise RunError(
                f"{missing} is not there; name a folder with the published graphs, or none to have "
                "graphs generated."
            )
    return data.load(data_dir)
