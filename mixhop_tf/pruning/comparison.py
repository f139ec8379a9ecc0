"""Compares scores on the same deals: how far one is ahead, and which is good enough."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import scipy.stats

from mixhop_tf.training.run import Run

_LEVEL = 0.95


class DealScore(NamedTuple):
    """The validation score of an architecture on a deal.

    Attributes:
        name: Name of the architecture.
        deal: Number of the deal, from 0.
        score: The metric of the best step; greater is better.
        val_loss: Validation loss at that step.
        right, wrong: The validation nodes that the network then classifies correctly, and the rest.
    """

    name: str
    deal: int
    score: float
    val_loss: float
    right: Sequence[int] = ()
    wrong: Sequence[int] = ()

    @classmethod
    def of(cls, name: str, deal: int, run: Run) -> DealScore:
        """Summarises a run."""
        nodes = run.graph.val
        hit = run.logits[nodes].argmax(axis=1) == run.graph.labels[nodes]
        score, loss = run.result.score, run.best.val_loss
        return cls(name, deal, score, loss, nodes[hit].tolist(), nodes[~hit].tolist())


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
    def of(cls, values: np.ndarray, further: float = 0.0) -> Spread:
        """Summarises values `[k]`; a single one says nothing of chance.

        Args:
            values: The values.
            further: A variance of the mean that the values do not show.
        """
        count = len(values)
        if count < 2:
            return cls(float(values.mean()), math.inf, math.inf)
        error = math.sqrt(float(values.var(ddof=1)) / count + further)
        quantile = float(scipy.stats.t.ppf((1 + _LEVEL) / 2, count - 1))
        return cls(float(values.mean()), error, quantile * error)


def scores_of(scores: Sequence[DealScore], name: str) -> np.ndarray:
    """Returns the scores of an architecture, ordered by deal."""
    own = sorted((each for each in scores if each.name == name), key=lambda each: each.deal)
    return np.array([each.score for each in own])


def gain(scores: Sequence[DealScore], name: str, over: str) -> Spread:
    """Computes how far `name` is ahead of `over` on the same deals.

    The deals share their nodes: what all deals say may still be chance of the few labelled nodes.
    So the error has two parts, that of the deals and that of the nodes; see `node_variance`.
    """
    ahead = scores_of(scores, name) - scores_of(scores, over)
    return Spread.of(ahead, node_variance(scores, name, over))


def node_variance(scores: Sequence[DealScore], name: str, over: str) -> float:
    """Estimates the variance of a difference in accuracy that comes from the choice of the nodes.

    With `e` the difference of each validation node of each deal, less the mean, the variance of
    nodes is `Σ_node (Σ_deal e)² / n²`, and `Σ e² / n²` of it is the noise of single trainings,
    which the spread of the deals shows already.

    Returns:
        The rest, at least 0; 0 if the scores do not say which nodes are right.

    Reference: Cameron, Gelbach and Miller, "Robust inference with multiway clustering", 2011.
    """
    nodes, ahead = [], []
    own = {each.deal: each for each in scores if each.name == over}
    for one in (each for each in scores if each.name == name):
        other = own[one.deal]
        seen = np.sort(np.array([*one.right, *one.wrong], int))
        nodes.append(seen)
        ahead.append(np.isin(seen, one.right) * 1.0 - np.isin(seen, other.right))
    numbers, differences = np.concatenate(nodes), np.concatenate(ahead)
    if not len(numbers):
        return 0.0
    left = differences - differences.mean()
    sums = np.bincount(numbers, left)
    return max(0.0, float((sums**2).sum() - (left**2).sum())) / len(left) ** 2


def clearly_better(scores: Sequence[DealScore], names: Sequence[str], default: str) -> list[str]:
    """Lists the architectures that are ahead of the default beyond the 95 % interval.

    If there are none, the default alone is listed.
    """
    found = []
    for name in names:
        ahead = gain(scores, name, default)
        if ahead.mean > ahead.interval:
            found.append(name)
    return found or [default]


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
