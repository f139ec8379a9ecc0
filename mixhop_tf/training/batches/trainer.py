"""The training loop on batches; see `Trainer` for what both loops share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.tensors import Pair
from mixhop_tf.training.batches.evaluation import SampledBatches, Scores, WholeGraph
from mixhop_tf.training.batches.field_validation import FieldValidation, make_fields
from mixhop_tf.training.batches.pipeline import batches
from mixhop_tf.training.batches.source import BatchSource
from mixhop_tf.training.batches.spec import Batches
from mixhop_tf.training.batches.turns import Turns
from mixhop_tf.training.batches.whole_graph import whole_graph_logits
from mixhop_tf.training.checkpoint import State
from mixhop_tf.training.curve import CurvePoint
from mixhop_tf.training.graph import Resplit
from mixhop_tf.training.inputs import Inputs
from mixhop_tf.training.lasso import proximal_lasso
from mixhop_tf.training.optimizers import OPTIMIZERS
from mixhop_tf.training.patience import Best, Patience
from mixhop_tf.training.trainer import OnStep, Trainer
from mixhop_tf.training.validation import ValidationScore

# A graph with more entries is evaluated on batches during training.
_SMALL = 2_000_000
_MAX_UPDATES = 100  # of a step
# An evaluation has one batch for so many updates. It has no gradients, so it takes a few percent.
_UPDATES_PER_EVALUATED = 5


class BatchTrainer(Trainer):
    """Trains on batches of a graph, as `Settings.batches` describes them.

    A step is a round of updates and one evaluation. A round is an epoch, but at most 100 updates,
    or `Batches.updates`. The learning rate changes from step to step. The loss of a point of the
    curve is the mean over the updates of its step.

    Graphs with up to two million entries of `A + I` are evaluated as a whole after each step. On
    larger ones, each step evaluates the same sample of validation nodes, see `FieldValidation`, and
    the training accuracy is that of the updates, with dropout. The logits, the batch norm and the
    test accuracy of the finished run are always those of the whole graph.

    Args:
        graph: The graph, with training and validation nodes.
        architecture: The `Architecture` to train, or one of `mixhop_tf.baselines`.
        settings: The hyper-parameters, with `batches`.

    The other arguments are those of `Trainer`.
    """

    _SIZE = tf.TensorSpec([], tf.float32)

    def _prepare(self) -> None:
        """Makes everything that the runs of all seeds share."""
        graph, model = self._graph, self._model
        described = Batches.parse(self.settings.batches or "")
        source = BatchSource(graph, model, described, self.settings.class_weight)
        self._source = source
        self._whole = Inputs.of(graph, model) if source.num_entries <= _SMALL else None
        count = described.updates or min(_MAX_UPDATES, source.sampler.num_batches)
        self._turns = self._take_turns(count)
        self._variables = model.trainable_variables
        self._optimizer = OPTIMIZERS[self.settings.optimizer](self._variables)
        example = self._whole.pair if self._whole else source.scaled_parts(source.sampler, 1)[0][0]
        self._proximal = proximal_lasso(model, self.settings, example)
        self._step = tf.function(self._update, input_signature=[source.calls.specs, self._SIZE])
        self._evaluate = self._make_evaluation()

    def _take_turns(self, count: int) -> Turns:
        """Says which batches of a step are those of this process: all."""
        return Turns(count)

    def _make_evaluation(self) -> WholeGraph | FieldValidation | SampledBatches:
        if self._whole is not None:
            return WholeGraph(self._model, self._graph, self._whole)
        source, count = self._source, math.ceil(self._turns.count / _UPDATES_PER_EVALUATED)
        sampled = make_fields(
            self._model, self._graph, source.features, count * source.batches.size
        ) or SampledBatches(source.cutter, source.val_sampler, source.calls.target_logits, count)
        watched = Resplit(self._graph, train=self._graph.train, val=sampled.val)
        self._score = ValidationScore(self.settings.select_by, watched)
        return sampled

    def _descend(
        self,
        seed: int,
        on_step: OnStep | None,
        state: State | None = None,
        after: Callable[[int], object] = lambda _: None,
    ) -> tuple[list[CurvePoint], Best]:
        """Trains the compiled model from its current state; calls `after` after each step."""
        state = state or State()
        rates = np.repeat(self._rates[:-1], self._turns.updates)
        sizes = self._optimizer.step_sizes(rates)
        patience = Patience(self.settings, state.patience)
        first = max(state.next_step, 1)
        start = (first - 1) * self._turns.updates
        data = batches(self._source, seed, self._turns, start, len(rates))
        batch = iter(data)
        for step in range(first, len(self._rates)):
            scored = self._round(step, batch, sizes)
            state.next_step = step + 1
            weights = [tf.identity(variable) for variable in self._variables]
            if self._note(state, scored, None, weights, patience, on_step):
                break
            after(step)
        return state.curve, state.best

    def _round(self, step: int, batch: Iterator[Any], sizes: np.ndarray) -> CurvePoint:
        """Makes the updates of a step and evaluates the weights after them."""
        first = (step - 1) * self._turns.updates
        seen = [
            self._updated(next(batch), number, sizes[number])
            for number in range(first, first + self._turns.updates)
        ]
        total, correct, counted = np.sum([each.numpy() for each in seen], axis=0).tolist()
        loss, scores = total / self._turns.count, self._scores()
        self._check_finite(step, [loss, scores.val_loss])
        accuracy = scores.train_accuracy
        point = CurvePoint(
            step=step,
            learning_rate=float(self._rates[step - 1]),
            loss=loss,
            train_accuracy=correct / max(counted, 1.0) if accuracy is None else accuracy,
            val_accuracy=scores.val_accuracy,
            val_loss=scores.val_loss,
        )
        return self._score.on_point(point, scores.val_logits if self._score.needs_logits else None)

    def _scores(self) -> Scores:
        """Evaluates the current weights."""
        return self._evaluate()

    def _updated(
        self,
        batch: Sequence[tf.Tensor],
        number: int,  # noqa: ARG002  # several workers need it
        size: np.floating,
    ) -> tf.Tensor:
        """Makes the update of this number; returns what `_update` does."""
        return self._step(batch, tf.constant(size))

    def _update(self, tensors: Sequence[tf.Tensor], size: tf.Tensor) -> tf.Tensor:
        """Makes one update; returns its loss, and the right answers and the number of targets."""
        gradients, metrics = self._gradients(tensors)
        self._apply(gradients, size)
        return metrics

    def _gradients(self, tensors: Sequence[tf.Tensor]) -> tuple[list[tf.Tensor], tf.Tensor]:
        """Computes the gradients of a batch, and what `_update` returns."""
        counted, labels, weights = tensors[-3:]
        with tf.GradientTape() as tape:
            outputs = [
                tf.gather(each, counted) for each in self._source.calls.training_logits(tensors)
            ]
            losses = [
                tf.reduce_sum(
                    weights * tf.nn.sparse_softmax_cross_entropy_with_logits(labels, each)
                )
                for each in outputs
            ]
            loss = tf.add_n(losses) + tf.add_n(self._model.losses)
        right = tf.cast(tf.argmax(outputs[-1], axis=1) == labels, tf.float32)
        metrics = [loss, tf.reduce_sum(right), tf.cast(tf.size(labels), tf.float32)]
        return tape.gradient(loss, self._variables), tf.stack(metrics)

    def _apply(self, gradients: Sequence[tf.Tensor], size: tf.Tensor) -> None:
        self._optimizer.apply(gradients, size)
        if self._proximal:
            self._proximal.apply(size)

    def _finish(self, model: GraphModel) -> tuple[np.ndarray, GraphModel, Pair | None]:
        """Computes the exact logits of all nodes; returns them with the model and its inputs."""
        return whole_graph_logits(model, self._graph, self._whole)

    def _identity(self, seed: int) -> dict[str, Any]:
        """Returns all that decides the bits of a run, except the graph and the first weights."""
        described = [str(self._source.batches), self._turns.count]
        evaluated = type(self._evaluate).__name__
        return {**super()._identity(seed), "batches": described, "evaluated": evaluated}
