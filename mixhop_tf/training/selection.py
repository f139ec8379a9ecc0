"""Rules that select the best step of a run.

A rule turns an evaluation into a score; the step with the greatest score wins. `strict` is the
default and the only rule for reported figures. `original` is the rule of the original code: test
accuracy breaks ties, so that information about the test nodes leaks. It serves to measure how much
this flatters the figures.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """How good the weights are after `step` updates.

    `test_accuracy` is NaN unless the rule looks at it.
    """

    step: int
    val_accuracy: float
    val_loss: float
    test_accuracy: float = math.nan


@dataclasses.dataclass(frozen=True)
class Rule:
    """A way to select. `looks_at_test` says that its figures flatter."""

    score: Callable[[Evaluation], tuple[float, ...]]
    looks_at_test: bool = False


def _strict(evaluation: Evaluation) -> tuple[float, ...]:
    """Validation accuracy, then the lower validation loss, then the earlier step."""
    return evaluation.val_accuracy, -evaluation.val_loss, -evaluation.step


def _original(evaluation: Evaluation) -> tuple[float, ...]:
    """Validation accuracy, then test accuracy, then the later step."""
    return evaluation.val_accuracy, evaluation.test_accuracy, evaluation.step


RULES = {"strict": Rule(_strict), "original": Rule(_original, looks_at_test=True)}
