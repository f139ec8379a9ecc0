"""The flags of `trainers.train`, resolved once into a request."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from absl import flags

import datasets
import mixhop_tf
from mixhop_tf import Architecture, SettingError
from mixhop_tf.cores import num_cores
from mixhop_tf.methods import Method
from mixhop_tf.training.auto import Candidate, Choice
from mixhop_tf.training.selection import RULES
from trainers.cli import (
    auto_request,
    batch_flags,
    data_flags,
    engine_flags,
    export_flags,
    flag_help,
    group_flags,
    model_flags,
    settings_flags,
)
from trainers.cli.lines import graph_line
from trainers.paper import presets
from trainers.paper.architectures import check_memory
from trainers.paper.graphs import largest_eigenvalue
from trainers.paper.preset import Preset
from trainers.runs import auto_search, run_folder
from trainers.runs.files import Export
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import AnyArchitecture, RunConfig, key_settings
from trainers.sweeps.data_config import DataConfig, file_stem
from trainers.sweeps.engine import POOL, Engine
from trainers.sweeps.tensorflow import start_tensorflow

if TYPE_CHECKING:
    from mixhop_tf.distributed.group import Group


def define_flags() -> None:
    """Defines the flags of `trainers.train`."""
    with flag_help.group("Runs"):
        flags.DEFINE_integer("seed", 0, "Seed of the weights and of dropout.", 0)
        flags.DEFINE_integer("runs", 1, "Number of runs, with seeds from --seed on.", 1)
        flags.DEFINE_integer(
            "workers",
            None,
            "Processes. Several runs are divided among them; by default there is one per core. A "
            "single run is made by all of them together, each with some rows of the graph.",
            1,
        )
        engine_flags.define("several runs are made")
        group_flags.define()
        flags.DEFINE_string("out", None, "Output folder; by default a new one in runs/.")
        export_flags.define()
    data_flags.define(default="cora", seed_flag=data_flags.SPLIT_SEED)
    model_flags.define()
    with flag_help.group("Search for settings"):
        auto_request.define()


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrainRequest:
    """The graph, the model, the settings, the seeds, and the output folder."""

    graph: datasets.Graph
    preset_name: str
    preset: Preset
    architecture: AnyArchitecture
    config: RunConfig
    folder: Path
    seeds: range
    workers: int | None
    engine: Engine
    export: Export | None
    data_dir: str | None
    candidates: tuple[Candidate, ...] = ()
    group: Group | None = None

    @classmethod
    def from_flags(cls) -> TrainRequest:
        """Reads the flags, loads the graph and starts TensorFlow."""
        values = flags.FLAGS
        if values.join and values.runs > 1:
            raise SettingError("join", "works only with a single run; leave out --runs")
        if values["engine"].present and values.runs == 1 and not values.join:
            rule = "works only with several --runs, or with several --workers; leave it out"
            raise SettingError("engine", rule, values.engine)
        engine = POOL if values.join else engine_flags.engine()
        data, request = data_flags.config(), model_flags.architecture_request()
        check_direction(request.model, values.direction)
        if request.reads_directions:
            data = dataclasses.replace(data, directed=True)
        name = values.preset or _default_preset(request.model, data)
        if values.join and name == presets.AUTO:
            rule = f"must not be {presets.AUTO} with several workers, which do not search"
            raise SettingError("preset", f"{rule}; name another, such as general")
        preset = presets.preset(name, data.dataset, request.model)
        settings = settings_flags.given(preset.settings)
        if request.model not in presets.MIXHOPS and settings.lasso_kind != "gradient":
            rule = f"works only with MixHop, not with --model {request.model}; leave it out"
            raise SettingError("lasso_kind", rule, settings.lasso_kind)
        graph = data.load(values.data_dir)
        group = group_flags.group()
        start_tensorflow(num_cores())
        architecture = request.resolve(
            data.dataset, graph.num_classes, preset, lambda: largest_eigenvalue(graph)
        )
        candidates: tuple[Candidate, ...] = ()
        if name == presets.AUTO:
            candidates = tuple(auto_request.candidates(request, data.dataset, graph, preset))
            architecture, settings = candidates[0].architecture, candidates[0].settings
        settings, line = batch_flags.given(settings, graph, architecture, group=group)
        if line:
            print(line, flush=True)
        candidates = tuple(_with_batches(each, settings.batches) for each in candidates)
        num_nodes = 1 if settings.batches or group else graph.num_nodes
        check_memory(architecture, graph.num_classes, graph.num_features, num_nodes)
        mixhop_tf.check_activations(architecture)
        shared = _shared_first_kernel(architecture)
        config = RunConfig.of(data, graph, architecture, settings, shared)
        seeds = range(values.seed, values.seed + values.runs)
        folder = values.out or _default_folder(config, request.model, name, seeds)
        return cls(
            graph=graph,
            preset_name=name,
            preset=preset,
            architecture=architecture,
            config=config,
            folder=Path(folder).expanduser(),
            seeds=seeds,
            workers=values.workers,
            engine=engine,
            export=None if isinstance(architecture, Method) else export_flags.export(),
            data_dir=values.data_dir,
            candidates=candidates,
            group=group,
        )

    def searched(self) -> tuple[TrainRequest, Choice]:
        """Searches among the candidates; returns the request with the choice, and the choice."""
        run_folder.check_usable(self.folder)
        config = self.config
        choice = auto_search.search(
            self.graph,
            self.candidates,
            self.folder,
            seed=self.seeds[0],
            scaling=config.data.scaling_of(self.graph),
            work=auto_request.work(),
        )
        chosen = choice.candidate
        config = RunConfig.of(config.data, self.graph, chosen.architecture, chosen.settings)
        return dataclasses.replace(self, architecture=chosen.architecture, config=config), choice

    @property
    def writes(self) -> bool:
        """Whether this process writes files; of several workers, only the chief does."""
        return self.group is None or self.group.is_chief

    @property
    def single(self) -> bool:
        """Whether this is a single run."""
        return len(self.seeds) == 1

    @property
    def cell(self) -> Cell:
        """The runs and the file of their records."""
        return Cell(self.config, self.folder / run_folder.RECORDS, data_dir=self.data_dir)

    def open_folder(self) -> None:
        """Makes the folder, or checks that an existing one belongs to this request."""
        run_folder.open_folder(self.folder, self.config, self.seeds[0] if self.single else None)

    def __str__(self) -> str:
        values = key_settings(self.config.settings)
        settings = ", ".join(f"{name} {value}" for name, value in values.items())
        sizes = self.graph.num_features, self.graph.num_classes
        lines = [
            # A search shows the graph before it begins.
            *([] if self.candidates else [graph_line(self.graph)]),
            f"preset {self.preset_name} ({self.preset.source}): {settings}",
            f"{self.architecture}",
            f"{self.architecture.num_parameters(*sizes):,} parameters",
        ]
        if self.graph.edge_weights is not None and not self.architecture.uses_weights:
            lines.append(f"edge weights are not used by --model {flags.FLAGS.model}")
        if isinstance(self.architecture, Method):
            lines.append(
                f"{self.architecture.model} predicts the nodes of its own graph, so there is no "
                "model to export"
            )
        note = batch_flags.note(self.config.settings, self.graph)
        lines += [] if note is None else [note]
        selection = self.config.settings.selection
        if RULES[selection].looks_at_test:
            lines.append(f"selection {selection} uses the test labels: for comparison only")
        return "\n".join(lines)


def check_direction(model: str, direction: str) -> None:
    """Raises a `SettingError` if a baseline is to read directions."""
    if model not in presets.MIXHOPS and direction != "undirected":
        rule = f"works only with MixHop, not with --model {model}; leave it out"
        raise SettingError("direction", rule, direction)


def _with_batches(candidate: Candidate, batches: str | None) -> Candidate:
    settings = dataclasses.replace(candidate.settings, batches=batches)
    return dataclasses.replace(candidate, settings=settings)


def _default_preset(model: str, data: DataConfig) -> str:
    """The preset when none is named. A shared first kernel or several workers do not search."""
    name, values = presets.default_preset(model, data), flags.FLAGS
    searches = not (values.shared_first_kernel or values.join)
    return name if searches or name != presets.AUTO else "general"


def _shared_first_kernel(architecture: AnyArchitecture) -> bool:
    """Whether the first kernel is shared; raises if the architecture does not allow it."""
    if not flags.FLAGS.shared_first_kernel:
        return False
    if not isinstance(architecture, Architecture):
        rule = f"works only with MixHop, not with --model {architecture.model}; leave it out"
        raise SettingError("shared_first_kernel", rule)
    if len(architecture.layers) < 2 or len(set(architecture.layers[0].dims)) > 1:
        rule = (
            "needs two layers, and the same width for all powers of the first one; use "
            "--architecture default"
        )
        raise SettingError("shared_first_kernel", rule)
    return True


def _default_folder(config: RunConfig, model: str, preset_name: str, seeds: range) -> str:
    baseline = "" if model == "mixhop" else f"{model}-"
    name = f"{file_stem(config.data.dataset)}-{baseline}{preset_name}-{config.path_key()[:8]}"
    return f"runs/{name}" + (f"-seed{seeds[0]}" if len(seeds) == 1 else "")
