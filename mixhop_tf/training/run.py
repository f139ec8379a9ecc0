"""The result of a run: its curve, its best step, its model."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import mixhop_tf
from mixhop_tf.training.graph import Graph


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


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunResult:
    """The numbers of a finished run at its best step.

    Attributes:
        seed: Seed of the weights and of dropout.
        val_accuracy, val_loss, train_accuracy: Numbers at the best step.
        test_accuracy: Accuracy at the best step; None without test nodes.
        best_step: The step that the selection rule chose.
        num_steps: Number of updates, those after the best step included.
        seconds: Duration of the run.
    """

    seed: int
    val_accuracy: float
    test_accuracy: float | None
    val_loss: float
    train_accuracy: float
    best_step: int
    num_steps: int
    seconds: float

    @property
    def rank(self) -> tuple[float, float, int]:
        """Less is better: by validation accuracy, then validation loss, then seed."""
        return -self.val_accuracy, self.val_loss, self.seed


@dataclasses.dataclass(frozen=True, kw_only=True)
class Run:
    """A finished run: its best step, its curve, and the model with the weights of that step.

    Attributes:
        seed: Seed of the weights and of dropout.
        best: The best step.
        test_accuracy: Accuracy at the best step; None without test nodes.
        curve: Every step.
        seconds: Duration of the run.
        model: The trained model.
        graph: The graph that it was trained on.
        inputs: The pair `(features, operator)` that the model takes.
        delta_share: Share of delta operators, if the powers of the first layer share one kernel.
    """

    seed: int
    best: CurvePoint
    test_accuracy: float | None
    curve: tuple[CurvePoint, ...]
    seconds: float
    model: Any
    graph: Graph
    inputs: tuple[Any, Any]
    delta_share: float | None = None

    @property
    def num_steps(self) -> int:
        """Number of updates, those after the best step included."""
        return self.curve[-1].step

    @property
    def result(self) -> RunResult:
        """The numbers without the model."""
        return RunResult(
            seed=self.seed,
            val_accuracy=self.best.val_accuracy,
            test_accuracy=self.test_accuracy,
            val_loss=self.best.val_loss,
            train_accuracy=self.best.train_accuracy,
            best_step=self.best.step,
            num_steps=self.num_steps,
            seconds=round(self.seconds, 3),
        )

    def export(
        self, path: str | Path, *, keep_node_ids: bool = False, max_nodes: int | None = None
    ) -> Path:
        """Writes a SavedModel with the names of classes, features and nodes; see
        `mixhop_tf.export_saved_model`.
        """
        return mixhop_tf.export_saved_model(
            self.model,
            path,
            self.inputs,
            self.graph.class_names,
            feature_names=self.graph.feature_names,
            node_ids=self.graph.node_ids,
            keep_node_ids=keep_node_ids,
            max_nodes=max_nodes,
        )
