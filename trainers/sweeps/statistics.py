"""Means over runs or graphs, and how certain they are."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from scipy import stats


def interval(values: np.ndarray) -> float:
    """Half the width of the 95 % interval (Student's t) of the mean; NaN of a single value."""
    if len(values) < 2:
        return math.nan
    return float(stats.t.ppf(0.975, len(values) - 1) * stats.sem(values))


def deviation(values: np.ndarray) -> float:
    """Sample standard deviation; NaN of a single value."""
    return float(values.std(ddof=1)) if len(values) > 1 else math.nan


@dataclasses.dataclass(frozen=True)
class Point:
    """What the graphs of one level of homophily say together.

    Attributes:
        level: The homophily.
        mean: Over the graphs.
        interval: Half the width of the 95 % interval (Student's t) of `mean`; NaN of one graph.
        num_graphs: Graphs with a finished run.
    """

    level: float
    mean: float
    interval: float
    num_graphs: int
