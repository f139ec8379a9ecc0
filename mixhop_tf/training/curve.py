"""The points of a run's curve: how good the weights are after each step."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """One step of a run: how good the weights are after `step` updates.

    `loss` is the training loss with dropout and penalties. `learning_rate` is the rate of the
    update that led here.
    """

    step: int
    learning_rate: float
    loss: float
    train_accuracy: float
    val_accuracy: float
    val_loss: float

    @property
    def score(self) -> float:
        """The metric that selects, on validation nodes; greater is better."""
        return self.val_accuracy


@dataclasses.dataclass(frozen=True, kw_only=True)
class ScoredPoint(CurvePoint):
    """A step of a run that selects by another metric than accuracy.

    `val_score` is that metric on the validation nodes, or the negative loss: greater is better.
    """

    val_score: float

    @property
    def score(self) -> float:
        """The metric that selects."""
        return self.val_score
