"""Evaluates a model during training: on the whole graph, or on the same few batches each time.

`field_validation` has the way of most models on large graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.training.batches.cut import Cutter
from mixhop_tf.training.batches.draw import Sampler
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.inputs import Inputs
from mixhop_tf.training.objective import cross_entropy, num_correct

# Seed of the batches that evaluate: the same for every run.
_SEED = 0


class Scores(NamedTuple):
    """How good the current weights are.

    Attributes:
        train_accuracy: Accuracy on the training nodes; None if they are not evaluated.
        val_accuracy, val_loss: Numbers of the validation nodes.
        val_logits: Logits of the validation nodes `[num_val, c]`.
    """

    train_accuracy: float | None
    val_accuracy: float
    val_loss: float
    val_logits: tf.Tensor


class WholeGraph:
    """Evaluates all training and validation nodes in the whole graph.

    Args:
        model: The model that is trained.
        graph: The graph.
        inputs: The tensors of the graph.
    """

    def __init__(self, model: GraphModel, graph: Graph, inputs: Inputs) -> None:
        self.val = graph.val
        self._model, self._inputs = model, inputs
        self._sizes = [len(graph.train), len(graph.val)]
        self._part = inputs.part(np.concatenate([graph.train, graph.val]))
        self._compiled = tf.function(self._numbers)

    def __call__(self) -> Scores:
        """Evaluates the current weights."""
        numbers, logits = self._compiled()
        train_correct, val_correct, val_loss = numbers.numpy().tolist()
        num_train, num_val = self._sizes
        return Scores(train_correct / num_train, val_correct / num_val, val_loss, logits)

    def _numbers(self) -> tuple[tf.Tensor, tf.Tensor]:
        logits = self._model(self._part.pair, normalized=True)
        train, val = tf.split(tf.gather(logits, self._part.rows), self._sizes)
        labels = self._inputs.val_labels
        correct = num_correct(self._inputs.train_labels, train)
        numbers = [correct, num_correct(labels, val), cross_entropy(labels, val)]
        return tf.stack(numbers), val


class SampledBatches:
    """Evaluates validation nodes in a few batches, which are cut once and kept.

    Args:
        cutter: Cuts the batches.
        sampler: Draws batches whose targets are the validation nodes.
        logits: Compiled function from the tensors of a batch to the logits of its targets.
        count: Number of batches.
    """

    def __init__(
        self,
        cutter: Cutter,
        sampler: Sampler,
        logits: Callable[[Sequence[Any]], tf.Tensor],
        count: int,
    ) -> None:
        self._logits = logits
        self._batches, seen, labels = [], [np.empty(0, np.int64)], []
        for number in range(min(count, sampler.num_batches)):
            draw = sampler.draw(_SEED, number)
            # A node that an earlier batch has counts once.
            new = ~np.isin(draw.nodes[draw.counted], np.concatenate(seen))
            draw = draw._replace(counted=draw.counted[new], weights=draw.weights[new])
            seen.append(draw.nodes[draw.counted])
            batch = cutter.cut(draw)
            labels.append(batch[-2])
            self._batches.append(tuple(tf.constant(array) for array in batch))
        self.val = np.concatenate(seen)
        self._labels = tf.constant(np.concatenate(labels))

    def __call__(self) -> Scores:
        """Evaluates the current weights."""
        logits = tf.concat([self._logits(batch) for batch in self._batches], axis=0)
        correct = float(num_correct(self._labels, logits))
        loss = float(cross_entropy(self._labels, logits))
        return Scores(None, correct / len(self.val), loss, logits)
