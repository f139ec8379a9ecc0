"""The training loop on several workers; see `Trainer` for what both loops share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.models.freeze import freeze_statistics
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.tensors import Pair
from mixhop_tf.training.checkpoint import State
from mixhop_tf.training.curve import CurvePoint
from mixhop_tf.training.large import constant_hops, inference_logits
from mixhop_tf.training.lasso import proximal_lasso
from mixhop_tf.training.objective import num_correct
from mixhop_tf.training.optimizers import OPTIMIZERS
from mixhop_tf.training.parted.inputs import PartInputs
from mixhop_tf.training.parted.together import TogetherTrainer, summed
from mixhop_tf.training.parted.trained import Trained
from mixhop_tf.training.patience import Best
from mixhop_tf.training.size import is_large
from mixhop_tf.training.trainer import OnStep


class PartTrainer(TogetherTrainer):
    """Trains one model by several workers, each with some rows of the graph.

    The losses, gradients, batch norm and dropout are those of the whole graph, so the run is that
    of one process up to rounding. Only on large graphs (see `is_large`) each worker draws other
    dropout. The model of the run has frozen batch norm, and no inputs. See `TogetherTrainer`.

    Args:
        graph: The graph, with training and validation nodes. Each worker reads its own rows; of a
            graph that is mapped from a file nothing else takes memory.
        architecture: The `Architecture` to train, or one of `mixhop_tf.baselines`. Attention does
            not work on several workers.
        settings: The hyper-parameters, without `batches`.
        group: The workers.

    The other arguments are those of `Trainer`.
    """

    def _prepare(self) -> None:
        """Makes everything that the runs of all seeds share."""
        graph = self._graph
        self._part = PartInputs.of(graph, self._model, self._group)
        self._hops = constant_hops(self._model, self._part.pair)
        partition = self._part.partition
        self._own_train, self._own_val = (
            (tf.constant(partition.local(nodes)), tf.constant(graph.labels[nodes[own]]))
            for nodes, own in ((each, partition.own(each)) for each in (graph.train, graph.val))
        )
        weights = np.ones(len(graph.train), np.float32) if self._weights is None else self._weights
        shares = (weights / weights.sum(dtype=np.float64)).astype(np.float32)
        self._in_update = Trained.of(self._part, self._model)
        self._in_update.prepare_dropout(self._model)
        own = self._in_update.own
        self._shares = tf.constant(shares[own])
        self._trained_labels = tf.constant(graph.labels[graph.train[own]])
        self._variables = self._model.trainable_variables
        self._optimizer = OPTIMIZERS[self.settings.optimizer](self._variables)
        self._proximal = proximal_lasso(self._model, self.settings, self._part.pair)
        self._step = tf.function(self._evaluate_and_update, autograph=False)

    def _descend(
        self,
        seed: int,
        on_step: OnStep | None,
        state: State | None = None,
        after: Callable[[int], object] = lambda _: None,
    ) -> tuple[list[CurvePoint], Best]:
        """Trains; each worker may have other dropout."""
        self._in_update.start_dropout(self._model, self._group.rank)
        return super()._descend(seed, on_step, state, after)

    def _evaluate_and_update(self, size: tf.Tensor) -> Any:
        """Updates, and returns metrics, the logits that the rule uses, and old weights."""
        weights = [tf.identity(variable) for variable in self._variables]
        logits = inference_logits(self._model, self._part.pair, self._hops)
        first = [logits] if is_large(self._graph) else []  # both at once would need more memory
        rows, labels = self._own_train
        trained_rows, trained_labels = self._in_update.rows, self._trained_labels
        with tf.control_dependencies(first), tf.GradientTape() as tape:
            trained = [
                tf.reduce_sum(self._shares * _losses(trained_labels, tf.gather(each, trained_rows)))
                for each in self._model.training_logits(self._in_update.pair, normalized=True)
            ]
            # Each worker adds its share of the penalties, so that the sum has them once.
            loss = tf.add_n(trained) + tf.add_n(self._model.losses) / self._group.size
        gradients = tape.gradient(loss, self._variables)
        val_rows, val_labels = self._own_val
        val_logits = tf.gather(logits, val_rows)
        metrics = [
            loss,
            num_correct(labels, tf.gather(logits, rows)),
            num_correct(val_labels, val_logits),
            tf.reduce_sum(_losses(val_labels, val_logits)) / len(self._graph.val),
        ]
        gradients, metrics = summed(self._group, gradients, tf.stack(metrics))
        self._optimizer.apply(gradients, size)
        if self._proximal:
            self._proximal.apply(size)
        return metrics, self._used(logits), weights

    def _used(self, logits: tf.Tensor) -> dict[str, tf.Tensor | None]:
        """Gathers the logits that the selection of the best step needs."""
        nodes = {
            "val": self._graph.val if self._score.needs_logits else None,
            "test": self._graph.test if self._rule.looks_at_test else None,
        }
        return {
            name: None if each is None else self._part.gathered(logits, each)
            for name, each in nodes.items()
        }

    def _finish(self, model: GraphModel) -> tuple[np.ndarray, GraphModel, Pair | None]:
        """Gathers the logits of all nodes; the model is frozen, since no worker has all inputs."""
        own = inference_logits(model, self._part.pair, self._hops)
        frozen = freeze_statistics(model, self._part.raw_pair)
        return self._part.rows.gather(own).numpy(), frozen, None


def _losses(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
