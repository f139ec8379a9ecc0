"""Searches for the learning rate, penalties and dropout with the best validation accuracy.

python -m trainers.tune --dataset cora               the search behind the preset `tuned`
python -m trainers.tune --dataset cora --model gat   a search of the same size for a baseline
python -m trainers.tune --dataset my/folder          a search for your own graph

The command tries known settings and random ones. Each gets a few runs, and the best get more. Test
labels are not used. If the command is interrupted, run it again: it continues where it stopped.
"""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

from absl import flags

import datasets
from mixhop_tf import SettingError
from mixhop_tf.cores import num_cores
from trainers.cli import (
    adjacency_flags,
    app,
    batch_flags,
    data_flags,
    engine_flags,
    flag_help,
    settings_flags,
)
from trainers.cli.train_command import train_command
from trainers.cli.train_request import check_direction
from trainers.paper import presets
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.graphs import Graphs
from trainers.paper.preset import Preset
from trainers.paper.tuning import ROUNDS, draw, tune, tuned_names, tuning_starts
from trainers.reporting.tuning_table import table
from trainers.sweeps.cell import Cell
from trainers.sweeps.data_config import is_known
from trainers.sweeps.sweep import sweep
from trainers.sweeps.tensorflow import start_tensorflow

_OF_CLASSES = ("select_by", "class_weight")


def define_flags() -> None:
    """Defines the flags of this command."""
    with flag_help.group("Search"):
        flags.DEFINE_enum("model", "mixhop", list(presets.MODELS), "Model to tune.")
        flags.DEFINE_string(
            "architecture",
            "default",
            "Architecture of MixHop, as for trainers.train: a name, a notation or a JSON file.",
        )
        adjacency_flags.define()
        flags.DEFINE_integer("seed", 0, "Seed of the random settings.", 0)
        flags.DEFINE_integer("workers", None, "Processes; by default one per core.", 1)
        engine_flags.define()
        flags.DEFINE_string(
            "records_dir",
            None,
            "Folder of the run records; by default results/records/tuning for the known graphs "
            "and runs/tuning for your own.",
        )
        settings_flags.define(only=_OF_CLASSES)
        batch_flags.define(batch_flags.AUTO)
    data_flags.define(default="cora", seed_flag=data_flags.SPLIT_SEED)


def _with_classes(start: Preset) -> Preset:
    """The preset with the metric and the weights of classes that the flags name."""
    settings = settings_flags.given(start.settings, only=_OF_CLASSES)
    return dataclasses.replace(start, settings=settings)


def _fitted(
    starts: dict[str, Preset], graph: datasets.Graph, request: ArchitectureRequest, dataset: str
) -> tuple[dict[str, Preset], int | None]:
    """The presets with the batches of the flag, and the number of workers that memory allows.

    Both are chosen for the first preset.
    """
    workers = flags.FLAGS.workers
    first = next(iter(starts.values()))
    architecture = request.resolve(dataset, graph.num_classes, first, lambda: 2.0)
    settings, line = batch_flags.given(first.settings, graph, architecture, "a run")
    fewer = None
    if workers is None and flags.FLAGS.engine == engine_flags.LOCAL:
        fitting, fewer = batch_flags.runs_at_once(settings, graph, architecture, num_cores())
        workers = fitting if fewer else None
    for text in (line, fewer, batch_flags.note(settings, graph)):
        if text:
            print(text, flush=True)
    fitted = {
        name: dataclasses.replace(
            start, settings=dataclasses.replace(start.settings, batches=settings.batches)
        )
        for name, start in starts.items()
    }
    return fitted, workers


def main() -> None:
    """Tunes the settings and prints the best."""
    values = flags.FLAGS
    data, model = data_flags.config(), values.model
    if model != "mixhop" and values["architecture"].present:
        rule = f"works only with MixHop, not with --model {model}; leave it out"
        raise SettingError("architecture", rule, values.architecture)
    check_direction(model, values.direction)
    engine = engine_flags.engine()
    starts, space = tuning_starts(model, data)
    starts = {name: _with_classes(start) for name, start in starts.items()}
    start_tensorflow(num_cores())
    graphs = Graphs(values.data_dir)
    name = values.architecture if model == "mixhop" else None
    request = ArchitectureRequest(
        model=model, name=name, adjacency=adjacency_flags.adjacency, jumping=values.jumping
    )
    if request.reads_directions:
        data = dataclasses.replace(data, directed=True)
    starts, workers = _fitted(starts, graphs.load(data), request, data.dataset)
    default = "results/records/tuning" if is_known(data.dataset) else "runs/tuning"
    folder = Path(values.records_dir or default) / ("" if model == "mixhop" else model)
    path = folder / f"{data.file_stem}.jsonl"

    def cell_of(preset: Preset) -> Cell:
        return Cell(graphs.config(data, request, preset), path, data_dir=values.data_dir)

    trials = tune(
        draw(list(starts.values()), space, ROUNDS[0][0], values.seed),
        cell_of,
        functools.partial(sweep, num_workers=workers, engine=engine),
        ROUNDS,
    )
    print(table(trials, tuned_names(model)))
    names = (*_OF_CLASSES, *adjacency_flags.NAMES)
    given = {name: values[name].value for name in names if values[name].present}
    if trials[0].preset.settings.batches:
        given[batch_flags.NAME] = trials[0].preset.settings.batches
    command = train_command(trials[0].preset, data, model, values.architecture, starts, given)
    print(f"\nTo train with the best settings: {command}")


if __name__ == "__main__":
    app.run(main, define_flags)
