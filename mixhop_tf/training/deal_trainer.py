"""Trains on many deals of the labelled nodes, and compiles only once."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.errors import SettingError
from mixhop_tf.training.curve import CurvePoint
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.inputs import Inputs
from mixhop_tf.training.large import inference_logits
from mixhop_tf.training.lasso import ProximalLasso, proximal_lasso
from mixhop_tf.training.objective import cross_entropy, num_correct
from mixhop_tf.training.trainer import Trainer
from mixhop_tf.training.validation import ValidationScore
from mixhop_tf.training.weighting import node_weights


class DealTrainer(Trainer):
    """Trains one configuration on any deal of the training and validation nodes of a graph.

    A deal says which of these nodes train and which validate; see
    `mixhop_tf.training.choose.redealt`. A `Trainer` compiles its step for each deal anew, which
    takes as long as a short run. Here the nodes are variables of the compiled step, and so is the
    coefficient of a proximal lasso.

    Dropout draws its numbers for all nodes that the deals share, so a run differs from that of a
    `Trainer` on the same deal as the runs of two seeds differ.

    Args:
        graph: The graph, with all nodes of the deals among its training and validation nodes.
        architecture, settings, scaling: As for `Trainer`.
    """

    def _prepare(self) -> None:
        self._coefficient = tf.Variable(self.settings.lasso, dtype=tf.float32)
        super()._prepare()
        if self._proximal:
            self._proximal = _Scaled(self._unit_lasso(), self._coefficient)
        self._num_steps = 0
        self.deal(self._graph)

    def _unit_lasso(self) -> ProximalLasso | None:
        unit = dataclasses.replace(self.settings, lasso=1.0)
        return proximal_lasso(self._model, unit, self._inputs.pair)

    def _prepare_nodes(self) -> None:
        graph = self._graph
        if self._rule.looks_at_test:
            rule = "must be strict, because a deal has no test nodes"
            raise SettingError("selection", rule, self.settings.selection)
        inputs = Inputs.of(graph, self._model, whole_graph=self._whole_graph)
        labelled = np.sort(np.concatenate([graph.train, graph.val]))
        part = inputs.part(labelled)
        self._rows = np.full(graph.num_nodes, -1)
        self._rows[labelled] = part.rows.numpy()
        self._train_rows, self._seen_rows = _held(np.int64), _held(np.int64)
        self._inputs = dataclasses.replace(
            inputs, train_labels=_held(np.int64), val_labels=_held(np.int64)
        )
        self._trained = part._replace(rows=self._train_rows)
        self._evaluated = part._replace(rows=self._seen_rows)
        self._num_seen = tf.Variable([0, 0, 0])
        if self._weights is not None:
            self._weights = _held(np.float32)

    def deal(self, graph: Graph) -> DealTrainer:
        """Trains on this deal from now on.

        Args:
            graph: The graph with other training and validation nodes, such as a `Resplit`.
        """
        train, val = self._rows[graph.train], self._rows[graph.val]
        if min(train.min(), val.min()) < 0:
            raise ValueError("A deal must have no other nodes than the graph trains and validates.")
        self._graph = graph
        self._score = ValidationScore(self.settings.select_by, graph)
        self._train_rows.assign(train)
        self._seen_rows.assign(np.concatenate([train, val]))
        self._num_seen.assign([len(train), len(val), 0])
        self._inputs.train_labels.assign(graph.labels[graph.train])
        self._inputs.val_labels.assign(graph.labels[graph.val])
        if self._weights is not None:
            self._weights.assign(node_weights(self.settings.class_weight, graph))
        return self

    @property
    def model(self) -> Any:
        """The model with the current weights."""
        return self._model

    @property
    def inputs(self) -> Inputs:
        """The graph as tensors; the labels are those of the current deal."""
        return self._inputs

    def start(self, seed: int) -> None:
        """Gives the network fresh weights, which `go_on` trains."""
        fresh = self._build(seed)
        for variable, value in zip(self._model.variables, fresh.variables, strict=True):
            variable.assign(value)
        self._optimizer.reset()
        self._num_steps = 0

    def go_on(self, num_steps: int, lasso: float) -> CurvePoint:
        """Trains the current weights further.

        Args:
            num_steps: Number of updates.
            lasso: Coefficient of the proximal lasso.

        Returns:
            The evaluation of the new weights.
        """
        self._coefficient.assign(lasso)
        last = self._num_steps + num_steps
        rates = np.pad(self._rates, (0, max(0, last - len(self._rates))), "edge")
        sizes = self._optimizer.step_sizes(rates)
        for step in range(self._num_steps, last):
            metrics, *_ = self._step(tf.constant(sizes[step]))
            self._check_finite(step, metrics.numpy().tolist())
        self._num_steps = last
        return self._evaluate()

    def _evaluate(self) -> CurvePoint:
        logits = inference_logits(self._model, self._evaluated.pair, self._hops)
        train, val, _ = tf.split(tf.gather(logits, self._seen_rows), self._num_seen)
        labels, val_labels = self._inputs.train_labels, self._inputs.val_labels
        loss, val_loss = cross_entropy(labels, train), cross_entropy(val_labels, val)
        counts = num_correct(labels, train), num_correct(val_labels, val)
        numbers = [float(each) for each in (loss, *counts, val_loss)]
        point = self._point(min(self._num_steps, len(self._rates)), numbers)
        return self._score.on_point(dataclasses.replace(point, step=self._num_steps), val)


class _Scaled:
    """Proximal steps whose coefficient is a variable."""

    def __init__(self, steps: Any, coefficient: tf.Variable) -> None:
        self._steps, self._coefficient = steps, coefficient

    def apply(self, rate: tf.Tensor) -> None:
        """Makes the proximal step that follows a gradient step at this learning rate."""
        self._steps.apply(rate * self._coefficient)


def _held(dtype: Any) -> tf.Variable:
    """Makes a variable for a vector of any length."""
    return tf.Variable(np.zeros(0, dtype), shape=tf.TensorShape([None]))
