"""The flags of `trainers.learn_arch`, resolved once into a request."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from absl import flags

import datasets
import mixhop_tf
from datasets import splits
from mixhop_tf import Architecture, LearnSettings, Recipe, SettingError
from mixhop_tf.cores import num_cores
from mixhop_tf.pruning.settings import IMPORTANCES, RESTARTS
from mixhop_tf.training.graph import check_split
from mixhop_tf.training.settings import check_rate
from trainers.cli import (
    adjacency_flags,
    batch_flags,
    data_flags,
    engine_flags,
    export_flags,
    flag_help,
    group_flags,
    settings_flags,
)
from trainers.paper.cells import random_split
from trainers.paper.learn_settings import lasso_path, learn_settings
from trainers.runs import learn_folder, run_folder
from trainers.runs.files import Export
from trainers.sweeps import records
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import start_tensorflow

if TYPE_CHECKING:
    from mixhop_tf.distributed.group import Group

AUTO = "auto"
_WIDE, _RETRAIN = "wide_", "retrain_"
_UNFLAGGED = ("optimizer", "patience_for", "selection", "lasso", *settings_flags.OF_CLASSES)
# The wide network gives no answers: it has neither temperature nor threshold.
_OF_CLASSES = {_WIDE: ("select_by", "class_weight"), _RETRAIN: settings_flags.OF_CLASSES}
_DROPOUTS = {"input_dropout": "feature", "hidden_dropout": "hidden"}

# Examples of each kind of graph, from which the help takes its defaults.
_CITATION = DataConfig(dataset="cora")
_OTHER = DataConfig(dataset="my/folder")


def define_flags() -> None:
    """Defines the flags of `trainers.learn_arch`."""
    default = learn_settings(_CITATION)
    with flag_help.group("Search"):
        flags.DEFINE_integer("seed", 0, "Seed of all weights and of dropout.", 0)
        flags.DEFINE_integer(
            "width", default.width, "Columns of each power in each layer of the wide network.", 1
        )
        flags.DEFINE_integer("num_hidden", default.num_hidden, "Number of hidden layers.", 1)
        flags.DEFINE_list("powers", list(map(str, default.powers)), "Powers of the adjacency.")
        adjacency_flags.define()
        flags.DEFINE_list("lasso", None, _lasso_help())
        flags.DEFINE_enum(
            "importance",
            None,
            IMPORTANCES,
            "How the importance of a column is measured. norm: by its L2 norm, as in the paper; "
            "effect: by its norm times how much its power lets through; loss: by how much the "
            "validation loss would rise without it, to first order. By default "
            f"{default.importance} for the citation graphs and "
            f"{learn_settings(_OTHER).importance} for others.",
        )
        flags.DEFINE_string(
            "budget",
            default.budget,
            "How much stays. baseline: 60 columns in each hidden layer, and at the output the "
            "columns that survive the lasso, at most one group per power; columns=60 or "
            "columns=60,14: this many columns, layer by layer; parameters=90000; percentile=90.",
        )
        flags.DEFINE_enum(
            "restart",
            default.restart,
            RESTARTS,
            "Weights that retraining starts from. fresh: new random weights; surviving: the "
            "weights of the columns that stay.",
        )
        flags.DEFINE_integer(
            "runs",
            default.runs,
            "Number of retrainings, with seeds from --seed on; the best by validation is kept.",
            1,
        )
        settings_flags.define(only=settings_flags.OF_CLASSES)
        batch_flags.define(batch_flags.AUTO)
        flags.DEFINE_integer(
            "workers",
            None,
            "Processes that train every network together, each with some rows of the graph.",
            1,
        )
        engine_flags.define("several workers run")
        group_flags.define()
        flags.DEFINE_string("out", None, "Output folder; by default a new one in runs/.")
        export_flags.define()
    data_flags.define(default="cora", seed_flag=data_flags.SPLIT_SEED)
    with flag_help.group("Training of the wide network (the defaults depend on the graph)"):
        _define_recipe(_WIDE, _UNFLAGGED)
    with flag_help.group(
        "Retraining (the defaults come from the presets l2, tuned-random and general)"
    ):
        _define_recipe(_RETRAIN, (*_UNFLAGGED, "lasso_kind"))


def _lasso_help() -> str:
    kinds = _CITATION, random_split("cora"), _OTHER
    paths = [_listed(lasso_path(data)) for data in kinds]
    defaults = [_listed(learn_settings(data).lassos) for data in kinds]
    return (
        "Coefficient of the group lasso, or several separated by commas. Of several, the one whose "
        f"retrained architecture has the best validation accuracy is kept. {AUTO} tries "
        f"{paths[0]} on the citation graphs, {paths[1]} on their random splits with "
        f"{splits.PER_CLASS} nodes per class, and {paths[2]} on other graphs. The defaults are "
        f"{defaults[0]}, {defaults[1]} (Pubmed: "
        f"{_listed(learn_settings(random_split('pubmed')).lassos)}) and {defaults[2]}."
    )


def _listed(numbers: tuple[float, ...]) -> str:
    return ",".join(f"{number:g}" for number in numbers)


def _define_recipe(prefix: str, leave_out: tuple[str, ...]) -> None:
    """Defines the flags of a training."""
    settings_flags.define(prefix, leave_out)
    for name, what in _DROPOUTS.items():
        flags.DEFINE_float(f"{prefix}{name}", None, f"Share of the {what} values to drop.")


def _recipe(start: Recipe, prefix: str) -> Recipe:
    """`start` with the values of the flags that were given."""
    rates: dict[str, Any] = {}
    for name in _DROPOUTS:
        rate = flags.FLAGS[prefix + name].value
        if rate is not None:
            check_rate(prefix + name, rate)
            rates[name] = rate
    settings = settings_flags.given(start.settings, only=_OF_CLASSES[prefix])
    settings = settings_flags.given(settings, prefix)
    return dataclasses.replace(start, settings=settings, **rates)


def settings_from_flags(data: DataConfig) -> LearnSettings:
    """The settings for learning an architecture."""
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
        adjacency=adjacency_flags.adjacency(start.adjacency),
        jumping=bool(values.jumping),
    )


def _with_batches(
    settings: LearnSettings, graph: datasets.Graph, group: Group | None
) -> LearnSettings:
    """The settings with the batches of the flag, chosen for each of the two trainings."""
    wide = settings.wide_architecture(graph.num_classes)
    small = Architecture.default(graph.num_classes)
    recipes = {}
    for name, architecture, what in (
        ("wide", wide, "training of the wide network"),
        ("retrain", small, "retraining"),
    ):
        recipe = getattr(settings, name)
        chosen, line = batch_flags.given(recipe.settings, graph, architecture, what, group)
        if line:
            print(line, flush=True)
        recipes[name] = dataclasses.replace(recipe, settings=chosen)
    note = batch_flags.note(recipes["wide"].settings, graph)
    if note:
        print(note, flush=True)
    return dataclasses.replace(settings, **recipes)


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
    """The graph, the settings for learning, and the output folder."""

    graph: datasets.Graph
    data: DataConfig
    settings: LearnSettings
    seed: int
    content: dict[str, Any]
    folder: Path
    export: Export | None
    group: Group | None = None

    @classmethod
    def from_flags(cls) -> LearnRequest:
        """Reads the flags, loads the graph and starts TensorFlow."""
        values = flags.FLAGS
        if values["engine"].present and not values.join:
            rule = "works only with several --workers; leave it out"
            raise SettingError("engine", rule, values.engine)
        data = data_flags.config()
        settings = settings_from_flags(data)
        graph = data.load(values.data_dir)
        check_split(graph, settings.wide.settings.selection)
        group = group_flags.group()
        settings = _with_batches(settings, graph, group)
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
            group=group,
        )

    @property
    def writes(self) -> bool:
        """Whether this process writes files; of several workers, only the chief does."""
        return self.group is None or self.group.is_chief

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Opens the folder for this process alone; workers wait for the chief at the end."""
        if self.writes:
            with records.exclusive(self.folder):
                learn_folder.open_folder(self.folder, self.content)
                yield
        else:
            yield
        if self.group is not None:
            self.group.barrier()

    def write(self, learned: mixhop_tf.LearnedArchitecture) -> None:
        """Writes the outcome."""
        if self.writes:
            learn_folder.write(self.folder, learned, self.settings, self.data, self.export)
