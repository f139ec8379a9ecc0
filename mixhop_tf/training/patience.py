"""Stops a run after so many steps without progress."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mixhop_tf.training.run import CurvePoint
from mixhop_tf.training.settings import Settings


class Best(NamedTuple):
    """The best step so far."""

    score: tuple[float, ...] = ()  # less than any other
    point: Any = None
    weights: Any = None


class Patience:
    """Counts the steps since the last progress.

    A new best step is progress. With `patience_for="either"`, so is a step whose validation
    accuracy or loss is no worse than all before it.

    Args:
        settings: Settings with `patience` and `patience_for`.
        state: The state to go on from.
    """

    def __init__(self, settings: Settings, state: tuple[int, float, float] | None = None) -> None:
        self._settings = settings
        self._step, self._accuracy, self._loss = state or (0, 0.0, math.inf)

    @property
    def state(self) -> tuple[int, float, float]:
        """Step of the last progress, best accuracy and best loss so far."""
        return self._step, self._accuracy, self._loss

    def is_spent(self, point: CurvePoint, best: CurvePoint) -> bool:
        """Whether the last progress lies more than `patience` steps back."""
        if self._settings.patience_for == "best":
            self._step = best.step
        elif point.val_accuracy >= self._accuracy or point.val_loss <= self._loss:
            self._step = point.step
        self._accuracy = max(self._accuracy, point.val_accuracy)
        self._loss = min(self._loss, point.val_loss)
        return point.step > self._step + self._settings.patience
