"""Describes the architectures of the baselines, without TensorFlow."""

from __future__ import annotations

import abc
import dataclasses
import json
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from mixhop_tf.notation import MAX_POWER, MAX_WIDTH, checked_powers, is_rate, shown

VERSION = 1
HEADS = ("dense", "psum")
MAX_REPLICAS = 1000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Baseline(abc.ABC):
    """Holds the fields that all baselines have.

    Args:
        hidden_width: Number of columns of the hidden layer.
        activation: Name of the Keras activation after the hidden layer.
        input_dropout: Rate at which training drops entries of the features.
        hidden_dropout: Rate at which training drops entries of the hidden layer.
    """

    model: ClassVar[str]
    # `to_dict` leaves these fields out at their default: older files do not have them.
    added_later: ClassVar[tuple[str, ...]] = ()

    hidden_width: int
    activation: str = "relu"
    input_dropout: float = 0.5
    hidden_dropout: float = 0.5

    def __post_init__(self) -> None:
        self._check_counts("hidden_width")
        if not isinstance(self.activation, str):
            raise ValueError(
                f"`activation` must be a name. Received: activation={shown(self.activation)}"
            )
        self._check_rates("input_dropout", "hidden_dropout")

    def _check_counts(self, *names: str, least: int = 1, most: int = MAX_WIDTH) -> None:
        for name in names:
            count = getattr(self, name)
            if not isinstance(count, int) or isinstance(count, bool) or count < least:
                raise ValueError(
                    f"`{name}` must be {least} or more. Received: {name}={shown(count)}"
                )
            if count > most:
                raise ValueError(
                    f"`{name}` must be at most {most:,}. Received: {name}={shown(count)}"
                )

    def _check_flags(self, *names: str) -> None:
        for name in names:
            if not isinstance(getattr(self, name), bool):
                value = shown(getattr(self, name))
                raise ValueError(f"`{name}` must be a bool. Received: {name}={value}")

    def _check_rates(self, *names: str) -> None:
        for name in names:
            rate = getattr(self, name)
            if not isinstance(rate, int | float) or not is_rate(rate):
                raise ValueError(f"`{name}` must be in [0, 1). Received: {name}={shown(rate)}")

    def to_dict(self) -> dict[str, Any]:
        """Returns the architecture in plain containers, with its model and a version."""
        fields = dataclasses.asdict(self)
        for field in dataclasses.fields(self):
            if field.name in self.added_later and fields[field.name] == field.default:
                del fields[field.name]
        return {"model": self.model, "version": VERSION, **fields}

    def to_json(self) -> str:
        """Writes JSON that `architecture_from_json` reads; equal architectures give equal text."""
        return json.dumps(self.to_dict(), indent=1) + "\n"

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Restores an architecture from what `to_dict` returned."""
        model, version = content.get("model"), content.get("version")
        if model != cls.model or version != VERSION or isinstance(version, bool):
            raise ValueError(
                f"This is not version {VERSION} of a {cls.model}. Received: "
                f"model={shown(model)}, version={shown(version)}"
            )
        fields = {name: content[name] for name in content if name not in ("model", "version")}
        try:
            return cls(**fields)
        except TypeError as error:
            raise ValueError(f"These are not the fields of a {cls.model}: {shown(error)}") from None

    @abc.abstractmethod
    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Counts the trainable weights."""

    def __str__(self) -> str:
        values = (
            (name.replace("_", " "), value) for name, value in dataclasses.asdict(self).items()
        )
        return f"{self.model}: " + ", ".join(f"{name} {_shown(value)}" for name, value in values)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@dataclasses.dataclass(frozen=True, kw_only=True)
