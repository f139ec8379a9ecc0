"""The flags of `trainers.stable_arch`, resolved once into a request."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from absl import flags

import datasets
import mixhop_tf
from mixhop_tf import Architecture, LearnSettings, SettingError
from mixhop_tf.cores import num_cores
from mixhop_tf.pruning.settings import StabilitySettings
from mixhop_tf.pruning.size_limit import Limit
from mixhop_tf.training.graph import check_split
from trainers.cli import adjacency_flags, data_flags, flag_help
from trainers.paper.learn_settings import learn_settings, stability_settings
from trainers.runs import run_folder, stable_folder
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import start_tensorflow


def define_flags() -> None:
    """Defines the flags of `trainers.stable_arch`."""
    start = StabilitySettings()
    with flag_help.group("Search"):
        flags.DEFINE_integer("seed", 0, "Seed of the deals, of all weights and of dropout.", 0)
        flags.DEFINE_list(
            "powers", ["0", "1", "2"], "Powers of the default architecture, with an equal share."
        )
        flags.DEFINE_integer(
            "reach", start.reach, "Greatest power that a learned architecture may have.", 0
        )
        flags.DEFINE_integer("num_hidden", 1, "Number of hidden layers.", 1)
        adjacency_flags.define()
        flags.DEFINE_integer(
            "searches",
            None,
            f"Number of networks that are trained under the lasso; by default {start.searches}, "
            "and 6 on the citation graphs.",
            1,
        )
        flags.DEFINE_integer(
            "deals",
            None,
            "Number of deals of the labelled nodes on which architectures are compared; by default "
            f"{start.deals}, and 6 on the citation graphs.",
            2,
        )
        flags.DEFINE_string(
            "budget",
            "columns=60",
            "columns=60: this many columns in each hidden layer; parameters=9000: as many columns "
            "as fit; milliseconds=2: as many as predict all nodes in this time on this machine; "
            "smallest: ten widths are compared, and the smallest network within one standard error "
            "of the best is chosen.",
        )
        flags.DEFINE_string("out", None, "Output folder; by default a new one in runs/.")
    data_flags.define(default="cora", seed_flag=data_flags.SPLIT_SEED)


@dataclasses.dataclass(frozen=True, kw_only=True)
class StableRequest:
    """The graph, the settings and the output folder."""

    graph: datasets.Graph
    data: DataConfig
    settings: LearnSettings
    stability: StabilitySettings
    sizes: tuple[int, ...]
    seed: int
    folder: Path
    content: dict[str, object]

    @classmethod
    def from_flags(cls) -> StableRequest:
        """Reads the flags, loads the graph and starts TensorFlow."""
        values = flags.FLAGS
        limit = Limit.parse(values.budget)
        data = data_flags.config()
        settings = _settings(data)
        stability = stability_settings(data)
        stability = dataclasses.replace(
            stability,
            searches=values.searches or stability.searches,
            deals=values.deals or stability.deals,
            reach=values.reach,
        )
        graph = data.load(values.data_dir)
        check_split(graph)
        content = stable_folder.identity(settings, stability, data, graph, values.seed)
        folder = Path(values.out or stable_folder.default_folder(content)).expanduser()
        run_folder.check_is_folder(folder)
        start_tensorflow(num_cores())
        return cls(
            graph=graph,
            data=data,
            settings=settings,
            stability=stability,
            sizes=limit.sizes(
                lambda size: _cost(limit.kind, size, stability.searched(settings), graph)
            ),
            seed=values.seed,
            folder=folder,
            content=content,
        )


def _settings(data: DataConfig) -> LearnSettings:
    values, start = flags.FLAGS, learn_settings(data)
    try:
        powers = tuple(int(text) for text in values.powers)
    except ValueError:
        rule = "takes numbers separated by commas"
        raise SettingError("powers", rule, tuple(values.powers)) from None
    return dataclasses.replace(
        start,
        powers=powers,
        num_hidden=values.num_hidden,
        adjacency=adjacency_flags.adjacency(start.adjacency),
        jumping=bool(values.jumping),
    )


def _cost(kind: str, size: int, settings: LearnSettings, graph: datasets.Graph) -> float:
    """What a network of this width costs that has all powers."""
    architecture = Architecture.default(
        graph.num_classes,
        settings.powers,
        hidden_dims=[size] * settings.num_hidden,
        adjacency=settings.adjacency,
        jumping=settings.jumping,
    )
    if kind == "parameters":
        return architecture.num_parameters(graph.num_features, graph.num_classes)
    return mixhop_tf.prediction_milliseconds(architecture, graph)
