"""The training loop of several workers on batches; see `BatchTrainer` for that of one process."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import tensorflow as tf

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.tensors import Pair
from mixhop_tf.training.batches.evaluation import Scores
from mixhop_tf.training.batches.trainer import BatchTrainer
from mixhop_tf.training.batches.turns import Turns
from mixhop_tf.training.checkpoint import State
from mixhop_tf.training.curve import CurvePoint
from mixhop_tf.training.parted.together import TogetherTrainer, summed
from mixhop_tf.training.parted.trained import fold_rank
from mixhop_tf.training.patience import Best
from mixhop_tf.training.trainer import OnStep


class PartBatchTrainer(TogetherTrainer, BatchTrainer):
    """Trains one model by several workers; in each update, each of them has a batch of its own.

    A step has the same batches as in one process, and `1 / k` as many updates. The gradient of an
    update is the mean of the gradients of its batches. A batch counts its training nodes as in one
    process: an epoch counts all of them the same. Batch norm is that of the own batch, dropout
    differs between workers, and all work with the chief's scores of the validation nodes.

    Every worker reads the graph, of which batches take little memory if it is mapped from a file.
    """

    _SIZE = tf.TensorSpec([2], tf.float32)  # the step size and the share of the own batch

    def _take_turns(self, count: int) -> Turns:
        return Turns(count, self._group.size, self._group.rank)

    def _scores(self) -> Scores:
        """Evaluates on every worker, and returns the chief's scores: the last digits may differ."""
        scores = super()._scores()
        is_known = scores.train_accuracy is not None
        numbers = [scores.train_accuracy or 0.0, scores.val_accuracy, scores.val_loss]
        agreed = self._group.agreed(tf.constant(numbers, tf.float64)).numpy().tolist()
        train_accuracy, val_accuracy, val_loss = agreed
        logits = self._group.agreed(scores.val_logits)
        return Scores(train_accuracy if is_known else None, val_accuracy, val_loss, logits)

    def _descend(
        self,
        seed: int,
        on_step: OnStep | None,
        state: State | None = None,
        after: Callable[[int], object] = lambda _: None,
    ) -> tuple[list[CurvePoint], Best]:
        """Trains with other dropout on each worker; all return the chief's weights."""
        fold_rank(self._model, self._group.rank)
        curve, best = super()._descend(seed, on_step, state, after)
        weights = [self._group.agreed(each) for each in best.weights]
        return curve, best._replace(weights=weights)

    def _updated(self, batch: Sequence[tf.Tensor], number: int, size: np.floating) -> tf.Tensor:
        return self._step(batch, tf.constant([size, self._turns.share(number)], tf.float32))

    def _update(self, tensors: Sequence[tf.Tensor], size: tf.Tensor) -> tf.Tensor:
        """Makes an update of all workers; `size` has the step size and the share of this batch."""
        size, share = tf.unstack(size)
        gradients, metrics = self._gradients(tensors)
        weighed = [share * tf.convert_to_tensor(each) for each in gradients]
        counted = tf.where(share > 0, metrics, tf.zeros_like(metrics))
        weighed, counted = summed(self._group, weighed, counted)
        self._apply(weighed, size)
        return counted

    def _finish(self, model: GraphModel) -> tuple[np.ndarray, GraphModel, Pair | None]:
        """Computes the exact logits of all nodes; all workers return the chief's."""
        logits, model, inputs = super()._finish(model)
        return self._group.agreed(logits).numpy(), model, inputs
