"""Learns which powers of the adjacency deserve how many columns, then trains what it found.

python -m trainers.learn_arch --dataset cora                   the five stages of the paper
python -m trainers.learn_arch --dataset my/folder              the same for your own graph
python -m trainers.learn_arch --dataset cora --lasso auto      tries several lasso coefficients
python -m trainers.learn_arch --dataset cora --budget columns=30,14 --width 100

1 a wide network; 2 trained under a group lasso; 3 the importance of each column measured at the
peak of validation accuracy; 4 what matters least removed; 5 the rest trained again with plain L2,
or on a random split with the settings that were found for it.
The folder holds architecture.json and its picture, norms.npz and their picture, a record of each
stage, and the trained model as model.keras and saved_model/. A search that was killed goes on at
the stage it was in when given again.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from absl import flags

from datasets import splits
from trainers import (
    command_line,
    dataset_flags,
    experiments,
    flag_help,
    records,
    settings_flags,
)
from trainers.config import Preset, graph_digest
from trainers.data_config import DataConfig, file_stem
from trainers.errors import RunError
from trainers.learn_config import IMPORTANCES, NOT_ASKED, RESTARTS, LearnConfig
from trainers.runs import graph_line
from trainers.start_tensorflow import num_cores, start_tensorflow
from trainers.text_table import markdown_table

if TYPE_CHECKING:
    from trainers.learning import LearnedArchitecture

AUTO = "auto"
WIDE, RETRAIN = "wide_", "retrain_"
OTHER = "my/folder"  # stands for any graph that is no citation graph


def define_flags() -> None:
    """Defines the flags of this command."""
    default, many = experiments.LEARNING, experiments.learning("cora", many_labels=True)
    with flag_help.group("Search"):
        flags.DEFINE_integer("seed", 0, "Seed of all weights and of dropout.", 0)
        flags.DEFINE_integer("width", default.width, "Columns for each power at each layer.", 1)
        flags.DEFINE_integer("num_hidden", default.num_hidden, "Hidden layers.", 1)
        flags.DEFINE_list("powers", list(map(str, default.powers)), "Powers of the adjacency.")
        flags.DEFINE_list(
            "lasso",
            None,
            "Coefficient of the group lasso. Of several the one is taken whose architecture, "
            f"retrained, has the best validation accuracy; {AUTO} tries "
            f"{_listed(experiments.lasso_path('cora'))} on the citation graphs, "
            f"{_listed(experiments.lasso_path('cora', many_labels=True))} on random splits of "
            f"these with {splits.PER_CLASS} nodes a class, and "
            f"{_listed(experiments.lasso_path(OTHER))} on others. By default "
            f"{_listed(default.lassos)}, {_listed(many.lassos)} (Pubmed: "
            f"{_listed(experiments.learning('pubmed', many_labels=True).lassos)}) and "
            f"{_listed(experiments.learning(OTHER).lassos)}.",
        )
        flags.DEFINE_enum(
            "importance",
            None,
            IMPORTANCES,
            "What decides which columns stay: norm: their L2 norm, as in the paper; effect: the "
            "norm times how much their power lets through; loss: how much the validation loss "
            f"would rise without them, to first order. By default {default.importance} for the "
            f"citation graphs and {experiments.learning(OTHER).importance} for others.",
        )
        flags.DEFINE_string(
            "budget",
            default.budget,
            "What may stay: baseline (60 columns in each hidden layer; at the output what "
            "survives, at most a group of columns for each power), columns=60 or columns=60,14 "
            "(layer by layer), parameters=90000, or percentile=90.",
        )
        flags.DEFINE_enum(
            "restart", default.restart, RESTARTS, "Weights that retraining starts from."
        )
        flags.DEFINE_integer(
            "runs", default.runs, "Retrainings from --seed on; the best by validation is kept.", 1
        )
        flags.DEFINE_string("out", None, "Folder to write; by default a new one in runs/.")
        flags.DEFINE_bool("save_model", True, "Write model.keras and saved_model/.")
    dataset_flags.define(default="cora", seed_flag=dataset_flags.SPLIT_SEED)
    with flag_help.group("Training of the wide network (unless given, as suits the graph)"):
        _define_preset(WIDE, ("lasso", "selection", *NOT_ASKED))
    with flag_help.group(
        "Retraining (unless given, as the presets l2, tuned-random and general say)"
    ):
        _define_preset(RETRAIN, ("lasso", "lasso_kind", "selection", *NOT_ASKED))


def _listed(numbers: tuple[float, ...]) -> str:
    return ",".join(f"{number:g}" for number in numbers)


def _define_preset(prefix: str, leave_out: tuple[str, ...]) -> None:
    """Defines the flags of a training."""
    settings_flags.define_settings(prefix, leave_out)
    for name, what in (("input_dropout", "feature"), ("hidden_dropout", "hidden")):
        flags.DEFINE_float(f"{prefix}{name}", None, f"Share of the {what} entries dropped.")


def _preset(start: Preset, prefix: str) -> Preset:
    """`start` with what the flags say otherwise."""
    rates: dict[str, Any] = {}
    for name in ("input_dropout", "hidden_dropout"):
        rate = getattr(flags.FLAGS, prefix + name)
        if rate is not None:
            rates[name] = rate
            if not 0 <= rate < 1:
                raise RunError(f"--{prefix}{name} must be at least 0 and less than 1, not {rate}.")
    settings = settings_flags.given_settings(start.settings, prefix)
    return dataclasses.replace(start, settings=settings, **rates)


def config(data: DataConfig) -> LearnConfig:
    """What the flags ask for."""
    values, start = flags.FLAGS, experiments.learning(data.dataset, data.many_labels)
    return LearnConfig(
        powers=_numbers("powers", int),
        num_hidden=values.num_hidden,
        width=values.width,
        wide=_preset(start.wide, WIDE),
        lassos=_lassos(data, start),
        importance=values.importance or start.importance,
        budget=values.budget,
        restart=values.restart,
        retrain=_preset(start.retrain, RETRAIN),
        runs=values.runs,
    )


def _lassos(data: DataConfig, start: LearnConfig) -> tuple[float, ...]:
    if flags.FLAGS.lasso is None:
        return start.lassos
    if flags.FLAGS.lasso == [AUTO]:
        return experiments.lasso_path(data.dataset, data.many_labels)
    return _numbers("lasso", float)


def _numbers(flag: str, kind: Any) -> tuple[Any, ...]:
    texts = getattr(flags.FLAGS, flag)
    try:
        return tuple(kind(text) for text in texts)
    except ValueError:
        also = f", or {AUTO}" if flag == "lasso" else ""
        raise RunError(
            f"--{flag} takes numbers separated by commas{also}, not {','.join(texts)!r}."
        ) from None


def main() -> None:
    """Turns the flags into a config, and learns."""
    data = dataset_flags.config()
    asked = config(data)
    graph = data.load(flags.FLAGS.data_dir)
    start_tensorflow(num_cores())
    from trainers import learn_folder
    from trainers.learning import learn_architecture

    asked.wide_run(data, graph, asked.lassos[0])  # sees that there is a split to train on
    seed = flags.FLAGS.seed
    content = {
        "data": dataclasses.asdict(data),
        "digest": graph_digest(graph),
        "seed": seed,
        **asked.to_dict(),
    }
    folder = Path(flags.FLAGS.out or _default_folder(data.dataset, content)).expanduser()
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file; choose another --out.")
    with records.exclusive(folder):
        learn_folder.open_folder(folder, content)
        say = functools.partial(print, flush=True)
        say(graph_line(graph))
        learned = learn_architecture(graph, asked, seed=seed, data=data, folder=folder, say=say)
        learn_folder.write(folder, learned, graph, flags.FLAGS.save_model)
    if len(learned.searches) > 1:
        print(table(learned))
    print(f"wrote {folder}")


def table(learned: LearnedArchitecture) -> str:
    """What each coefficient gave, validation accuracy in percent; the chosen one is marked."""
    rows = []
    for search, found in learned.searches:
        mean = sum(record["val_accuracy"] for record in found) / len(found)
        widths = " then ".join(str(list(layer.dims)) for layer in search.architecture.layers)
        chosen = " *" * (search.lasso == learned.search.lasso)
        wide = f"{100 * search.record['val_accuracy']:.2f}"
        rows.append([f"{search.lasso:g}{chosen}", wide, widths, f"{100 * mean:.2f}"])
    return markdown_table(["lasso", "wide", "architecture", "retrained"], rows)


def _default_folder(dataset: str, content: dict[str, Any]) -> str:
    # More runs or coefficients go into the same folder.
    told = {name: value for name, value in content.items() if name not in ("lassos", "runs")}
    key = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:8]
    return f"runs/learned-{file_stem(dataset)}-{key}-seed{content['seed']}"


if __name__ == "__main__":
    command_line.run(main, define_flags)
