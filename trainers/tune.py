"""Searches learning rate, penalties and dropout for a graph by validation accuracy.

python -m trainers.tune --dataset cora               the search behind the preset `tuned`
python -m trainers.tune --dataset cora --model gat   the same, with as many runs, for a baseline
python -m trainers.tune --dataset my/folder          the same for your own graph

Settings are drawn at random, those that are known among them; all get a few runs, the best of them
more. Test labels play no part. The records are kept, and a search that was killed goes on when
given again.
"""

from __future__ import annotations

import functools
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from absl import flags

from trainers import command_line, dataset_flags, experiments, flag_help
from trainers.config import Preset, RunConfig, told
from trainers.data_config import DataConfig
from trainers.errors import RunError
from trainers.experiments import SEARCH_ROUNDS
from trainers.search import Trial, draw, search
from trainers.start_tensorflow import num_cores, start_tensorflow
from trainers.text_table import markdown_table


def define_flags() -> None:
    """Defines the flags of this command."""
    with flag_help.group("Search"):
        flags.DEFINE_enum("model", "mixhop", list(experiments.MODELS), "What to search for.")
        flags.DEFINE_string(
            "architecture",
            "default",
            "Of MixHop, as for trainers.train: a name, a notation or a JSON file.",
        )
        flags.DEFINE_integer("seed", 0, "Seed of the draw.", 0)
        flags.DEFINE_integer("workers", None, "Processes; one a core by default.", 1)
        flags.DEFINE_string("records_dir", "results/records/tuning", "Folder of the run records.")
    dataset_flags.define(default="cora", seed_flag=dataset_flags.SPLIT_SEED)


def table(trials: Sequence[Trial]) -> str:
    """The trials of the last round, validation accuracy in percent."""
    rows = [
        [
            f"{100 * trial.val_accuracy:.2f}",
            f"{trial.preset.settings.learning_rate:g}",
            f"{trial.preset.settings.l2:g}",
            f"{trial.preset.settings.lasso:g}",
            f"{trial.preset.input_dropout:g}",
            f"{trial.preset.hidden_dropout:g}",
        ]
        for trial in trials
    ]
    header = ["validation", "learning_rate", "l2", "lasso", "input_dropout", "hidden_dropout"]
    return markdown_table(header, rows)


def command(
    best: Preset, data: DataConfig, model: str, architecture: str, starts: Mapping[str, Preset]
) -> str:
    """The command that trains with what was found, as a change to one of `starts`."""
    values = {name: getattr(best.settings, name) for name in ("learning_rate", "l2", "lasso")}
    values |= {name: getattr(best, name) for name in ("input_dropout", "hidden_dropout")}
    preset = next(
        name for name, start in starts.items() if start.tuned(**values).settings == best.settings
    )
    given: dict[str, Any] = {"dataset": data.dataset, "model": model, "preset": preset}
    if model == "mixhop":
        given["architecture"] = architecture
    given |= values
    if "attention_dropout" in best.architecture:
        given["attention_dropout"] = best.architecture["attention_dropout"]
    for name, value in told(data).items():
        given[dataset_flags.SPLIT_SEED if name == "seed" else name] = value
    flags_given = (f"--{name}={shlex.quote(str(value))}" for name, value in given.items())
    return f"python -m trainers.train {' '.join(flags_given)}"


def main() -> None:
    """Searches, and prints the best."""
    data = dataset_flags.config()
    graph = data.load(flags.FLAGS.data_dir)
    model = flags.FLAGS.model
    if model != "mixhop" and flags.FLAGS["architecture"].present:
        raise RunError(f"--architecture is for MixHop, not for --model {model}; leave it out.")
    starts, space = experiments.search_starts(model, data)
    start_tensorflow(num_cores())
    from trainers.cell import Cell
    from trainers.experiment_cells import architecture_of
    from trainers.sweep import sweep

    folder = Path(flags.FLAGS.records_dir) / ("" if model == "mixhop" else model)
    path = folder / f"{data.file_stem}.jsonl"

    def cell_of(preset: Preset) -> Cell:
        architecture = architecture_of(model, flags.FLAGS.architecture, data.dataset, graph, preset)
        config = RunConfig.of(data, graph, architecture, preset.settings)
        return Cell(config, path, data_dir=flags.FLAGS.data_dir)

    trials = search(
        draw(list(starts.values()), space, SEARCH_ROUNDS[0][0], flags.FLAGS.seed),
        cell_of,
        functools.partial(sweep, num_workers=flags.FLAGS.workers),
        SEARCH_ROUNDS,
    )
    print(table(trials))
    found = command(trials[0].preset, data, model, flags.FLAGS.architecture, starts)
    print(f"\nTo train with it: {found}")


if __name__ == "__main__":
    command_line.run(main, define_flags)
