"""Decides which units of a wide architecture are kept within a budget.

These are plain functions of an `Architecture` and scores (see `mixhop_tf.pruning.shrink`), without
TensorFlow.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mixhop_tf.architecture import HIDDEN_WIDTH, Architecture
from mixhop_tf.errors import SettingError
from mixhop_tf.models.weights import Weights
from mixhop_tf.pruning.shrink import Kept, Scores, keep_best, kernel_name, shrink, unit_norms

BASELINE = "baseline"
_FORMS = "baseline, columns=60 or columns=60,14, parameters=90000, or percentile=90"


@dataclasses.dataclass(frozen=True)
class Budget:
    """Limits the size of a shrunk model, in one of three ways.

    Args:
        columns: Widths of the layers, first to last. The width of a psum output may be left out: it
            then keeps the groups of `c` columns that have not vanished, at most one for each power.
        parameters: Largest number of trainable weights. Every layer keeps the same share of its
            units, and the share is as large as possible. Vanished units are not kept.
        percentile: Smallest share of the units that are removed from every layer, in percent.

    Example:
    >>> from mixhop_tf import Budget
    >>> Budget.parse("columns=60,14")
    Budget(columns=(60, 14), parameters=None, percentile=None)

    Reference: Section 4.2 of the paper, whose budget is the size of the model with `P = {1}`.
    """

    columns: tuple[int, ...] | None = None
    parameters: int | None = None
    percentile: float | None = None

    def __post_init__(self) -> None:
        given = [value for value in dataclasses.astuple(self) if value is not None]
        if len(given) != 1:
            raise ValueError(f"A budget must be one of {_FORMS}. Received: {self}")
        if self.columns is not None and (not self.columns or min(self.columns) < 1):
            raise ValueError(
                f"Each layer must keep at least one column. Received: columns={self.columns}"
            )
        if self.percentile is not None and not 0 <= self.percentile < 100:
            raise ValueError(
                "`percentile` must be at least 0 and less than 100. "
                f"Received: percentile={self.percentile}"
            )

    @classmethod
    def parse(cls, text: str, num_hidden: int = 1) -> Budget:
        """Reads a budget from its notation.

        Args:
            text: `baseline`, `columns=60,14`, `parameters=90000` or `percentile=90`. `baseline`
                stands for 60 columns in each hidden layer.
            num_hidden: Number of hidden layers.

        Raises:
            SettingError: The text is not a budget.
        """
        if text == BASELINE:
            return cls(columns=(HIDDEN_WIDTH,) * num_hidden)
        readers: Mapping[str, Callable[[str], Any]] = {
            "columns": lambda value: tuple(map(int, value.split(","))),
            "parameters": int,
            "percentile": float,
        }
        kind, _, value = text.partition("=")
        try:
            given = {kind: readers[kind](value)}
        except (LookupError, ValueError):
            raise SettingError("budget", f"must be {_FORMS}", text) from None
        try:
            return cls(**given)
        except ValueError as error:
            raise SettingError("budget", f"must be valid ({error})", text) from None

    def num_units(
        self,
        architecture: Architecture,
        num_features: int,
        num_classes: int,
        scores: Scores | None = None,
    ) -> tuple[int, ...]:
        """Computes how many units each layer of a wide architecture keeps.

        Args:
            architecture: The wide architecture.
            num_features: Number of features of the graph.
            num_classes: Number of classes of the graph.
            scores: Scores of the units; `-inf` marks a vanished unit. Without scores, no unit has
                vanished.

        Returns:
            The number of units of each layer.

        Raises:
            ValueError: The budget does not fit the architecture.
        """
        sizes = architecture.unit_sizes(num_classes)
        totals = [
            sum(dim // size for dim in layer.dims)
            for layer, size in zip(architecture.layers, sizes, strict=True)
        ]
        if self.columns is not None:
            columns = self.columns
            if architecture.output == "psum" and len(columns) == len(sizes) - 1:
                alive = totals[-1] if scores is None else num_alive(scores[-1])
                groups = max(1, min(len(architecture.layers[-1].powers), alive))
                columns = (*columns, sizes[-1] * groups)
            return _of_columns(columns, sizes, totals)
        if self.percentile is not None:
            # 1 - 0.9 is slightly less than 0.1, so the share is rounded first.
            counts = _share(totals, round(1 - self.percentile / 100, 9))
        else:
            counts = self._of_parameters(architecture, num_features, num_classes, sizes, totals)
        left = totals if scores is None else [num_alive(layer) for layer in scores]
        return tuple(max(1, min(each)) for each in zip(counts, left, strict=True))

    def _of_parameters(
        self,
        architecture: Architecture,
        num_features: int,
        num_classes: int,
        sizes: Sequence[int],
        totals: Sequence[int],
    ) -> tuple[int, ...]:
        """Finds the largest share that fits, by bisection over all shares that change a layer."""
        shares = sorted({count / total for total in totals for count in range(1, total + 1)})

        def size(share: float) -> int:
            counts = _share(totals, share)
            return _num_parameters(architecture, num_features, num_classes, sizes, counts)

        limit = self.parameters or 0
        if size(shares[0]) > limit:
            raise ValueError(
                f"Even one unit in each layer takes {size(shares[0]):,} parameters. "
                f"Received: parameters={self.parameters}"
            )
        low, high = 0, len(shares)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if size(shares[middle]) <= limit else (low, middle)
        return _share(totals, shares[low])

    def kept(
        self, architecture: Architecture, scores: Scores, num_features: int, num_classes: int
    ) -> Kept:
        """Selects the units to keep: those with the greatest scores in each layer."""
        counts = self.num_units(architecture, num_features, num_classes, scores)
        return [keep_best(layer, count) for layer, count in zip(scores, counts, strict=True)]


def shrink_to(
    architecture: Architecture,
    weights: Weights,
    budget: Budget,
    num_classes: int,
    scores: Scores | None = None,
) -> tuple[Architecture, dict[str, np.ndarray]]:
    """Shrinks a wide architecture and its weights until they are within a budget.

    Args:
        architecture: The wide architecture.
        weights: Weights of the wide model by name; see `mixhop_tf.models.weights.weights_of`.
        budget: Limit of the size.
        num_classes: Number of classes.
        scores: How much each unit matters. The default is the norm of its weights.

    Returns:
        The small architecture, and its weights by name.

    Example:
    >>> from mixhop_tf import Architecture, Budget, build_model, shrink_to
    >>> from mixhop_tf.models.weights import weights_of
    >>> wide = build_model(Architecture.default(3, hidden_dims=[90]), num_features=5, num_classes=3)
    >>> small, weights = shrink_to(
    ...     wide.architecture, weights_of(wide), Budget(columns=(12, 6)), num_classes=3
    ... )
    >>> [layer.width for layer in small.layers]
    [12, 6]
    """
    if scores is None:
        scores = unit_norms(architecture, weights, num_classes)
    first = architecture.layers[0]
    power = next(power for power, dim in zip(first.powers, first.dims, strict=True) if dim)
    num_features = len(weights[kernel_name(0, power)])
    kept = budget.kept(architecture, scores, num_features, num_classes)
    return shrink(architecture, weights, kept, num_classes)


def thresholds(scores: Scores, kept: Kept) -> tuple[float, ...]:
    """Computes, for each layer, the score that separates the kept units from the others.

    It is halfway between the lowest kept score and the highest removed one. If all removed units
    have vanished, it is the lowest kept score.
    """
    dividing = []
    for layer, stays in zip(scores, kept, strict=True):
        inside = np.concatenate([layer[power][stays[power]] for power in layer]).min()
        outside = np.concatenate([np.delete(layer[power], stays[power]) for power in layer])
        alive = outside[outside > -np.inf]
        dividing.append(float(inside + alive.max()) / 2 if alive.size else float(inside))
    return tuple(dividing)


def num_alive(scores: Mapping[int, np.ndarray]) -> int:
    """Counts the units of a layer that have not vanished."""
    return sum(int(np.sum(values > -np.inf)) for values in scores.values())


def _of_columns(
    columns: Sequence[int], sizes: Sequence[int], totals: Sequence[int]
) -> tuple[int, ...]:
    if len(columns) != len(sizes):
        raise ValueError(
            f"The architecture has {len(sizes)} layers, but the budget has {len(columns)}. "
            f"Received: columns={columns}"
        )
    for i, (width, size, total) in enumerate(zip(columns, sizes, totals, strict=True)):
        if width % size:
            raise ValueError(
                f"The output's width must be a multiple of the {size} classes. Received: {width}"
            )
        if width > size * total:
            raise ValueError(
                f"Layer {i + 1} of the wide model has {size * total} columns and cannot keep "
                f"{width}; make the wide model wider or the budget smaller. "
                f"Received: columns={columns}"
            )
    return tuple(width // size for width, size in zip(columns, sizes, strict=True))


def _share(totals: Sequence[int], share: float) -> tuple[int, ...]:
    # A share that was computed as count / total must give the same count.
    return tuple(max(1, math.floor(total * share + 1e-9)) for total in totals)


def _num_parameters(
    architecture: Architecture,
    num_features: int,
    num_classes: int,
    sizes: Sequence[int],
    counts: Sequence[int],
) -> int:
    """Counts the weights with so many units in each layer; their powers do not matter."""
    layers = tuple(
        dataclasses.replace(layer, dims=(count * size,) + (0,) * (len(layer.dims) - 1))
        for layer, size, count in zip(architecture.layers, sizes, counts, strict=True)
    )
    return dataclasses.replace(architecture, layers=layers).num_parameters(
        num_features, num_classes
    )
