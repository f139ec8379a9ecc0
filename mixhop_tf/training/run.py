"""The results of a run: its curve, its best step and its model."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import mixhop_tf
from mixhop_tf.decision import PLAIN, Decision
from mixhop_tf.evaluation import Evaluation, evaluate
from mixhop_tf.limits import max_served_nodes
from mixhop_tf.training.curve import CurvePoint
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.validation import majority_class, positive_class

_MOST_KNOWN = 1_000_000  # nodes that a SavedModel remembers


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunResult:
    """The numbers of a finished run at its best step.

    Attributes:
        seed: Seed of the weights and of dropout.
        val_accuracy, val_loss, train_accuracy: Numbers at the best step.
        test_accuracy: Accuracy at the best step; None without test nodes.
        best_step: The step that the selection rule chose.
        num_steps: Number of all updates, also those after the best step.
        seconds: Duration of the run.
        val_score: The metric that selects, at the best step; None if it is the accuracy.
    """

    seed: int
    val_accuracy: float
    test_accuracy: float | None
    val_loss: float
    train_accuracy: float
    best_step: int
    num_steps: int
    seconds: float
    val_score: float | None = None

    @property
    def score(self) -> float:
        """The metric that selects, on validation nodes; greater is better."""
        return self.val_accuracy if self.val_score is None else self.val_score

    @property
    def rank(self) -> tuple[float, float, int]:
        """Sort key that puts better runs first: by validation score, then loss, then seed."""
        return -self.score, self.val_loss, self.seed


@dataclasses.dataclass(frozen=True, kw_only=True)
class Run:
    """A finished run: its best step, its curve, and the model with the weights of that step.

    Attributes:
        seed: Seed of the weights and of dropout.
        best: The best step.
        test_accuracy: Accuracy of the answers at the best step; None without test nodes.
        curve: Points of all steps.
        seconds: Duration of the run.
        model: The trained model; None for a classical method.
        graph: The graph that the model was trained on.
        inputs: The pair `(features, operator)` that the model takes. None if the graph is too large
            for it; batch norm of the model is then frozen.
        logits: Logits of all nodes `[n, c]` at the best step.
        decision: How logits become probabilities and answers; the model has it, too.
        select_by: The metric that selected the best step.
        batches: What the training was sampled by, in the notation of `Batches`; None if every step
            used the whole graph.
        workers: Number of workers that made the run together.
        delta_share: Share of delta operators, if the powers of the first layer share one kernel.
    """

    seed: int
    best: CurvePoint
    test_accuracy: float | None
    curve: tuple[CurvePoint, ...]
    seconds: float
    model: Any
    graph: Graph
    inputs: tuple[Any, Any] | None
    logits: np.ndarray
    decision: Decision = PLAIN
    select_by: str = "accuracy"
    batches: str | None = None
    workers: int = 1
    delta_share: float | None = None

    @property
    def num_steps(self) -> int:
        """Number of all updates, also those after the best step."""
        return self.curve[-1].step

    @property
    def result(self) -> RunResult:
        """The numbers of the run, without the model."""
        return RunResult(
            seed=self.seed,
            val_accuracy=self.best.val_accuracy,
            test_accuracy=self.test_accuracy,
            val_loss=self.best.val_loss,
            train_accuracy=self.best.train_accuracy,
            best_step=self.best.step,
            num_steps=self.num_steps,
            seconds=round(self.seconds, 3),
            val_score=getattr(self.best, "val_score", None),
        )

    def evaluation(self, part: str = "test", decision: Decision | None = None) -> Evaluation | None:
        """Computes every metric of one part of the split.

        The majority class is that of the training and validation nodes, the positive class the
        rarer one of the training nodes.

        Args:
            part: `train`, `val` or `test`.
            decision: How logits become probabilities and answers; by default that of the run.

        Returns:
            The metrics, or None if the part has no nodes.
        """
        nodes = getattr(self.graph, part)
        if not len(nodes):
            return None
        decision = decision or self.decision
        probabilities = decision.probabilities(self.logits[nodes])
        return evaluate(
            self.graph.labels[nodes],
            probabilities,
            predicted=decision.labels(probabilities),
            class_names=self.graph.class_names,
            majority=majority_class(self.graph),
            positive=positive_class(self.graph),
        )

    def export(
        self,
        path: str | Path,
        *,
        keep_node_ids: bool = False,
        max_nodes: int | None = None,
        recipe: Mapping[str, Any] | None = None,
    ) -> Path:
        """Writes the model as a SavedModel with the names of its classes, features and nodes.

        Args:
            path: Folder to write.
            keep_node_ids: Whether the SavedModel keeps the node ids themselves; see
                `mixhop_tf.export_saved_model`.
            max_nodes: Largest number of nodes in a sparse request.

        Returns:
            The path of the folder.

        Raises:
            ValueError: The run has no model, because it is that of a classical method.
        """
        if self.model is None:
            raise ValueError("This run has no model: a classical method predicts its own graph.")
        return mixhop_tf.export_saved_model(
            self.model,
            path,
            self.inputs,
            self.graph.class_names,
            feature_names=self.graph.feature_names,
            # Hashes of millions of ids would be larger than the model by far.
            node_ids=self.graph.node_ids if self.graph.num_nodes <= _MOST_KNOWN else None,
            keep_node_ids=keep_node_ids,
            max_nodes=max_nodes or max_served_nodes(self.graph.num_nodes),
            recipe=recipe,
        )
