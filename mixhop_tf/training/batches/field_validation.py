"""Evaluates validation nodes of a large graph in fields of their own, nearly exactly."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from mixhop_tf.inference.blocks import can_block
from mixhop_tf.inference.rows import Scaled
from mixhop_tf.layers import GraphNorm, MixHopLayer
from mixhop_tf.models.gcn import GCNModel
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.ops.neighbors import feature_matrix, spec_rows
from mixhop_tf.tensors import Matrix, Operator
from mixhop_tf.training.batches.evaluation import Scores
from mixhop_tf.training.batches.exact_rows import ExactRows, Places, field, hops_at
from mixhop_tf.training.batches.features import FeatureRows, HopRows
from mixhop_tf.training.batches.make import spec_of
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.objective import cross_entropy, num_correct

_SEED = 0  # the same fields for every run
_MIN_ROOTS = 200  # with fewer validation nodes, steps could not be told apart
_PROBED = 50  # roots by which the size of a field is estimated
_NORM_NODES = 10_000  # that the statistics of batch norm come from, if they need no field
_MAX_CELLS = 1 << 25  # of a layer that is evaluated


def make_fields(
    model: GraphModel, graph: Graph, features: FeatureRows | HopRows, max_nodes: int
) -> FieldValidation | None:
    """Makes the fields of as many validation nodes as fit.

    Args:
        model: The model that is trained.
        graph: The graph.
        features: Reads the features of a batch, or the propagated ones.
        max_nodes: Number of nodes of all fields, about.

    Returns:
        None if the model cannot be evaluated in this way, or if only few fields would fit.
    """
    if not can_block(model):
        return None
    made = FieldValidation(model, graph, features, min(max_nodes, _MAX_CELLS // _width(model)))
    return made if len(made.val) >= min(_MIN_ROOTS, len(graph.val)) else None


class FieldValidation:
    """Evaluates some validation nodes with the neighbours and degrees of the whole graph.

    The first MixHop layer is exact: its propagated features are computed once. The other layers see
    a field of each node: all nodes that their products with the adjacency reach. If a field of all
    neighbours would be too large, long rows of the adjacency are replaced by a sample, whose values
    are scaled up. Batch norm uses the statistics of nodes that are drawn from the whole graph.

    Args:
        model: The model that is trained, one for which `can_block` holds.
        graph: The graph.
        features: Reads the features of a batch, or the propagated ones.
        max_nodes: Number of nodes of all fields, about.
    """

    def __init__(
        self, model: GraphModel, graph: Graph, features: FeatureRows | HopRows, max_nodes: int
    ) -> None:
        spec = spec_of(model)
        pairs = spec_rows(graph, spec, weighted=model.weighted)
        operators = [ExactRows(rows, spec, transposed) for rows, transposed in pairs]
        self.val, drawn, most = _chosen(model, graph, operators, max_nodes)
        needs = [(sum(_depths(model)), self.val), (_of_norms(model), drawn)]
        nodes, entries = field(operators, needs, most, np.random.default_rng(_SEED))
        self._model, self._copy = model, _frozen_copy(model)
        self._targets = tf.constant(np.searchsorted(nodes, self.val))
        self._norm_nodes = tf.constant(np.searchsorted(nodes, drawn))
        self._operator = _operator(nodes, entries)
        self._labels = tf.constant(np.asarray(graph.labels[self.val], np.int64))
        self._inputs = _inputs(model, graph, features, operators, nodes)
        self._compiled = tf.function(self._numbers, autograph=False)

    def __call__(self) -> Scores:
        """Evaluates the current weights."""
        numbers, logits = self._compiled()
        correct, loss = numbers.numpy().tolist()
        return Scores(None, correct / len(self.val), loss, logits)

    def _numbers(self) -> tuple[tf.Tensor, tf.Tensor]:
        copied = zip(self._copy.trainable_variables, self._model.trainable_variables, strict=True)
        for mine, trained in copied:
            mine.assign(trained)
        logits = tf.gather(self._logits(), self._targets)
        numbers = [num_correct(self._labels, logits), cross_entropy(self._labels, logits)]
        return tf.stack(numbers), logits

    def _logits(self) -> tf.Tensor:
        if isinstance(self._copy, MixHopModel):
            return self._copy.propagated_logits(
                self._inputs, self._operator, before=self._take_statistics
            )
        return self._copy((self._inputs, self._operator))

    def _take_statistics(self, step: keras.layers.Layer, h: Matrix) -> Matrix:
        if isinstance(step, GraphNorm):
            step.store_statistics(tf.gather(h, self._norm_nodes))
        return h


def _depths(model: GraphModel) -> list[int]:
    """Counts the products with the adjacency of each layer, without those that are done before."""
    if isinstance(model, MixHopModel):
        mixing = [step for step in model.steps if isinstance(step, MixHopLayer)]
        return [max(map(abs, step.live_powers)) for step in mixing[1:]]
    return [1, 1] if isinstance(model, GCNModel) else []


def _of_norms(model: GraphModel) -> int:
    """Counts the products before the last batch norm."""
    return sum(_depths(model)[:-1])


def _width(model: GraphModel) -> int:
    """Counts the columns of the widest layer, or of the propagated features."""
    if isinstance(model, MixHopModel):
        widths = [layer.width for layer in model.architecture.layers]
        return max(*widths, model.num_features * len(model.first_layer.live_powers))
    return int(model.architecture.hidden_width)


def _chosen(
    model: GraphModel, graph: Graph, operators: Sequence[ExactRows], max_nodes: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """Chooses validation nodes, nodes for the statistics of batch norm, and the longest row."""
    rng, depth, of_norms = np.random.default_rng(_SEED), sum(_depths(model)), _of_norms(model)
    most = max(2, int((max_nodes / _MIN_ROOTS) ** (1 / max(1, depth))))
    budget = max_nodes // 2 if model.norms and of_norms else max_nodes

    def fitting(depth: int) -> int:
        probed = rng.integers(graph.num_nodes, size=_PROBED)
        nodes, _ = field(operators, [(depth, probed)], most, np.random.default_rng(_SEED))
        return max(1, budget * _PROBED // len(nodes))

    val = np.sort(rng.permutation(graph.val)[: fitting(depth)]).astype(np.int64)
    if not model.norms:
        return val, val[:0], most
    count = min(_NORM_NODES, graph.num_nodes, fitting(of_norms))
    drawn = rng.choice(graph.num_nodes, count, replace=False, shuffle=False)
    return val, np.sort(drawn), most


def _frozen_copy(model: GraphModel) -> GraphModel:
    """Copies a model, with statistics of batch norm that are stored."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the model has already warned about unused columns
        copy = type(model).from_config(model.get_config() | {"frozen": True})
    copy.set_weights(model.get_weights())
    return copy


