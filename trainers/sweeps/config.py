"""The config of a run: data, architecture, settings. Config and seed decide the results."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

import mixhop_tf
from mixhop_tf import Architecture, Settings
from mixhop_tf.architecture_json import architecture_from_dict
from mixhop_tf.baseline import Baseline
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.validation import check_settings
from trainers.sweeps.data_config import TABLE_FIELDS, DataConfig, is_known

AnyArchitecture = Architecture | Baseline

# A setting with this value is left out of the key. It is the default that the field had when it was
# added, so that older records, which lack the field, keep their keys. These values never change.
_KEY_DEFAULTS: Mapping[str, Any] = {
    "patience_for": "best",
    "lasso_kind": "gradient",
    "optimizer": "gradient_descent",
    "selection": "strict",
    "select_by": "accuracy",
    "class_weight": "none",
    "calibrate": False,
    "threshold": None,
    "batches": None,
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunConfig:
    """Everything that decides the results of a run, except the seed.

    Args:
        data: The graph and its split.
        digest: Fingerprint of the graph's contents, because the files at a path may change.
        architecture: The architecture as plain containers, from `Architecture.to_dict`.
        settings: The hyper-parameters.
        shared_first_kernel: Whether all powers of MixHop's first layer share one kernel, so that
            delta operators can be counted.
    """

    data: DataConfig
    digest: str
    architecture: dict[str, Any]
    settings: Settings
    shared_first_kernel: bool = False

    @classmethod
    def of(
        cls,
        data: DataConfig,
        graph: Graph,
        architecture: AnyArchitecture,
        settings: Settings,
        shared_first_kernel: bool = False,
    ) -> RunConfig:
        """The config of runs on `graph`, which `data` describes.

        Raises:
            SplitError: If the split has no training nodes, or none to select the best step by.
            SettingError: If a setting does not suit the classes of the graph.
        """
        check_settings(graph, settings)
        return cls.of_digest(data, graph_digest(graph), architecture, settings, shared_first_kernel)

    @classmethod
    def of_digest(
        cls,
        data: DataConfig,
        digest: str,
        architecture: AnyArchitecture,
        settings: Settings,
        shared_first_kernel: bool = False,
    ) -> RunConfig:
        """The same for a graph with a known fingerprint."""
        # Through JSON, so that a config read back equals the one written.
        plain = json.loads(json.dumps(architecture.to_dict()))
        return cls(
            data=data,
            digest=digest,
            architecture=plain,
            settings=settings,
            shared_first_kernel=shared_first_kernel,
        )

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> RunConfig:
        """The config from the output of `to_dict`."""
        return cls(
            data=DataConfig(**content["data"]),
            digest=content["digest"],
            architecture=content["architecture"],
            settings=Settings(**{**_KEY_DEFAULTS, **content["settings"]}),
            shared_first_kernel=content.get("shared_first_kernel", False),
        )

    def to_dict(self) -> dict[str, Any]:
        """All fields in plain containers."""
        return dataclasses.asdict(self)

    def key(self) -> str:
        """A hash of the whole config.

        Fields at their default are left out, so that the keys of older records do not change when a
        new field is added. The user's own graph is identified by its contents, not by its path.
        """
        data = non_defaults(self.data)
        if not is_known(self.data.dataset):
            for name in ("dataset", *TABLE_FIELDS):
                data.pop(name, None)
        return self._hash(data)

    def path_key(self) -> str:
        """The key of earlier versions, which contains the path of the user's own graph."""
        return self._hash(non_defaults(self.data))

    def _hash(self, data: dict[str, Any]) -> str:
        content = non_defaults(self) | {"data": data, "settings": key_settings(self.settings)}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def trainer(self, graph: Graph, **options: Any) -> mixhop_tf.Trainer | mixhop_tf.MethodTrainer:
        """The trainer of this config on its graph; `options` go to `mixhop_tf.Trainer`."""
        return mixhop_tf.make_trainer(
            graph,
            architecture_from_dict(self.architecture),
            self.settings,
            scaling=self.data.scaling_of(graph),
            shared_first_kernel=self.shared_first_kernel,
            **options,
        )


def graph_digest(graph: Graph) -> str:
    """A hash of the data used in training: features, edges, labels and the split.

    Weights and directions change it only where there are any, so that old records stay valid. A
    graph in a store knows its own, which is the same.
    """
    stored = getattr(graph, "digest", None)
    if stored is not None:
        return str(stored)
    digest = hashlib.sha256()
    features = graph.features
    arrays = (features.indptr, features.indices, graph.edges, graph.labels)
    for array in (*arrays, graph.train, graph.val, graph.test):
        digest.update(f"{array.shape}".encode())
        digest.update(np.ascontiguousarray(array, "<i8").data)
    digest.update(f"{features.shape} {graph.num_classes}".encode())
    digest.update(np.ascontiguousarray(features.data, "<f4").data)
    if graph.directed:
        digest.update(b"directed")
    if graph.edge_weights is not None:
        digest.update(b"weights")
        digest.update(np.ascontiguousarray(graph.edge_weights, "<f4").data)
    return digest.hexdigest()[:16]


def key_settings(settings: Settings) -> dict[str, Any]:
    """The settings that are part of a key, by name."""
    return {
        name: value
        for name, value in dataclasses.asdict(settings).items()
        if name not in _KEY_DEFAULTS or value != _KEY_DEFAULTS[name]
    }


def non_defaults(config: RunConfig | DataConfig) -> dict[str, Any]:
    """The fields that differ from their default."""
    return {
        field.name: getattr(config, field.name)
        for field in dataclasses.fields(config)
        if getattr(config, field.name) != field.default
    }
