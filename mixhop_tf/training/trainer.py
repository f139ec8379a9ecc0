"""The training loop. It updates, evaluates after each update and keeps the best step."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf

import mixhop_tf
from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.decision import Decision
from mixhop_tf.delta import count_deltas
from mixhop_tf.errors import DivergedError
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.weights import load_weights
from mixhop_tf.ops.neighbors import feature_matrix
from mixhop_tf.tensors import Pair
from mixhop_tf.training.checkpoint import Checkpoint, Keeper, State, run_fingerprint
from mixhop_tf.training.curve import CurvePoint
from mixhop_tf.training.fresh_model import fresh_model
from mixhop_tf.training.graph import Graph, check_direction
from mixhop_tf.training.inputs import Inputs
from mixhop_tf.training.large import constant_hops, inference_logits
from mixhop_tf.training.lasso import proximal_lasso
from mixhop_tf.training.objective import cross_entropy, num_correct
from mixhop_tf.training.optimizers import OPTIMIZERS
from mixhop_tf.training.patience import Best, Patience
from mixhop_tf.training.run import Run
from mixhop_tf.training.scaling import resolve_scaling
from mixhop_tf.training.schedules import LinearDecrement
from mixhop_tf.training.selection import RULES, Evaluation
from mixhop_tf.training.settings import Settings
from mixhop_tf.training.size import is_large
from mixhop_tf.training.threads import use_one_thread_per_op
from mixhop_tf.training.validation import ValidationScore, check_settings, decide
from mixhop_tf.training.weighting import node_weights

# A learning rate below this share of the first one would be zero without rounding.
_SPENT = 1e-6

OnStep = Callable[[CurvePoint, CurvePoint], None]


class Trainer:
    """Trains one configuration on one graph from any number of seeds, and compiles it only once.

    Each call of the compiled step evaluates the current weights and makes the next update. Both
    need the same weights and run in parallel. So the evaluation after update `i` comes from call
    `i + 1`, and each call also returns the weights before its update.

    Training ends after `max_steps` updates, when the learning rate has dropped to zero, or when the
    last progress (see `Settings.patience_for`) was more than `patience` steps ago.

    Args:
        graph: The graph, with training and validation nodes.
        architecture: The `Architecture` to train, or one of `mixhop_tf.baselines`.
        settings: The hyper-parameters; see `Settings` for the defaults.
        scaling: Scaling of the features: `rows`, `standardize`, `none` or `auto`; see
            `resolve_scaling`.
        shared_first_kernel: Whether all powers of MixHop's first layer share one kernel, so that
            delta operators can be counted.
        whole_graph: Whether every step uses all nodes, also those that the model does not need (see
            `GraphModel.hops`). This is slower, and only the random numbers of dropout differ.
        checkpoint: Checkpoint of the runs that are not given one of their own.

    Reference: Section 5.2 of the paper, and the original's trainer.
    """

    def __init__(
        self,
        graph: Graph,
        architecture: Architecture | Baseline,
        settings: Settings | None = None,
        *,
        scaling: str = "auto",
        shared_first_kernel: bool = False,
        whole_graph: bool = False,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.settings = settings or Settings()
        check_settings(graph, self.settings)
        check_direction(graph, architecture)
        use_one_thread_per_op()
        self._graph = graph
        self._architecture = architecture
        self._scaling = resolve_scaling(scaling, feature_matrix(graph))
        self._shared_first_kernel = shared_first_kernel
        self._whole_graph = whole_graph
        self._checkpoint = checkpoint
        self._rule = RULES[self.settings.selection]
        self._score = ValidationScore(self.settings.select_by, graph)
        self._weights: Any = node_weights(self.settings.class_weight, graph)
        self._model = self._build(seed=0)
        schedule = LinearDecrement(
            self.settings.learning_rate, self.settings.decay_every, self.settings.decay_fraction
        )
        self._rates = schedule(tf.range(self.settings.max_steps + 1)).numpy()
        self._prepare()

    def _prepare(self) -> None:
        """Makes everything that the runs of all seeds share."""
        self._prepare_nodes()
        self._hops = constant_hops(self._model, self._inputs.pair)
        self._variables = self._model.trainable_variables
        self._optimizer = OPTIMIZERS[self.settings.optimizer](self._variables)
        self._proximal: Any = proximal_lasso(self._model, self.settings, self._inputs.pair)
        # No condition depends on a tensor, and converting the source code would take seconds.
        self._step = tf.function(self._evaluate_and_update, autograph=False)

    def _prepare_nodes(self) -> None:
        """Makes the tensors of the graph and says which of its nodes train and are evaluated."""
        graph = self._graph
        self._inputs = Inputs.of(graph, self._model, whole_graph=self._whole_graph)
        # An update needs what the training nodes see, an evaluation what the validation nodes see,
        # too. Test nodes are evaluated once in a run.
        self._trained = self._inputs.part(graph.train)
        watched = graph.test if self._rule.looks_at_test else graph.test[:0]
        seen = graph.train, graph.val, watched
        self._evaluated = self._inputs.part(np.concatenate(seen))
        self._num_seen: Any = [len(nodes) for nodes in seen]

    def run(
        self,
        seed: int,
        on_step: OnStep | None = None,
        weights: Mapping[str, np.ndarray] | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> Run:
        """Trains from a seed of the weights and of dropout.

        Args:
            seed: The seed.
            on_step: Function that is called after each step with its point and the best one so far.
            weights: Weights by name to start from, in place of fresh ones.
            checkpoint: Keeps the state of the run. If it holds a state of this run, the run
                continues from there to the same bits, without calling `on_step` for earlier steps.

        Raises:
            DivergedError: The loss has become infinite or NaN.
        """
        start = time.perf_counter()
        model = self._build(seed)
        if weights is not None:
            load_weights(model, weights)
        keeper = Keeper(
            checkpoint or self._checkpoint,
            lambda: run_fingerprint(self._graph, self._identity(seed), weights or {}),
            self._model.variables,
            self._optimizer.moments,
        )
        self._optimizer.reset()
        state = keeper.load(model.variables)
        with keeper:
            curve, best = self._descend(seed, on_step, state, keeper.after)
        for variable, value in zip(model.trainable_variables, best.weights, strict=True):
            variable.assign(value)
        logits, model, inputs = self._finish(model)
        model.decision = decide(self.settings, self._graph, logits)
        return Run(
            seed=seed,
            best=best.point,
            test_accuracy=self._test_accuracy(model.decision, logits),
            curve=tuple(curve),
            seconds=time.perf_counter() - start + keeper.seconds_before,
            model=model,
            graph=self._graph,
            inputs=inputs,
            logits=logits,
            decision=model.decision,
            select_by=self.settings.select_by,
            batches=self.settings.batches,
            delta_share=count_deltas(model).share if self._shared_first_kernel else None,
        )

    def _descend(
        self,
        seed: int,  # noqa: ARG002  # the state of the model has it
        on_step: OnStep | None,
        state: State | None = None,
        after: Callable[[int], object] = lambda _: None,
    ) -> tuple[list[CurvePoint], Best]:
        """Trains the compiled model from its current state; calls `after` after each step."""
        state = state or State()
        sizes = self._optimizer.step_sizes(self._rates)
        patience = Patience(self.settings, state.patience)
        for step in range(state.next_step, len(self._rates)):
            metrics, logits, weights = self._step(tf.constant(sizes[step]))
            numbers = metrics.numpy().tolist()
            self._check_finite(step, numbers)
            state.next_step = step + 1
            if not step:
                continue  # the weights have not been updated yet
            point = self._score.on_point(self._point(step, numbers), logits["val"])
            if self._note(state, point, logits["test"], weights, patience, on_step):
                break
            after(step)
        return state.curve, state.best

    def _note(
        self,
        state: State,
        point: CurvePoint,
        test_logits: Any,
        weights: Sequence[tf.Tensor],
        patience: Patience,
        on_step: OnStep | None,
    ) -> bool:
        """Adds a point to the state, and says whether the run ends here."""
        state.curve.append(point)
        score = self._rule.score(self._evaluation(point, test_logits))
        if score > state.best.score:
            state.best = Best(score, point, weights)
        if on_step:
            on_step(point, state.best.point)
        spent = patience.is_spent(point, state.best.point)
        state.patience = patience.state
        if spent or self._rates[point.step] <= _SPENT * self._rates[0]:
            state.next_step = len(self._rates)
        return state.next_step == len(self._rates)

    def _finish(self, model: GraphModel) -> tuple[np.ndarray, GraphModel, Pair | None]:
        """Computes the logits of all nodes; returns them with the model and its inputs."""
        logits = inference_logits(model, self._inputs.pair, self._hops).numpy()
        return logits, model, self._inputs.raw_pair

    def _identity(self, seed: int) -> dict[str, Any]:
        """Returns all that decides the bits of a run, except the graph and the first weights."""
        return {
            "architecture": self._architecture.to_dict(),
            "settings": dataclasses.asdict(self.settings),
            "options": [self._scaling, self._shared_first_kernel, self._whole_graph],
            "seed": seed,
            "versions": [mixhop_tf.__version__, tf.__version__, keras.__version__],
        }

    def _build(self, seed: int) -> Any:
        options: dict[str, Any] = {"scaling": self._scaling, "seed": seed}
        if self._shared_first_kernel:  # other models than MixHop do not have this argument
            options["shared_first_kernel"] = True
        return fresh_model(self._graph, self._architecture, self.settings, **options)

    def _evaluate_and_update(self, size: tf.Tensor) -> Any:
        """Updates, and returns metrics, the logits that the rule uses, and old weights."""
        labels, val_labels = self._inputs.train_labels, self._inputs.val_labels
        weights = [tf.identity(variable) for variable in self._variables]
        logits = inference_logits(self._model, self._evaluated.pair, self._hops)
        train_logits, val_logits, test_logits = tf.split(
            tf.gather(logits, self._evaluated.rows), self._num_seen
        )
        first = [logits] if is_large(self._graph) else []  # both at once take more memory
        with tf.control_dependencies(first), tf.GradientTape() as tape:
            trained = [
                cross_entropy(labels, tf.gather(each, self._trained.rows), self._weights)
                for each in self._model.training_logits(self._trained.pair, normalized=True)
            ]
            loss = tf.add_n(trained) + tf.add_n(self._model.losses)
        gradients = tape.gradient(loss, self._variables)
        metrics = [
            loss,
            num_correct(labels, train_logits),
            num_correct(val_labels, val_logits),
            cross_entropy(val_labels, val_logits),
        ]
        self._optimizer.apply(gradients, size)
        if self._proximal:
            self._proximal.apply(size)
        used = {"test": test_logits, "val": val_logits if self._score.needs_logits else None}
        return tf.stack(metrics), used, weights

    def _check_finite(self, step: int, numbers: list[float]) -> None:
        if not np.all(np.isfinite(numbers)):
            names = ["learning_rate"] if step else ["l2", "lasso"]
            lower = {name: getattr(self.settings, name) for name in names}
            raise DivergedError(numbers[0], step, lower)

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

    def _evaluation(self, point: CurvePoint, logits: Any) -> Evaluation:
        used = logits is not None and self._rule.looks_at_test
        test = self._accuracy(logits.numpy().argmax(axis=1)) if used else math.nan
        return Evaluation(point.step, point.score, point.val_loss, test)

    def _test_accuracy(self, decision: Decision, logits: np.ndarray) -> float | None:
        nodes = self._graph.test
        return self._accuracy(decision.answers(logits[nodes])) if len(nodes) else None

    def _accuracy(self, answers: np.ndarray) -> float:
        return float(np.mean(answers == self._graph.labels[self._graph.test]))
