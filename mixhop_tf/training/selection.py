"""Rules that select the best step of a run.

A rule turns an evaluation into a score, and the step with the greatest score is selected. `strict`
is the default and the only rule for reported results. `original` is the rule of the original code:
test accuracy breaks ties, so it leaks information about the test nodes. It exists to measure how
much this improves the results.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """How good the weights are after `step` updates.

    `val_score` is the validation accuracy, or another metric of which more is better.
    `test_accuracy` is NaN unless the rule looks at it.
    """

    step: int
    val_score: float
    val_loss: float
    test_accuracy: float = math.nan


@dataclasses.dataclass(frozen=True)
class Rule:
    """A rule that scores evaluations.

    Attributes:
        score: Function that turns an evaluation into a score.
        looks_at_test: Whether the rule uses test accuracy, which makes its results too good.
    """

    score: Callable[[Evaluation], tuple[float, ...]]
    looks_at_test: bool = False


def _strict(evaluation: Evaluation) -> tuple[float, ...]:
    """Prefers higher validation score, then lower validation loss, then the earlier step."""
    return evaluation.val_score, -evaluation.val_loss, -evaluation.step


def _original(evaluation: Evaluation) -> tuple[float, ...]:
    """Prefers higher validation score, then higher test accuracy, then the later step."""
    return evaluation.val_score, evaluation.test_accuracy, evaluation.step


RULES = {"strict": Rule(_strict), "original": Rule(_original, looks_at_test=True)}
