"""Stability selection: how many columns each power deserves, averaged over many cheap searches.

One search depends on its seed and on a few hundred validation nodes. So many narrow networks are
trained, each on another deal of the labelled nodes, while the lasso grows until hardly a column is
left. The columns that survive longest are those that a budget keeps.

Reference: Meinshausen and Bühlmann, "Stability selection", J. R. Stat. Soc. B 72 (2010).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mixhop_tf.pruning.comparison import Spread

# For each layer, the number of units that have not vanished, by power.
Alive = Sequence[Mapping[int, int]]


@dataclasses.dataclass(frozen=True, kw_only=True)
class PathPoint:
    """The network of one search at one lasso coefficient.

    Attributes:
        search: Number of the search, from 0.
        lasso: The coefficient.
        val_accuracy, val_loss: Of the validation nodes of the search.
        alive: For each layer and power, the number of units that have not vanished.
    """

    search: int
    lasso: float
    val_accuracy: float
    val_loss: float
    alive: Alive

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> PathPoint:
        """Reads what `dataclasses.asdict` and JSON made of it."""
        alive = ({int(power): n for power, n in layer.items()} for layer in content["alive"])
        return cls(**{**content, "alive": tuple(alive)})


@dataclasses.dataclass(frozen=True, kw_only=True)
class PowerShare:
    """What the searches say of a power in a layer, for one budget.

    Attributes:
        layer: Number of the layer, from 0.
        power: The power.
        share: Share of the layer's surviving units that belong to the power, the mean of searches.
        interval: Half the width of the 95 % interval of `share`, from the spread of the searches.
        frequency: Share of the searches in which a unit of the power survives.
    """

    layer: int
    power: int
    share: float
    interval: float
    frequency: float


def power_shares(points: Sequence[PathPoint], columns: Sequence[int]) -> list[PowerShare]:
    """Averages over the searches which powers survive until a layer has so many units.

    Args:
        points: The points of all searches.
        columns: The number of units of each layer, first to last.
    """
    numbers = sorted({point.search for point in points})
    paths = [[point for point in points if point.search == number] for number in numbers]
    found = []
    for i, count in enumerate(columns):
        left = [survivors([point.alive[i] for point in path], count) for path in paths]
        for power in points[0].alive[i]:
            kept = np.array([layer[power] for layer in left])
            shares = kept / np.array([max(sum(layer.values()), 1e-9) for layer in left])
            found.append(
                PowerShare(
                    layer=i,
                    power=power,
                    share=float(shares.mean()),
                    interval=Spread.of(shares).interval,
                    frequency=float(np.mean(kept >= 0.5)),
                )
            )
    return found


def survivors(path: Sequence[Mapping[int, int]], count: float) -> dict[int, float]:
    """Interpolates how many units of each power survive when a layer has `count` of them.

    Args:
        path: The surviving units of the layer by power, from the weakest lasso to the strongest.
        count: Number of units of the layer. If the path never has as few or as many, its end or
            beginning is returned.

    Example:
    >>> survivors([{0: 10, 1: 10}, {0: 0, 1: 8}], 14)
    {0: 5.0, 1: 9.0}
    """
    path = [layer for layer in path if any(layer.values())] or path  # an empty layer says nothing
    sums = np.minimum.accumulate([sum(layer.values()) for layer in path])
    after = int(np.argmax(sums <= count)) if (sums <= count).any() else len(path) - 1
    before = max(after - 1, 0)
    gap = sums[before] - sums[after]
    weight = float(np.clip((sums[before] - count) / gap, 0, 1)) if gap else 1.0
    return {
        power: (1 - weight) * path[before][power] + weight * path[after][power] for power in path[0]
    }


def stable_widths(shares: Sequence[PowerShare], columns: int, layer: int) -> dict[int, int]:
    """Divides the columns of a hidden layer among its powers, in proportion to their shares.

    Args:
        shares: Result of `power_shares`.
        columns: Number of columns.
        layer: Number of the layer.
    """
    return divided(columns, {each.power: each.share for each in shares if each.layer == layer})


def divided(total: int, shares: Mapping[int, float]) -> dict[int, int]:
    """Divides a whole number in proportion to shares, by the largest remainders.

    If all shares are zero, they count as equal.

    Example:
    >>> divided(10, {0: 1.0, 1: 1.0, 2: 2.0})
    {0: 3, 1: 2, 2: 5}
    """
    whole = sum(shares.values())
    even = 1 / len(shares)
    exact = {key: total * (share / whole if whole else even) for key, share in shares.items()}
    parts = {key: int(value) for key, value in exact.items()}
    rest = total - sum(parts.values())
    for key in sorted(exact, key=lambda key: (parts[key] - exact[key], key))[:rest]:
        parts[key] += 1
    return parts
