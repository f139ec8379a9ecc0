"""Explains a model as a whole: which hops decide which class."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from mixhop_tf.explaining.explanation import strongest
from mixhop_tf.explaining.names import Names
from mixhop_tf.explaining.paths import Path

_TOP_FEATURES = 10
ALL = "all"


@dataclasses.dataclass(frozen=True, kw_only=True)
class PowerShare:
    """A power of a layer: what it has, and what it gives.

    Attributes:
        power: The power.
        columns: Number of columns that it writes.
        column_share: Their share in the columns of all powers of the layer.
        parameters: Number of entries of its kernel.
        parameter_share: Their share in the entries of all kernels of the layer.
        contribution_share: Its share in the contributions, mean over nodes; None if the model has
            too many paths to keep them apart.
    """

    power: int
    columns: int
    column_share: float
    parameters: int
    parameter_share: float
    contribution_share: float | None


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class ClassShares:
    """What decides the answers of one class.

    Attributes:
        name: Name of the class, or `all`.
        nodes: Number of nodes with this answer.
        shares: Share of each distance in the magnitude of the contributions, mean over nodes.
        means: Mean contribution of each distance, with its sign.
        constant: Mean constant.
        features: Mean contribution of each feature, `[s]`.
    """

    name: str
    nodes: int
    shares: np.ndarray
    means: np.ndarray
    constant: float
    features: np.ndarray


@dataclasses.dataclass(frozen=True, kw_only=True)
class DeltaUse:
    """Says how much a model lives on differences between neighbourhoods.

    Attributes:
        difference_share: Share of nodes for which one power of the first layer speaks for the
            answer and another one against it, each with at least a tenth of the magnitude.
        pairs: For each such pair `(plus, minus)` of powers, the share of nodes.
        count: Number of delta operators, as `count_deltas` finds them in the weights; None unless
            the powers of the first layer share one kernel.
        total: Number of pairs of a feature and a column that could be delta operators.
        used_share: Share of the contributions that pass through the delta operators.
    """

    difference_share: float
    pairs: tuple[tuple[int, int, float], ...]
    count: int | None = None
    total: int | None = None
    used_share: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Returns plain containers for JSON."""
        operators = None
        if self.count is not None and self.total:
            operators = {
                "count": self.count,
                "total": self.total,
                "share": self.count / self.total,
                "used_share": self.used_share,
            }
        pairs = [{"plus": plus, "minus": minus, "share": s} for plus, minus, s in self.pairs]
        return {
            "nodes_with_difference": self.difference_share,
            "pairs": pairs,
            "operators": operators,
        }


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class ModelExplanation:
    """What decides the answers of a model, over many nodes.

    For each node, the logit of the answer minus that of the runner-up is explained. Every figure is
    a mean over nodes.

    Attributes:
        nodes: Number of nodes that were explained.
        layers: Capacity and contribution of the powers of each layer.
        classes: All nodes first, then each class that is an answer.
        paths: Share and mean contribution of each path of powers.
        deltas: The use of differences between neighbourhoods.
        names: Names of classes and features.
    """

    nodes: int
    layers: tuple[tuple[PowerShare, ...], ...]
    classes: tuple[ClassShares, ...]
    paths: dict[Path, tuple[float, float]]
    deltas: DeltaUse
    names: Names

    def sentences(self) -> list[str]:
        """Says for each class which distance decides it."""
        return [_sentence(each) for each in self.classes]

    def to_dict(self) -> dict[str, Any]:
        """Returns plain containers for JSON."""
        return {
            "nodes": self.nodes,
            "classes": list(self.names.classes),
            "layers": [
                {"layer": i, "powers": [dataclasses.asdict(power) for power in layer]}
                for i, layer in enumerate(self.layers, start=1)
            ],
            "by_distance": [
                {
                    "class": each.name,
                    "nodes": each.nodes,
                    "shares": each.shares.tolist(),
                    "means": each.means.tolist(),
                    "constant": each.constant,
                }
                for each in self.classes
            ],
            "by_powers": [
                {"powers": list(path), "share": share, "mean": mean}
                for path, (share, mean) in self.paths.items()
            ],
            "features": [
                {"class": each.name, "top": self._top(each.features)} for each in self.classes
            ],
            "deltas": self.deltas.to_dict(),
            "sentences": self.sentences(),
        }

    def _top(self, features: np.ndarray) -> list[dict[str, Any]]:
        return [
            {"feature": i, "name": self.names.feature(i), "contribution": float(features[i])}
            for i in strongest(features, _TOP_FEATURES)
        ]


def distance_name(distance: int) -> str:
    """Names a distance.

    >>> distance_name(0), distance_name(1), distance_name(3)
    ('the node itself', '1 hop away', '3 hops away')
    """
    if not distance:
        return "the node itself"
    return f"{distance} hop{'s' if distance > 1 else ''} away"


def _sentence(each: ClassShares) -> str:
    best = int(each.shares.argmax())
    where = "by the node itself" if not best else distance_name(best)
    name = "The answer" if each.name == ALL else each.name
    return f"{name} is decided mainly {where}: {each.shares[best]:.0%} of the contributions."
