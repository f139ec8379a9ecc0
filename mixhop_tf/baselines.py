"""Describes the architectures of the networks that MixHop is compared with, without TensorFlow."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from mixhop_tf.baseline import Baseline
from mixhop_tf.methods import METHODS
from mixhop_tf.notation import MAX_POWER, checked_powers, shown

HEADS = ("dense", "psum")
MAX_REPLICAS = 1000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Network(Baseline):
    """Holds the fields that all networks have.

    Args:
        hidden_width: Number of columns of the hidden layer.
        activation: Name of the Keras activation after the hidden layer.
        input_dropout: Rate at which training drops entries of the features.
        hidden_dropout: Rate at which training drops entries of the hidden layer.
    """

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

    @property
    def num_columns(self) -> int:
        """Number of columns of the hidden layer."""
        return self.hidden_width


@dataclasses.dataclass(frozen=True, kw_only=True)
class TwoLayers(Network):
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
    uses_weights: ClassVar[bool] = False


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
    uses_weights: ClassVar[bool] = False

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
    uses_weights: ClassVar[bool] = False
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
class NGCN(Network):
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
        self._check_choice("head", HEADS)

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


@dataclasses.dataclass(frozen=True, kw_only=True)
class ManiReg(TwoLayers):
    """Describes manifold regularization (Belkin, Niyogi and Sindhwani, 2006), as a network.

    The network reads the features of a node alone. Training pulls the probabilities of neighbours
    together.

    Args:
        manifold: Coefficient of the mean over all edges of `|p_u - p_v|^2`.
    """

    model: ClassVar[str] = "manireg"

    manifold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_numbers("manifold")


@dataclasses.dataclass(frozen=True, kw_only=True)
class SemiEmb(TwoLayers):
    """Describes semi-supervised embedding (Weston, Ratle and Collobert, 2008).

    The network reads the features of a node alone. Training pulls the hidden layers `h` of
    neighbours together, and pushes those of random pairs apart.

    Args:
        manifold: Coefficient of the penalty: the mean over all edges of `|h_u - h_v|^2`, plus the
            mean over as many random pairs of `max(0, margin - |h_u - h_v|)^2`.
        margin: Distance from which on a random pair is far enough apart.
    """

    model: ClassVar[str] = "semiemb"

    manifold: float = 1.0
    margin: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_numbers("manifold", "margin")


NETWORKS: Mapping[str, type[Network]] = {
    kind.model: kind for kind in (MLP, GCN, Chebyshev, GAT, NGCN, ManiReg, SemiEmb)
}
BASELINES: Mapping[str, type[Baseline]] = {**NETWORKS, **METHODS}
