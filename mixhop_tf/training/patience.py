"""Stops a run that no longer makes progress."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mixhop_tf.training.curve import CurvePoint
from mixhop_tf.training.settings import Settings


class Best(NamedTuple):
    """The best step so far."""

    score: tuple[float, ...] = ()  # smaller than any other score
    point: Any = None
    weights: Any = None


class Patience:
    """Counts the steps since the last progress.

    A new best step is progress. With `patience_for="either"`, a step is progress if its validation
    score (the accuracy, or the metric of `select_by`) or its validation loss is at least as good as
    in all steps before it.

    Args:
        settings: Settings, of which `patience` and `patience_for` are used.
        state: State to continue from; see the property `state`.
    """

    def __init__(self, settings: Settings, state: tuple[int, float, float] | None = None) -> None:
        self._settings = settings
        first = (0, 0.0 if settings.select_by != "loss" else -math.inf, math.inf)
        self._step, self._score, self._loss = state or first

    @property
    def state(self) -> tuple[int, float, float]:
        """Step of the last progress, best score and best loss so far."""
        return self._step, self._score, self._loss

    def is_spent(self, point: CurvePoint, best: CurvePoint) -> bool:
        """Says whether the last progress was more than `patience` steps ago."""
        if self._settings.patience_for == "best":
            self._step = best.step
        elif point.score >= self._score or point.val_loss <= self._loss:
            self._step = point.step
        self._score = max(self._score, point.score)
        self._loss = min(self._loss, point.val_loss)
        return point.step > self._step + self._settings.patience