class TwoLayers(Baseline):
    """Describes a network of two layers: `layer(dropout(σ(layer(dropout(X)))))`.

    Args:
        penalize_output: Whether the penalty also applies to the kernels of the output layer. Kipf
            and Welling penalise only those of the first layer.
    """

    penalize_output: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_flags("penalize_output")

    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Counts the trainable weights."""
        return self.hidden_width * (num_features + num_classes)


@dataclasses.dataclass(frozen=True, kw_only=True)
class MLP(TwoLayers):
    """Describes a network of two dense layers that ignores the graph."""

    model: ClassVar[str] = "mlp"


@dataclasses.dataclass(frozen=True, kw_only=True)
class GCN(TwoLayers):
    """Describes the graph convolutional network of Kipf and Welling (2017)."""

    model: ClassVar[str] = "gcn"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Chebyshev(TwoLayers):
    """Describes the Chebyshev filters of Defferrard et al. (2016).

    Args:
        order: Highest degree of the polynomials, `K`. Each layer has `K + 1` kernels.
        largest_eigenvalue: Largest eigenvalue of the training graph's Laplacian, which rescales the
            Laplacian. No graph has a larger one than 2. See
            `mixhop_tf.ops.laplacian.largest_eigenvalue`.
    """

    model: ClassVar[str] = "chebyshev"

    order: int = 3
    largest_eigenvalue: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_counts("order", least=0, most=MAX_POWER)
        largest = self.largest_eigenvalue
        number = isinstance(largest, int | float) and not isinstance(largest, bool)
        if not number or not 0.0 < largest <= 2.0:
            raise ValueError(
                "`largest_eigenvalue` must be in (0, 2]. Received: "
                f"largest_eigenvalue={shown(largest)}"
            )

    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Counts the trainable weights."""
        return (self.order + 1) * super().num_parameters(num_features, num_classes)


@dataclasses.dataclass(frozen=True, kw_only=True)
class GAT(TwoLayers):
    """Describes the graph attention network of Veličković et al. (2018).

    Args:
        heads: Number of attention heads of the hidden layer. They share `hidden_width` equally.
        output_heads: Number of attention heads of the output layer, which averages them.
        attention_dropout: Rate at which training drops attention coefficients.
        drop_values: Whether training also drops the values that attention weighs, at the rate of
            the layer's input. The authors' code does so; their text does not mention it.
    """

    model: ClassVar[str] = "gat"
    added_later: ClassVar[tuple[str, ...]] = ("drop_values",)

    activation: str = "elu"
    heads: int = 8
    output_heads: int = 1
    attention_dropout: float = 0.6
    drop_values: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_counts("heads", "output_heads")
        self._check_rates("attention_dropout")
        self._check_flags("drop_values")
        if self.hidden_width % self.heads:
            raise ValueError(
                "`hidden_width` must be a multiple of `heads`. Received: "
                f"hidden_width={self.hidden_width}, heads={self.heads}"
            )

    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Counts the trainable weights: kernels, two attention vectors for each head, biases."""
        hidden = self.hidden_width * (num_features + 3)
        return hidden + self.output_heads * num_classes * (self.hidden_width + 2) + num_classes


@dataclasses.dataclass(frozen=True, kw_only=True)
class NGCN(Baseline):
    """Describes the N-GCN of Abu-El-Haija et al. (2018).

    The network has a tower for each replica and power, and a head that combines the towers.

    Args:
        hidden_width: Number of columns of the hidden layer of each tower.
        powers: Distinct non-negative powers of the adjacency.
        replicas: Number of towers for each power.
        head: How the towers are combined. `dense` applies a dense layer to the towers' logits after
            relu. `psum` takes a weighted mean of the towers' probabilities.
    """

    model: ClassVar[str] = "ngcn"

    powers: tuple[int, ...] = (0, 1, 2, 3)
    replicas: int = 3
    head: str = "dense"

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            powers = checked_powers(self.powers)
            if min(powers) < 0:
                raise TypeError
            object.__setattr__(self, "powers", powers)
        except TypeError:
            raise ValueError(
                "`powers` must be distinct whole numbers, 0 or more. "
                f"Received: powers={shown(self.powers)}"
            ) from None
        self._check_counts("replicas", most=MAX_REPLICAS)
        if self.head not in HEADS:
            raise ValueError(f"`head` must be one of {HEADS}. Received: head={shown(self.head)}")

    @property
    def num_towers(self) -> int:
        """Number of towers: one for each replica and power."""
        return self.replicas * len(self.powers)

    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Counts the trainable weights of the towers, their batch norms and the head."""
        tower = self.hidden_width * (num_features + num_classes + 1)
        if self.head == "psum":
            return self.num_towers * (tower + 1)
        return self.num_towers * (tower + num_classes**2) + num_classes


BASELINES: Mapping[str, type[Baseline]] = {
    kind.model: kind for kind in (MLP, GCN, Chebyshev, GAT, NGCN)
}
