"""Fits a classical method, by the same rules as a network is trained."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
import scipy.special
from threadpoolctl import threadpool_limits

from mixhop_tf.classical.procedures import logits_by_step
from mixhop_tf.errors import DivergedError
from mixhop_tf.methods import Method
from mixhop_tf.ops.neighbors import feature_matrix
from mixhop_tf.training.curve import CurvePoint
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.patience import Best, Patience
from mixhop_tf.training.run import Run
from mixhop_tf.training.scaling import resolve_scaling
from mixhop_tf.training.selection import RULES, Evaluation
from mixhop_tf.training.settings import Settings
from mixhop_tf.training.threads import use_one_thread_per_op
from mixhop_tf.training.trainer import OnStep
from mixhop_tf.training.validation import ValidationScore, check_settings, decide


class MethodTrainer:
    """Fits one of `mixhop_tf.methods` to a graph, from any number of seeds.

    Each step of the method gives logits of all nodes. The validation nodes choose the best step, as
    in a `Trainer`; most methods have one step only. A run takes seconds and keeps no checkpoint.

    Args:
        graph: The graph, with training and validation nodes.
        method: The description of the method.
        settings: Settings, of which `learning_rate`, `l2`, `max_steps`, `patience`, `patience_for`,
            `selection`, `select_by`, `calibrate` and `threshold` are used.
        scaling: Scaling of the features, as for a `Trainer`.
        **ignored: Other arguments of a `Trainer`, which say nothing here.
    """

    def __init__(
        self,
        graph: Graph,
        method: Method,
        settings: Settings | None = None,
        *,
        scaling: str = "auto",
        **ignored: Any,  # noqa: ARG002
    ) -> None:
        self.settings = settings or Settings()
        check_settings(graph, self.settings)
        use_one_thread_per_op()
        self._graph, self._method = graph, method
        self._scaling = resolve_scaling(scaling, feature_matrix(graph))
        self._rule = RULES[self.settings.selection]
        self._score = ValidationScore(self.settings.select_by, graph)

    def run(
        self,
        seed: int,
        on_step: OnStep | None = None,
        weights: Any = None,  # noqa: ARG002
        checkpoint: Any = None,  # noqa: ARG002
    ) -> Run:
        """Fits the method from a seed.

        Args:
            seed: The seed.
            on_step: Function that is called after each step with its point and the best one so far.
            weights: Not used.
            checkpoint: Not used.
        """
        start = time.perf_counter()
        with threadpool_limits(1):  # the matrices are small, and one thread gives the same bits
            curve, best = self._steps(seed, on_step)
        logits = best.weights
        decision = decide(self.settings, self._graph, logits)
        return Run(
            seed=seed,
            best=best.point,
            test_accuracy=self._accuracy(decision.answers(logits), "test"),
            curve=tuple(curve),
            seconds=time.perf_counter() - start,
            model=None,
            graph=self._graph,
            inputs=None,
            logits=logits,
            decision=decision,
            select_by=self.settings.select_by,
        )

    def _steps(self, seed: int, on_step: OnStep | None) -> tuple[list[CurvePoint], Best]:
        curve: list[CurvePoint] = []
        best, patience = Best(), Patience(self.settings)
        steps = logits_by_step(
            self._graph,
            self._method,
            scaling=self._scaling,
            learning_rate=self.settings.learning_rate,
            l2=self.settings.l2,
            seed=seed,
        )
        for step, logits in enumerate(itertools.islice(steps, self.settings.max_steps), 1):
            if not np.all(np.isfinite(logits)):
                rate = {"learning_rate": self.settings.learning_rate}
                raise DivergedError(float("nan"), step, rate)
            point = self._point(step, logits)
            curve.append(point)
            score = self._rule.score(self._evaluation(point, logits))
            if score > best.score:
                best = Best(score, point, logits)
            if on_step:
                on_step(point, best.point)
            if patience.is_spent(point, best.point):
                break
        return curve, best

    def _point(self, step: int, logits: np.ndarray) -> CurvePoint:
        answers, labels = logits.argmax(axis=1), self._graph.labels
        point = CurvePoint(
            step=step,
            learning_rate=self.settings.learning_rate,
            loss=_cross_entropy(logits, labels, self._graph.train),
            train_accuracy=self._accuracy(answers, "train") or 0.0,
            val_accuracy=self._accuracy(answers, "val") or 0.0,
            val_loss=_cross_entropy(logits, labels, self._graph.val),
        )
        needed = logits[self._graph.val] if self._score.needs_logits else None
        return self._score.on_point(point, needed)

    def _evaluation(self, point: CurvePoint, logits: np.ndarray) -> Evaluation:
        looks = self._rule.looks_at_test
        test = self._accuracy(logits.argmax(axis=1), "test") if looks else None
        return Evaluation(
            point.step, point.score, point.val_loss, float("nan") if test is None else test
        )

    def _accuracy(self, answers: np.ndarray, part: str) -> float | None:
        """Computes the share of right answers; None without nodes."""
        nodes = getattr(self._graph, part)
        if not len(nodes):
            return None
        return float(np.mean(answers[nodes] == self._graph.labels[nodes]))


def _cross_entropy(logits: np.ndarray, labels: np.ndarray, nodes: np.ndarray) -> float:
    shares = scipy.special.log_softmax(logits[nodes].astype(np.float64), axis=1)
    return float(-shares[np.arange(len(nodes)), labels[nodes]].mean())
