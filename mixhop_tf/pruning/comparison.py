"""Compares scores on the same deals: how far one is ahead, and which is good enough."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import scipy.stats

_LEVEL = 0.95


class DealScore(NamedTuple):
    """The validation score of an architecture on a deal.

    Attributes:
        name: Name of the architecture.
        deal: Number of the deal, from 0.
        score: The metric of the best step; greater is better.
        val_loss: Validation loss at that step.
    """

    name: str
    deal: int
    score: float
    val_loss: float


@dataclasses.dataclass(frozen=True)
class Spread:
    """A mean and how far it may be off by chance.

    Attributes:
        mean: The mean.
        error: Its standard error, from the spread of the values.
        interval: Half the width of its 95 % interval.
    """

    mean: float
    error: float
    interval: float

    @classmethod
    def of(cls, values: np.ndarray) -> Spread:
        """Summarises values `[k]`; a single one says nothing of chance."""
        count = len(values)
        if count < 2:
            return cls(float(values.mean()), math.inf, math.inf)
        error = float(values.std(ddof=1)) / math.sqrt(count)
        quantile = float(scipy.stats.t.ppf((1 + _LEVEL) / 2, count - 1))
        return cls(float(values.mean()), error, quantile * error)


def scores_of(scores: Sequence[DealScore], name: str) -> np.ndarray:
    """Returns the scores of an architecture, ordered by deal."""
    own = sorted((each for each in scores if each.name == name), key=lambda each: each.deal)
    return np.array([each.score for each in own])


def gain(scores: Sequence[DealScore], name: str, over: str) -> Spread:
    """Computes how far `name` is ahead of `over` on the same deals."""
    ahead = scores_of(scores, name) - scores_of(scores, over)
    return Spread.of(ahead)


def smallest_within_error(scores: Sequence[DealScore], sizes: Mapping[str, int]) -> str:
    """Returns the smallest architecture within one standard error of the best.

    All see the same deals, so the error is that of the difference. Of equally small ones, the one
    that is named first in `sizes` is returned.

    Args:
        scores: Scores of all architectures on the same deals.
        sizes: Sizes of the architectures by name, such as their numbers of parameters.
    """
    best = max(sizes, key=lambda name: float(scores_of(scores, name).mean()))

    def is_close(name: str) -> bool:
        behind = gain(scores, best, name)
        return name == best or behind.mean <= behind.error

    return min(filter(is_close, sizes), key=lambda name: sizes[name])
