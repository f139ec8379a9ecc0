"""What `trainers.learn_arch` is asked for: the flags, resolved once."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from absl import flags

import datasets
from datasets import splits
from mixhop_tf import LearnSettings, Recipe, SettingError
from mixhop_tf.pruning.settings import IMPORTANCES, RESTARTS
from mixhop_tf.training.graph import check_split
from mixhop_tf.training.settings import check_rate
from trainers.cli import data_flags, export_flags, flag_help, settings_flags
from trainers.paper.cells import random_split
from trainers.paper.learn_settings import lasso_path, learn_settings
from trainers.runs import learn_folder, run_folder
from trainers.runs.files import Export
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import num_cores, start_tensorflow

AUTO = "auto"
_WIDE, _RETRAIN = "wide_", "retrain_"
_UNFLAGGED = ("optimizer", "patience_for", "selection", "lasso")
_DROPOUTS = {"input_dropout": "feature", "hidden_dropout": "hidden"}

# Stand for all graphs of their kind in the help.
_CITATION = DataConfig(dataset="cora")
_OTHER = DataConfig(dataset="my/folder")


def define_flags() -> None:
    """Defines the flags of `trainers.learn_arch`."""
    default = learn_settings(_CITATION)
    with flag_help.group("Search"):
        flags.DEFINE_integer("seed", 0, "Seed of all weights and of dropout.", 0)
        flags.DEFINE_integer("width", default.width, "Columns for each power at each layer.", 1)
        flags.DEFINE_integer("num_hidden", default.num_hidden, "Hidden layers.", 1)
        flags.DEFINE_list("powers", list(map(str, default.powers)), "Powers of the adjacency.")
        flags.DEFINE_list("lasso", None, _lasso_help())
        flags.DEFINE_enum(
            "importance",
            None,
            IMPORTANCES,
            "What decides which columns stay: norm: their L2 norm, as in the paper; effect: the "
            "norm times how much their power lets through; loss: how much the validation loss "
            f"would rise without them, to first order. By default {default.importance} for the "
            f"citation graphs and {learn_settings(_OTHER).importance} for others.",
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
        export_flags.define()
    data_flags.define(default="cora", seed_flag=data_flags.SPLIT_SEED)
    with flag_help.group("Training of the wide network (unless given, as suits the graph)"):
        _define_recipe(_WIDE, _UNFLAGGED)
    with flag_help.group(
        "Retraining (unless given, as the presets l2, tuned-random and general say)"
    ):
        _define_recipe(_RETRAIN, (*_UNFLAGGED, "lasso_kind"))


def _lasso_help() -> str:
    kinds = _CITATION, random_split("cora"), _OTHER
    paths = [_listed(lasso_path(data)) for data in kinds]
    defaults = [_listed(learn_settings(data).lassos) for data in kinds]
    return (
        "Coefficient of the group lasso. Of several the one is taken whose architecture, "
        f"retrained, has the best validation accuracy; {AUTO} tries {paths[0]} on the citation "
        f"graphs, {paths[1]} on random splits of these with {splits.PER_CLASS} nodes a class, and "
        f"{paths[2]} on others. By default {defaults[0]}, {defaults[1]} (Pubmed: "
        f"{_listed(learn_settings(random_split('pubmed')).lassos)}) and {defaults[2]}."
    )


def _listed(numbers: tuple[float, ...]) -> str:
    return ",".join(f"{number:g}" for number in numbers)


def _define_recipe(prefix: str, leave_out: tuple[str, ...]) -> None:
    """Defines the flags of a training."""
    settings_flags.define(prefix, leave_out)
    for name, what in _DROPOUTS.items():
        flags.DEFINE_float(f"{prefix}{name}", None, f"Share of the {what} entries dropped.")


def _recipe(start: Recipe, prefix: str) -> Recipe:
    """`start` with the values of the flags that were given."""
    rates: dict[str, Any] = {}
    for name in _DROPOUTS:
        rate = flags.FLAGS[prefix + name].value
        if rate is not None:
            check_rate(prefix + name, rate)
            rates[name] = rate
    settings = settings_flags.given(start.settings, prefix)
    return dataclasses.replace(start, settings=settings, **rates)


def settings_from_flags(data: DataConfig) -> LearnSettings:
    """What decides the learned architecture."""
    values, start = flags.FLAGS, learn_settings(data)
    return LearnSettings(
        powers=_numbers("powers", int),
        num_hidden=values.num_hidden,
        width=values.width,
        wide=_recipe(start.wide, _WIDE),
        lassos=_lassos(data, start),
        importance=values.importance or start.importance,
        budget=values.budget,
        restart=values.restart,
        retrain=_recipe(start.retrain, _RETRAIN),
        runs=values.runs,
    )


def _lassos(data: DataConfig, start: LearnSettings) -> tuple[float, ...]:
    if flags.FLAGS.lasso is None:
        return start.lassos
    if flags.FLAGS.lasso == [AUTO]:
        return lasso_path(data)
    return _numbers("lasso", float)


def _numbers(flag: str, kind: Any) -> tuple[Any, ...]:
    texts = getattr(flags.FLAGS, flag)
    try:
        return tuple(kind(text) for text in texts)
    except ValueError:
        also = f", or {AUTO}" if flag == "lasso" else ""
        raise SettingError(flag, f"takes numbers separated by commas{also}", tuple(texts)) from None


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearnRequest:
    """On which graph to learn, how, and where the results go."""

    graph: datasets.Graph
    data: DataConfig
    settings: LearnSettings
    seed: int
    content: dict[str, Any]
    folder: Path
    export: Export | None

    @classmethod
    def from_flags(cls) -> LearnRequest:
        """Reads the flags, loads the graph and starts TensorFlow."""
        values = flags.FLAGS
        data = data_flags.config()
        settings = settings_from_flags(data)
        graph = data.load(values.data_dir)
        check_split(graph, settings.wide.settings.selection)
        content = learn_folder.settings_dict(settings, data, graph, values.seed)
        folder = Path(values.out or learn_folder.default_folder(content)).expanduser()
        run_folder.check_is_folder(folder)
        start_tensorflow(num_cores())
        return cls(
            graph=graph,
            data=data,
            settings=settings,
            seed=values.seed,
            content=content,
            folder=folder,
            export=export_flags.export(),
        )
