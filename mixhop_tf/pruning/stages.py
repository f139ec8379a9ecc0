"""The results of the stages of architecture learning, and the classes that receive them."""

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
        weights: Weights by name.
        result: Numbers of the training, without the test accuracy.
        run: The run itself, or None if the peak comes from a store.
    """

    weights: dict[str, np.ndarray]
    result: RunResult
    run: Run | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pruning:
    """The result of stages 1 to 4 with one lasso coefficient.

    Attributes:
        lasso: The coefficient.
        wide: The wide architecture.
        peak: Numbers of its training at the peak.
        norms: L2 norm of every unit at the peak.
        scores: Scores that decided which units were kept: the norms, or another measure.
        thresholds: For each layer, the score that separates the kept units from the others.
        architecture: The shrunk architecture.
        weights: Its weights, taken from the wide network at the peak.
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
        """Number of units that have not vanished, for each layer and power."""
        return [
            {power: int(np.sum(values > -np.inf)) for power, values in layer.items()}
            for layer in self.scores
        ]

    @property
    def separates(self) -> bool:
        """Whether the lasso made any unit vanish."""
        return any(num_alive(layer) < sum(map(len, layer.values())) for layer in self.scores)


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearnedArchitecture:
    """The result of `learn_architecture`.

    Attributes:
        architecture: The learned architecture.
        pruning: The pruning that led to it.
        retrainings: Results of its retrainings, ordered by seed.
        run: The retraining with the best validation accuracy, with its model.
        candidates: Prunings of all coefficients, with the results of their retrainings.
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
    """Keeps the results of the stages, so that a killed process can continue.

    This class keeps nothing. A subclass may write files.
    """

    def load_peak(self, lasso: float, wide: Architecture, settings: Settings) -> Peak | None:  # noqa: ARG002
        """Loads the result of stage 2 with this architecture and these settings, if it exists."""
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
        """Loads the finished retrainings of stage 5."""
        return ()

    def keep_retraining(
        self, run: Run, lasso: float, architecture: Architecture, settings: Settings
    ) -> None:
        """Keeps a run of stage 5."""


class Observer:
    """Receives the result of each stage. This class does nothing; a subclass may print."""

    def widened(self, wide: Architecture, num_parameters: int) -> None:
        """Receives the wide network after stage 1."""

    def trained(self, lasso: float, result: RunResult) -> None:
        """Receives the result of stage 2."""

    def pruned(self, pruning: Pruning, num_parameters: int) -> None:
        """Receives the result of stages 3 and 4."""

    def retrained(self, results: Sequence[RunResult]) -> None:
        """Receives the results of stage 5."""

    def failed(self, error: ArgumentError) -> None:
        """Receives the error of a coefficient, if there are several."""

    def kept(self, run: Run) -> None:
        """Receives the best run."""

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
    """Returns the name of units of so many columns, in the plural."""
    return "columns" if size == 1 else f"groups of {size} columns"
