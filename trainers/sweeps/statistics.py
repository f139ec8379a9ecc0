"""Means over runs or graphs, and their uncertainty."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from scipy import stats


def interval(values: np.ndarray) -> float:
    """Half the width of the 95 % interval (Student's t) of the mean; NaN for a single value."""
    if len(values) < 2:
        return math.nan
    return float(stats.t.ppf(0.975, len(values) - 1) * stats.sem(values))


def deviation(values: np.ndarray) -> float:
    """Sample standard deviation; NaN for a single value."""
    return float(values.std(ddof=1)) if len(values) > 1 else math.nan


@dataclasses.dataclass(frozen=True)
class Point:
    """Summary of the graphs of one level of homophily.

    Attributes:
        level: The homophily.
        mean: Mean over the graphs.
        interval: Half the width of the 95 % interval (Student's t) of `mean`; NaN for one graph.
        num_graphs: Number of graphs with a finished run.
    """

    level: float
    mean: float
    interval: float
    num_graphs: int
