"""Searches learning rate, penalties and dropout for a graph by validation accuracy.

python -m trainers.tune --dataset cora               the search behind the preset `tuned`
python -m trainers.tune --dataset cora --model gat   the same, with as many runs, for a baseline
python -m trainers.tune --dataset my/folder          the same for your own graph

Settings are drawn at random, those that are known among them; all get a few runs, the best of them
more. Test labels play no part. The records are kept: if the command is killed, give it again, and
it goes on.
"""

from __future__ import annotations

import functools
from pathlib import Path

from absl import flags

from mixhop_tf import SettingError
from trainers.cli import app, data_flags, flag_help
from trainers.cli.train_command import train_command
from trainers.paper import presets
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.graphs import Graphs
from trainers.paper.preset import Preset
from trainers.paper.tuning import ROUNDS, draw, tune, tuning_starts
from trainers.reporting.tuning_table import table
from trainers.sweeps.cell import Cell
from trainers.sweeps.data_config import is_known
from trainers.sweeps.sweep import sweep
from trainers.sweeps.tensorflow import num_cores, start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    with flag_help.group("Search"):
        flags.DEFINE_enum("model", "mixhop", list(presets.MODELS), "What to search for.")
        flags.DEFINE_string(
            "architecture",
            "default",
            "Of MixHop, as for trainers.train: a name, a notation or a JSON file.",
        )
        flags.DEFINE_integer("seed", 0, "Seed of the draw.", 0)
        flags.DEFINE_integer("workers", None, "Processes; one a core by default.", 1)
        flags.DEFINE_string(
            "records_dir",
            None,
            "Folder of the run records; by default results/records/tuning for the known graphs, "
            "and runs/tuning for your own.",
        )
    data_flags.define(default="cora", seed_flag=data_flags.SPLIT_SEED)


def main() -> None:
    """Tunes, and prints the best."""
    values = flags.FLAGS
    data, model = data_flags.config(), values.model
    if model != "mixhop" and values["architecture"].present:
        rule = f"is for MixHop, not for --model {model}; leave it out"
        raise SettingError("architecture", rule, values.architecture)
    starts, space = tuning_starts(model, data)
    start_tensorflow(num_cores())
    graphs = Graphs(values.data_dir)
    name = values.architecture if model == "mixhop" else None
    request = ArchitectureRequest(model=model, name=name)
    default = "results/records/tuning" if is_known(data.dataset) else "runs/tuning"
    folder = Path(values.records_dir or default) / ("" if model == "mixhop" else model)
    path = folder / f"{data.file_stem}.jsonl"

    def cell_of(preset: Preset) -> Cell:
        return Cell(graphs.config(data, request, preset), path, data_dir=values.data_dir)

    trials = tune(
        draw(list(starts.values()), space, ROUNDS[0][0], values.seed),
        cell_of,
        functools.partial(sweep, num_workers=values.workers),
        ROUNDS,
    )
    print(table(trials))
    command = train_command(trials[0].preset, data, model, values.architecture, starts)
    print(f"\nTo train with it: {command}")


if __name__ == "__main__":
    app.run(main, define_flags)
