"""What a run is made of: data, architecture, settings. Same config and seed, same numbers."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

import datasets
from trainers.data_config import DataConfig
from trainers.errors import RunError
from trainers.selection import RULES


class Architecture(Protocol):
    """What a model is made of: `mixhop_tf.Architecture`, or one of `mixhop_tf.baselines`."""

    def to_dict(self) -> dict[str, Any]:
        """Plain containers."""
        ...

    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Trainable weights."""
        ...


LASSO_KINDS = ("gradient", "proximal", "scaled")
PATIENCE_FOR = ("best", "either")
OPTIMIZERS = ("gradient_descent", "adam")
_MANY = 1_000_000


def _help(text: str, choices: tuple[str, ...] = (), **options: Any) -> Any:
    return dataclasses.field(metadata={"help": text, "choices": choices}, **options)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """The hyper-parameters of a run, but for those of the architecture."""

    learning_rate: float = _help("Learning rate of the first step, lr0.")
    decay_every: int = _help("Steps from one drop of the learning rate to the next.")
    decay_fraction: float = _help("Share of lr0 that each drop takes.")
    max_steps: int = _help("Steps at most.")
    patience: int = _help("Steps without a better one until training stops.")
    patience_for: str = _help(
        "What must get better within the patience: best: the best step by the rule of --selection; "
        "either: validation loss or accuracy, whichever, as GAT's authors have it.",
        default="best",
        choices=PATIENCE_FOR,
    )
    l2: float = _help("Penalty on squared kernel weights: l2 * sum(w^2).")
    lasso: float = _help("Group lasso: penalty on the norms of the kernels' columns.")
    lasso_kind: str = _help(
        "How the lasso acts: gradient: by its gradient, as in the original, which leaves small "
        "numbers; proximal: by steps that make columns, or groups of columns before a psum output, "
        "exactly zero; scaled: the same, each power penalised by what it contributes.",
        default="gradient",
        choices=LASSO_KINDS,
    )
    optimizer: str = _help(
        "gradient_descent, as in the original, or adam, as the baselines' authors have it.",
        default="gradient_descent",
        choices=OPTIMIZERS,
    )
    selection: str = _help(
        f"Rule that picks the best step, one of {', '.join(RULES)}.",
        default="strict",
        choices=tuple(RULES),
    )

    def __post_init__(self) -> None:
        self._check(self.learning_rate > 0, "learning_rate", "must be positive")
        self._check(1 <= self.decay_every <= _MANY, "decay_every", f"must lie in 1 … {_MANY}")
        self._check(0 <= self.decay_fraction <= 1, "decay_fraction", "must lie between 0 and 1")
        self._check(1 <= self.max_steps <= _MANY, "max_steps", f"must lie in 1 … {_MANY}")
        self._check(0 <= self.patience <= _MANY, "patience", f"must lie in 0 … {_MANY}")
        self._check(self.l2 >= 0, "l2", "must not be negative")
        self._check(self.lasso >= 0, "lasso", "must not be negative")
        for field in dataclasses.fields(self):
            choices = field.metadata.get("choices", ())
            right = not choices or getattr(self, field.name) in choices
            self._check(right, field.name, f"must be one of {', '.join(choices)}")

    def at_most(self, max_steps: int | None) -> Settings:
        """The same with no more steps than this."""
        if max_steps is None:
            return self
        return dataclasses.replace(self, max_steps=min(max_steps, self.max_steps))

    def _check(self, right: bool, name: str, rule: str) -> None:
        value = getattr(self, name)
        if not right or (isinstance(value, float) and not np.isfinite(value)):
            raise RunError(f"--{name} {rule}, not {value!r}.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Preset:
    """Hyper-parameters that belong together.

    Args:
        settings: Of the training.
        input_dropout, hidden_dropout: Of an architecture that does not bring its own.
        architecture: Of a baseline, what else its architecture is made of, by name.
        source: Where they are from.
    """

    settings: Settings
    input_dropout: float = 0.5
    hidden_dropout: float = 0.9
    architecture: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    source: str

    def tuned(
        self,
        learning_rate: float,
        l2: float,
        lasso: float,
        input_dropout: float,
        hidden_dropout: float,
    ) -> Preset:
        """The preset with other values of what is searched; schedule and widths stay.

        GAT's authors drop attention at the rate of the hidden layer, and so do we.
        """
        shared = {"attention_dropout": hidden_dropout}
        return dataclasses.replace(
            self,
            settings=dataclasses.replace(
                self.settings, learning_rate=learning_rate, l2=l2, lasso=lasso
            ),
            input_dropout=input_dropout,
            hidden_dropout=hidden_dropout,
            architecture={
                name: shared.get(name, value) for name, value in self.architecture.items()
            },
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunConfig:
    """Everything that decides the numbers of a run, but for the seed.

    Args:
        data: The graph and its split.
        digest: Fingerprint of the graph's contents, for a path may hold another graph tomorrow.
        architecture: The architecture as plain containers, `Architecture.to_dict`.
        settings: The hyper-parameters.
        shared_first_kernel: Of MixHop, one kernel for all powers of the first layer, so that delta
            operators can be counted.
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
        graph: datasets.Graph,
        architecture: Architecture,
        settings: Settings,
        shared_first_kernel: bool = False,
    ) -> RunConfig:
        """The config of runs on `graph`, which `data` describes.

        Raises:
            RunError: If there is nothing to train on or to select by.
        """
        needed = ["train", "val"] + ["test"] * RULES[settings.selection].looks_at_test
        for split in needed:
            if not len(getattr(graph, split)):
                raise RunError(
                    f"{graph.name} has no {split} nodes; give it a split that has some, or ask for "
                    "one: --split stratified, or --split random with --num_val and --num_test."
                )
        # Through JSON, so that a config read back equals the one written.
        plain = json.loads(json.dumps(architecture.to_dict()))
        return cls(
            data=data,
            digest=graph_digest(graph),
            architecture=plain,
            settings=settings,
            shared_first_kernel=shared_first_kernel,
        )

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> RunConfig:
        """The config that `to_dict` gave."""
        return cls(
            data=DataConfig(**content["data"]),
            digest=content["digest"],
            architecture=content["architecture"],
            settings=Settings(**content["settings"]),
            shared_first_kernel=content.get("shared_first_kernel", False),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain containers, every field."""
        return dataclasses.asdict(self)

    def key(self) -> str:
        """A hash of the whole config.

        Fields at their default are left out, so that a field which is added later, with a default
        that changes nothing, leaves the keys of older records as they are.
        """
        content = told(self) | {"data": told(self.data), "settings": told(self.settings)}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def graph_digest(graph: datasets.Graph) -> str:
    """A hash of what training sees: features, edges, labels and the split."""
    digest = hashlib.sha256()
    features = graph.features
    arrays = (features.indptr, features.indices, graph.edges, graph.labels)
    for array in (*arrays, graph.train, graph.val, graph.test):
        digest.update(f"{array.shape}".encode())
        digest.update(np.ascontiguousarray(array, "<i8").data)
    digest.update(f"{features.shape} {graph.num_classes}".encode())
    digest.update(np.ascontiguousarray(features.data, "<f4").data)
    return digest.hexdigest()[:16]


def told(config: Any) -> dict[str, Any]:
    """The fields that differ from their default."""
    return {
        field.name: getattr(config, field.name)
        for field in dataclasses.fields(config)
        if getattr(config, field.name) != field.default
    }
