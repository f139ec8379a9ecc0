"""Turns the name of an architecture, a notation or a file into an architecture."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any

from datasets.errors import short
from datasets.memory import free_memory
from mixhop_tf import AdjacencySpec, Architecture, LayerSpec, SettingError
from mixhop_tf.architecture import HIDDEN_WIDTH
from mixhop_tf.baseline import Baseline
from mixhop_tf.baselines import BASELINES
from mixhop_tf.methods import Method
from mixhop_tf.notation import MAX_LAYERS, MAX_WIDTH, checked_hidden_dims
from mixhop_tf.training.settings import check_rate
from trainers.paper import architecture_file, attention_presets, attentive
from trainers.paper.preset import Preset
from trainers.sweeps.config import AnyArchitecture

# Published for one graph each; Citeseer's learned architecture is the default one.
PUBLISHED: Mapping[str, Mapping[str, Architecture]] = {
    "learned": {
        "cora": Architecture.from_notation("0:24:0,1:18:7,2:18:7", num_classes=7),
        "citeseer": Architecture.from_notation("0:20:6,1:20:6,2:20:6", num_classes=6),
        "pubmed": Architecture.from_notation("0:17:3,1:23:6,2:20:3", num_classes=3),
    },
    "three_layers": {
        "pubmed": Architecture(
            layers=(
                LayerSpec(
                    powers=(0, 1, 2),
                    dims=(17, 22, 21),
                    activation="tanh",
                    batch_norm=True,
                    dropout=0.3,
                ),
                LayerSpec(powers=(0, 1, 2), dims=(3, 1, 6), dropout=0.7),
                LayerSpec(
                    powers=(0, 1, 2),
                    dims=(2, 4, 4),
                    activation="tanh",
                    batch_norm=True,
                    dropout=0.7,
                ),
            ),
            output="dense",
            output_dropout=0.7,
        )
    },
}
NOTATIONS = {"default": "0,1,2", "baseline": "1"}
_BYTES_EACH = 12  # a number, its gradient, and one number of the optimizer's state


@dataclasses.dataclass(frozen=True, kw_only=True)
class ArchitectureRequest:
    """A description of an architecture that does not depend on the graph.

    Args:
        model: `mixhop` or a baseline.
        name: For MixHop: `default`, `baseline`, `learned`, `three_layers`; a notation such as
            `0:24:0,1:18:7,2:18:7`; or the path of a JSON file. None means `learned` on graphs that
            have a learned architecture, and `default` on others.
        hidden_dims: Widths of the hidden layers; None keeps those of the architecture.
        fields: Further fields, by name: activation and dropout; for MixHop with attention also
            those of `LayerSpec`; for a baseline, any field of its architecture.
        adjacency: Changes the adjacency of MixHop's architecture as the user wants.
        jumping: Whether MixHop has jumping connections; None keeps those of the architecture.
    """

    model: str = "mixhop"
    name: str | None = None
    hidden_dims: tuple[int, ...] | None = None
    fields: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    adjacency: Callable[[AdjacencySpec], AdjacencySpec] = lambda spec: spec
    jumping: bool | None = None

    @property
    def reads_directions(self) -> bool:
        """Whether the architecture comes from a file and reads the directions of the edges."""
        if self.model != "mixhop" or self.name is None or not architecture_file.is_file(self.name):
            return False
        try:
            return self.adjacency(architecture_file.read(self.name).adjacency).is_directed
        except ValueError:  # `resolve` says what is wrong
            return False

    def resolve(
        self,
        dataset: str,
        num_classes: int,
        preset: Preset,
        largest_eigenvalue: Callable[[], float],
    ) -> AnyArchitecture:
        """The architecture for a graph.

        Args:
            dataset: Name of the graph, for the published architectures.
            num_classes: Number of classes of the graph.
            preset: Gives the values that the request does not set.
            largest_eigenvalue: Gives the largest eigenvalue of the graph's Laplacian, for
                Chebyshev filters.

        Raises:
            SettingError: If there is no such architecture.
        """
        if self.hidden_dims is not None:
            _check_hidden_dims(self.hidden_dims)
        architecture: AnyArchitecture
        if self.model == attention_presets.MODEL:
            architecture = _attentive(self, num_classes, preset)
        elif self.model == "mixhop":
            architecture = _mixhop(self, dataset, num_classes, preset)
        else:
            architecture = _baseline(self, preset, largest_eigenvalue)
        check_memory(architecture, num_classes)
        return architecture


def _check_hidden_dims(hidden_dims: tuple[int, ...]) -> None:
    try:
        checked_hidden_dims(hidden_dims)
    except ValueError:
        rule = f"must be fewer than {MAX_LAYERS} widths, each from 1 to {MAX_WIDTH:,}"
        raise SettingError("hidden_dims", rule, hidden_dims) from None


def check_memory(
    architecture: AnyArchitecture, num_classes: int, num_features: int = 1, num_nodes: int = 1
) -> None:
    """Raises a `SettingError` if training needs more memory than is free.

    Args:
        architecture: The architecture to train.
        num_classes: Number of classes of the graph.
        num_features, num_nodes: Sizes of the graph, if they are known.
    """
    if isinstance(architecture, Baseline):
        columns = architecture.num_columns
    else:
        columns = sum(layer.width for layer in architecture.layers)
    parameters = architecture.num_parameters(num_features, num_classes)
    needed = _BYTES_EACH * (parameters + num_nodes * columns)
    if needed > free_memory():
        rule = (
            f"must fit into memory: {parameters:,} weights and {columns:,} columns for each node "
            f"take more than the {free_memory() / 1e9:.1f} GB that are free; choose smaller widths"
        )
        raise SettingError("hidden_dims", rule)


def preferred(dataset: str) -> str:
    """The default architecture for a graph."""
    return "learned" if dataset in PUBLISHED["learned"] else "default"


def _mixhop(
    request: ArchitectureRequest, dataset: str, num_classes: int, preset: Preset
) -> Architecture:
    fields = dict(request.fields)
    activation = fields.pop("activation", None)
    rates = {name: fields.pop(name, None) for name in ("input_dropout", "hidden_dropout")}
    for name in fields:
        rule = "must be left out, because MixHop without attention does not have it"
        raise SettingError(name, rule, fields[name])
    for name, rate in rates.items():
        if rate is not None:
            check_rate(name, rate)
    name = request.name or preferred(dataset)
    try:
        architecture, has_dropout = _named(name, dataset, num_classes, request)
        architecture = _with_surroundings(architecture, request)
        if not has_dropout:
            architecture = architecture.with_dropout(preset.input_dropout, preset.hidden_dropout)
        architecture = architecture.with_dropout(*rates.values())
        architecture = _with_activation(architecture, activation)
        width = architecture.layers[-1].width
        if architecture.output == "psum" and width < num_classes:
            raise ValueError(
                f"its output has {width} columns, but {dataset} has {num_classes} classes and "
                "needs a column for each"
            )
    except SettingError:
        raise
    except ValueError as error:
        raise SettingError("architecture", f"must fit {dataset} ({error})", short(name)) from None
    return architecture


def _with_surroundings(architecture: Architecture, request: ArchitectureRequest) -> Architecture:
    """Changes the adjacency and the jumping connections, where the request says so."""
    jumping = architecture.jumping if request.jumping is None else request.jumping
    adjacency = request.adjacency(architecture.adjacency)
    return dataclasses.replace(architecture, adjacency=adjacency, jumping=jumping)


def _named(
    name: str, dataset: str, num_classes: int, request: ArchitectureRequest
) -> tuple[Architecture, bool]:
    """The architecture, and whether it has its own dropout."""
    notation, hidden_dims = NOTATIONS.get(name, name), request.hidden_dims
    if re.fullmatch(r"[\d:, -]+", notation):
        made = Architecture.from_notation(
            notation,
            num_classes=num_classes,
            hidden_dims=hidden_dims or (HIDDEN_WIDTH,),
            adjacency=request.adjacency(AdjacencySpec()),
        )
        return made, False
    if hidden_dims is not None:
        rule = (
            f"works only with a notation, default or baseline; leave it out, because {short(name)} "
            "has its own widths"
        )
        raise SettingError("hidden_dims", rule, hidden_dims)
    if name in PUBLISHED:
        if dataset not in PUBLISHED[name]:
            rule = (
                f"was published only for {', '.join(PUBLISHED[name])}; for {dataset} use default, "
                "a notation such as 0:20:7,1:20:7, or a JSON file"
            )
            raise SettingError("architecture", rule, short(name))
        return PUBLISHED[name][dataset], name == "three_layers"
    return architecture_file.read(name), True


def _attentive(request: ArchitectureRequest, num_classes: int, preset: Preset) -> Architecture:
    """The architecture of MixHop with attention, which the preset describes."""
    if request.name is not None:
        rule = "works only with MixHop without attention; use --hidden_dims and --heads"
        raise SettingError("architecture", rule, short(request.name))
    rates = {"input_dropout": preset.input_dropout, "hidden_dropout": preset.hidden_dropout}
    fields = {**rates, **preset.architecture, **request.fields}
    if request.hidden_dims is not None:
        fields["hidden_dims"] = request.hidden_dims
    adjacency = request.adjacency(AdjacencySpec(normalization="row"))
    try:
        return attentive.architecture(fields, adjacency, bool(request.jumping), num_classes)
    except SettingError:
        raise
    except ValueError as error:
        raise SettingError("model", f"must fit its options ({error})", request.model) from None


def _with_activation(architecture: Architecture, activation: str | None) -> Architecture:
    """Replaces the activation of each layer that has one."""
    if activation is None:
        return architecture
    return dataclasses.replace(
        architecture,
        layers=tuple(
            dataclasses.replace(layer, activation=layer.activation and activation)
            for layer in architecture.layers
        ),
    )


def _baseline(
    request: ArchitectureRequest, preset: Preset, largest_eigenvalue: Callable[[], float]
) -> Baseline:
    kind = BASELINES[request.model]
    if request.name is not None:
        rule = f"works only with MixHop; use --hidden_dims for a {request.model}"
        raise SettingError("architecture", rule, request.name)
    names = {field.name for field in dataclasses.fields(kind)}
    rates = {"input_dropout": preset.input_dropout, "hidden_dropout": preset.hidden_dropout}
    if issubclass(kind, Method):
        rates = {}
    fields = {**rates, **preset.architecture, **request.fields}
    if request.hidden_dims is not None:
        if len(request.hidden_dims) != 1:
            rule = f"must be one number: a {request.model} has one hidden layer"
            raise SettingError("hidden_dims", rule, request.hidden_dims)
        fields["hidden_width"] = request.hidden_dims[0]
    for name in fields.keys() - names:
        raise SettingError(
            name, f"must be left out, because a {request.model} does not have it", fields[name]
        )
    if "largest_eigenvalue" in names - fields.keys():
        fields["largest_eigenvalue"] = largest_eigenvalue()
    try:
        return kind(**fields)
    except ValueError as error:
        raise SettingError("model", f"must fit its options ({error})", request.model) from None
