"""The training loop: updates, an evaluation after each, the best step remembered."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

import datasets
import mixhop_tf
from mixhop_tf.proximal import ProximalLasso, power_scales
from mixhop_tf.shrink import load_weights
from trainers.config import RunConfig
from trainers.errors import DivergedError, RunError
from trainers.inputs import Inputs
from trainers.optimizers import OPTIMIZERS
from trainers.selection import RULES, Evaluation


@dataclasses.dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """One step of a run: how the weights do after `step` updates.

    `loss` is the training loss with dropout and penalties, `learning_rate` that of the update that
    led here.
    """

    step: int
    learning_rate: float
    loss: float
    train_accuracy: float
    val_accuracy: float
    val_loss: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class Run:
    """A finished run: its best step, its curve, and the model with the weights of that step."""

    seed: int
    best: CurvePoint
    test_accuracy: float | None
    curve: tuple[CurvePoint, ...]
    seconds: float
    model: Any

    @property
    def num_steps(self) -> int:
        """Updates made, those after the best step included."""
        return self.curve[-1].step


# A learning rate below this share of the first one is zero but for rounding.
_SPENT = 1e-6

OnStep = Callable[[CurvePoint, CurvePoint], None]


class _Best(NamedTuple):
    """The best step so far."""

    score: tuple[float, ...] = ()  # less than any other
    point: Any = None
    weights: Any = None


class _Progress:
    """The last step that counts as progress, from which patience is measured."""

    def __init__(self, either: bool) -> None:
        self.step = 0
        self._either = either
        self._accuracy, self._loss = 0.0, math.inf

    def see(self, point: CurvePoint, best: CurvePoint) -> None:
        """The step is the best one, or the last that was no worse than all before it in either."""
        if not self._either:
            self.step = best.step
        elif point.val_accuracy >= self._accuracy or point.val_loss <= self._loss:
            self.step = point.step
        self._accuracy = max(self._accuracy, point.val_accuracy)
        self._loss = min(self._loss, point.val_loss)


class Trainer:
    """Trains one configuration on one graph, seed after seed, compiled once.

    A call of the compiled step evaluates the current weights and makes the next update: both need
    the same weights and run side by side. So the evaluation after update `i` comes with call
    `i + 1`, and the weights of before the update are among what a call returns.

    Training ends after `max_steps` updates, when the learning rate has fallen to zero, or when the
    best step (or the last progress, see `Settings.patience_for`) lies more than `patience` back.

    Args:
        graph: The graph, with training and validation nodes.
        config: What to train.
        whole_graph: Compute with all nodes in every step, although the model does not look so far
            (`GraphModel.hops`): slower, but for the numbers drawn in dropout the same.

    Reference: Section 5.2 of the paper, and the original's trainer.
    """

    def __init__(
        self, graph: datasets.Graph, config: RunConfig, *, whole_graph: bool = False
    ) -> None:
        self.config = config
        self._graph = graph
        self._settings = config.settings
        self._architecture = mixhop_tf.architecture_from_dict(config.architecture)
        self._rule = RULES[self._settings.selection]
        self._model = self._build(seed=0)
        self._inputs = Inputs.of(graph, self._model, whole_graph=whole_graph)
        # An update needs what the training nodes see of the graph, an evaluation also what the
        # validation nodes see; the whole is needed once a run, for the test nodes.
        self._trained = self._inputs.part(graph.train)
        watched = graph.test if self._rule.looks_at_test else graph.test[:0]
        seen = graph.train, graph.val, watched
        self._evaluated = self._inputs.part(np.concatenate(seen))
        self._num_seen = [len(nodes) for nodes in seen]
        self._variables = self._model.trainable_variables
        self._optimizer = OPTIMIZERS[self._settings.optimizer](self._variables)
        self._proximal = self._make_proximal()
        self._step = tf.function(self._evaluate_and_update)
        schedule = mixhop_tf.LinearDecrement(
            self._settings.learning_rate, self._settings.decay_every, self._settings.decay_fraction
        )
        self._rates = schedule(tf.range(self._settings.max_steps + 1)).numpy()

    @property
    def inputs(self) -> tuple[tf.SparseTensor, tf.SparseTensor]:
        """The pair `(features, operator)` that a model is called with."""
        return self._inputs.raw_pair

    def run(
        self,
        seed: int,
        on_step: OnStep | None = None,
        weights: Mapping[str, np.ndarray] | None = None,
    ) -> Run:
        """Trains from this seed.

        Args:
            seed: Of the weights and of dropout.
            on_step: Called after each step with its point of the curve and the best one so far.
            weights: Weights by name to start from, in place of fresh ones.

        Raises:
            DivergedError: If the loss is no longer a number.
        """
        start = time.perf_counter()
        model = self._build(seed)
        if weights is not None:
            load_weights(model, weights)
        for variable, fresh in zip(self._model.variables, model.variables, strict=True):
            variable.assign(fresh)
        self._optimizer.reset()
        curve, best = self._descend(on_step)
        for variable, value in zip(model.trainable_variables, best.weights, strict=True):
            variable.assign(value)
        return Run(
            seed=seed,
            best=best.point,
            test_accuracy=self._test_accuracy(model),
            curve=tuple(curve),
            seconds=time.perf_counter() - start,
            model=model,
        )

    def _descend(self, on_step: OnStep | None) -> tuple[list[CurvePoint], _Best]:
        """Trains the compiled model from where it is."""
        curve: list[CurvePoint] = []
        best = _Best()
        sizes = self._optimizer.step_sizes(self._rates)
        progress = _Progress(either=self._settings.patience_for == "either")
        for step, rate in enumerate(self._rates):
            metrics, test_logits, weights = self._step(tf.constant(sizes[step]))
            numbers = metrics.numpy().tolist()
            self._check_finite(step, numbers)
            if not step:
                continue  # the weights as drawn
            point = self._point(step, numbers)
            curve.append(point)
            score = self._rule.score(self._evaluation(point, test_logits))
            if score > best.score:
                best = _Best(score, point, weights)
            if on_step:
                on_step(point, best.point)
            progress.see(point, best.point)
            if rate <= _SPENT * self._rates[0] or step > progress.step + self._settings.patience:
                break
        return curve, best

    def _build(self, seed: int) -> Any:
        model = mixhop_tf.build_model(
            self._architecture,
            self._graph.num_features,
            self._graph.num_classes,
            kernel_regularizer=mixhop_tf.GroupLasso(
                lasso=self._settings.lasso if self._settings.lasso_kind == "gradient" else 0.0,
                l2=self._settings.l2,
            ),
            scaling=self.config.data.scaling_of(self._graph),
            seed=seed,
            # Only MixHop's models know it.
            **({"shared_first_kernel": True} if self.config.shared_first_kernel else {}),
        )
        model.adapt(self._graph.features)
        return model

    def _make_proximal(self) -> ProximalLasso | None:
        kind = self._settings.lasso_kind
        if kind == "gradient":
            return None
        if not isinstance(self._model, mixhop_tf.MixHopModel):
            raise RunError(
                f"--lasso_kind {kind} is for MixHop's kernels; leave it out, or use "
                "--lasso_kind gradient."
            )
        # Of freshly drawn weights, the same for all seeds: wide layers hardly differ in this.
        scales = power_scales(self._model, self._inputs.pair) if kind == "scaled" else None
        try:
            return ProximalLasso(
                self._model,
                self._settings.lasso,
                scales,
                adaptive=self._settings.optimizer == "adam",
            )
        except ValueError as error:
            raise RunError(f"--lasso_kind {kind} does not fit --architecture: {error}") from None

    def _evaluate_and_update(self, size: tf.Tensor) -> Any:
        """Metrics, test logits if the rule looks at them, and weights; and then the update."""
        inputs = self._inputs
        weights = [tf.identity(variable) for variable in self._variables]
        logits = self._model(self._evaluated.pair, normalized=True)
        train_logits, val_logits, test_logits = tf.split(
            tf.gather(logits, self._evaluated.rows), self._num_seen
        )
        with tf.GradientTape() as tape:
            trained = [
                _cross_entropy(inputs.train_labels, tf.gather(each, self._trained.rows))
                for each in self._model.training_logits(self._trained.pair, normalized=True)
            ]
            loss = tf.add_n(trained) + tf.add_n(self._model.losses)
        gradients = tape.gradient(loss, self._variables)
        metrics = [
            loss,
            _num_correct(inputs.train_labels, train_logits),
            _num_correct(inputs.val_labels, val_logits),
            _cross_entropy(inputs.val_labels, val_logits),
        ]
        self._optimizer.apply(gradients, size)
        if self._proximal:
            self._proximal.apply(size)
        return tf.stack(metrics), test_logits, weights

    def _check_finite(self, step: int, numbers: list[float]) -> None:
        if not np.all(np.isfinite(numbers)):
            settings = self._settings
            raise DivergedError(
                f"The loss is {numbers[0]} after {step} steps: training diverged; lower "
                f"--learning_rate (it is {settings.learning_rate:g})."
                if step
                else f"The loss is {numbers[0]} before the first step; lower --l2 (it is "
                f"{settings.l2:g}) or --lasso (it is {settings.lasso:g})."
            )

    def _point(self, step: int, numbers: list[float]) -> CurvePoint:
        loss, train_correct, val_correct, val_loss = numbers
        return CurvePoint(
            step=step,
            learning_rate=float(self._rates[step - 1]),
            loss=loss,
            train_accuracy=train_correct / len(self._graph.train),
            val_accuracy=val_correct / len(self._graph.val),
            val_loss=val_loss,
        )

    def _evaluation(self, point: CurvePoint, test_logits: tf.Tensor) -> Evaluation:
        test = self._accuracy(test_logits) if self._rule.looks_at_test else math.nan
        return Evaluation(point.step, point.val_accuracy, point.val_loss, test)

    def _test_accuracy(self, model: Any) -> float | None:
        nodes = self._graph.test
        if not len(nodes):
            return None
        return self._accuracy(tf.gather(model(self._inputs.pair, normalized=True), nodes))

    def _accuracy(self, test_logits: tf.Tensor) -> float:
        labels = self._graph.labels[self._graph.test]
        return float(np.mean(test_logits.numpy().argmax(axis=1) == labels))


def _cross_entropy(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


def _num_correct(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(tf.cast(tf.argmax(logits, axis=1) == labels, tf.float32))
