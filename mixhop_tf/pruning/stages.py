"""The results of the stages of learning an architecture, and who receives them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

import mixhop_tf
from mixhop_tf.architecture import Architecture
from mixhop_tf.errors import ArgumentError
from mixhop_tf.models.weights import Weights
from mixhop_tf.pruning.budget import num_alive
from mixhop_tf.pruning.shrink import Scores
from mixhop_tf.training.checkpoint import Checkpoint
from mixhop_tf.training.run import Run, RunResult
from mixhop_tf.training.settings import Settings


@dataclasses.dataclass(frozen=True)
class Peak:
    """Stage 2: the wide network at the peak of its validation accuracy.

    Attributes:
        weights: By name.
        result: The numbers of its training; the test accuracy is left out.
        run: The run itself, unless the peak comes from a store.
    """

    weights: dict[str, np.ndarray]
    result: RunResult
    run: Run | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pruning:
    """Stages 1 to 4 with one lasso coefficient.

    Attributes:
        lasso: The coefficient.
        wide: The wide architecture.
        peak: Its training; the accuracies are those at the peak.
        norms: L2 norm of every unit at the peak.
        scores: What decided: the norms, or another measure of importance.
        thresholds: The score that divides what stays from what goes, for each layer.
        architecture: What is left.
        weights: Its weights, those of the wide network at the peak.
    """

    lasso: float
    wide: Architecture
    peak: RunResult
    norms: Scores
    scores: Scores
    thresholds: tuple[float, ...]
    architecture: Architecture
    weights: dict[str, np.ndarray]

    @property
    def alive(self) -> list[dict[int, int]]:
        """Number of units that did not vanish, for each layer and power."""
        return [
            {power: int(np.sum(values > -np.inf)) for power, values in layer.items()}
            for layer in self.scores
        ]

    @property
    def separates(self) -> bool:
        """Whether the lasso made anything vanish."""
        return any(num_alive(layer) < sum(map(len, layer.values())) for layer in self.scores)


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearnedArchitecture:
    """The result of `learn_architecture`.

    Attributes:
        architecture: The learned architecture.
        pruning: How it was found.
        retrainings: Results of its retrainings, by seed.
        run: The best retraining by validation accuracy, with its model.
        candidates: The prunings of all coefficients, with the results of their retrainings.
    """

    architecture: Architecture
    pruning: Pruning
    retrainings: Sequence[RunResult]
    run: Run
    candidates: Sequence[tuple[Pruning, Sequence[RunResult]]]

    @property
    def model(self) -> Any:
        """The trained `MixHopModel`."""
        return self.run.model


class Store:
    """Keeps the results of the stages, so that a killed process can continue where it was.

    This one keeps nothing; a subclass may write files.
    """

    def load_peak(self, lasso: float, wide: Architecture, settings: Settings) -> Peak | None:  # noqa: ARG002
        """The result of stage 2 with this architecture and these settings, if it is done."""
        return None

    def keep_peak(self, peak: Peak, lasso: float, wide: Architecture, settings: Settings) -> None:
        """Keeps the result of stage 2."""

    def keep_pruning(self, pruning: Pruning) -> None:
        """Keeps the result of stage 4."""

    def checkpoint(self, lasso: float) -> Checkpoint | None:  # noqa: ARG002
        """Where the run of stage 2 or 5 that is being made keeps its state.

        If the file is to stay when the run has ended (`Checkpoint(keep=True)`), `keep_peak` and
        `keep_retraining` remove it.
        """
        return None

    def load_retrainings(
        self,
        lasso: float,  # noqa: ARG002
        architecture: Architecture,  # noqa: ARG002
        settings: Settings,  # noqa: ARG002
        seeds: Iterable[int],  # noqa: ARG002
    ) -> Sequence[RunResult]:
        """Retrainings of stage 5 that are done."""
        return ()

    def keep_retraining(
        self, run: Run, lasso: float, architecture: Architecture, settings: Settings
    ) -> None:
        """Keeps a run of stage 5."""


class Observer:
    """Receives the result of each stage. This one is silent; a subclass may print."""

    def widened(self, wide: Architecture, num_parameters: int) -> None:
        """Stage 1 has ended."""

    def trained(self, lasso: float, result: RunResult) -> None:
        """Stage 2 has ended."""

    def pruned(self, pruning: Pruning, num_parameters: int) -> None:
        """Stages 3 and 4 have ended."""

    def retrained(self, results: Sequence[RunResult]) -> None:
        """Stage 5 has ended."""

    def failed(self, error: ArgumentError) -> None:
        """One of several coefficients has failed."""

    def kept(self, run: Run) -> None:
        """The best run is known."""

    def run(
        self,
        trainer: mixhop_tf.Trainer,
        seed: int,
        description: str,
        weights: Weights | None = None,
    ) -> Run:
        """Makes a run; a subclass may show its progress."""
        del description
        return trainer.run(seed, weights=weights)


def unit_name(size: int) -> str:
    """What units of so many columns are called."""
    return "columns" if size == 1 else f"groups of {size} columns"