def _operator(nodes: np.ndarray, entries: Sequence[Places]) -> Operator:
    """Makes the sparse tensors of a field."""
    made = []
    for each in entries:
        rows, columns = np.searchsorted(nodes, each.rows), np.searchsorted(nodes, each.columns)
        order = np.lexsort((columns, rows))
        indices = np.stack([rows[order], columns[order]], axis=1)
        made.append(tf.SparseTensor(indices, each.values[order], (len(nodes), len(nodes))))
    return (made[0], made[1]) if len(made) == 2 else made[0]


def _inputs(
    model: GraphModel,
    graph: Graph,
    features: FeatureRows | HopRows,
    operators: Sequence[ExactRows],
    nodes: np.ndarray,
) -> Any:
    """Makes the propagated features of MixHop, or the features of another model."""
    if isinstance(features, HopRows):
        return [tf.constant(hop) for hop in features.read(nodes)]
    if not isinstance(model, MixHopModel):
        parts = [tf.constant(part) for part in features.read(nodes)]
        return features.matrix(parts, tf.constant(len(nodes), tf.int64))
    matrix = feature_matrix(graph)

    def read(some: np.ndarray) -> Any:
        return Scaled(matrix[some], model).block(0, len(some))

    return [
        tf.constant(hop) for hop in hops_at(operators, model.first_layer.live_powers, read, nodes)
    ]
