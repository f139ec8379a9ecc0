"""Turns a `Graph` into the tensors that a model and a loss take."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.receptive_field import ReceptiveField
from mixhop_tf.tensors import Matrix, Operator, Pair
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.large import feature_tensor, operator_of

# A part with a larger share of the operator's entries is not cut out. Another value would make
# dropout draw other numbers, so a seed would give other results.
_WORTHWHILE = 1 / 2


class Part(NamedTuple):
    """The part of a graph that the logits of some nodes depend on.

    Attributes:
        pair: The inputs of a model that is called with `normalized=True`.
        rows: Positions of those nodes among the rows of the logits.
    """

    pair: Pair
    rows: tf.Tensor


def field_to_cut(operator: Operator, nodes: np.ndarray, hops: int | None) -> ReceptiveField | None:
    """Finds the part of a graph that the logits of some nodes depend on, if cutting it out pays.

    Args:
        operator: The operator of the model.
        nodes: The nodes.
        hops: Number of products that the model makes; None means that it sees all nodes.
    """
    if hops is None:
        return None
    field = ReceptiveField.of(operator, nodes, hops)
    return field if field.share < _WORTHWHILE else None


@dataclasses.dataclass(frozen=True)
class Inputs:
    """Holds a graph as tensors.

    Attributes:
        given: The features of the graph, `[n, s]`; sparse, unless the graph is large.
        features: The features as the model scales them, sparse or dense.
        operator: The matrix that the model multiplies by, sparse `[n, n]`, or a pair of them.
        val: Indices of the validation nodes.
        train_labels, val_labels: Classes of the training and validation nodes.
        hops: Number of products that the model makes; None means that it sees all nodes.
    """

    given: Matrix
    features: Matrix
    operator: Operator
    val: tf.Tensor
    train_labels: tf.Tensor
    val_labels: tf.Tensor
    hops: int | None

    @classmethod
    def of(cls, graph: Graph, model: GraphModel, *, whole_graph: bool = False) -> Inputs:
        """Makes the tensors of a graph for a model, without the test labels.

        With `whole_graph`, every part is the whole graph.
        """
        given = feature_tensor(graph)
        return cls(
            given=given,
            # Scaling them here saves time in each step.
            features=model.normalize(given),
            operator=operator_of(graph, model),
            val=tf.constant(graph.val),
            train_labels=tf.constant(graph.labels[graph.train]),
            val_labels=tf.constant(graph.labels[graph.val]),
            hops=None if whole_graph else model.hops,
        )

    def part(self, nodes: np.ndarray) -> Part:
        """Returns the part of the graph that the logits of these nodes depend on.

        The logits of the nodes are the same as in the whole graph. If the part has at least half of
        the operator's entries, the whole graph is returned.
        """
        field = field_to_cut(self.operator, nodes, self.hops)
        if field is None:
            return Part(self.pair, tf.constant(nodes))
        return Part(field.cut(*self.pair), tf.constant(field.positions(nodes)))

    @property
    def pair(self) -> Pair:
        """The inputs of a model that is called with `normalized=True`."""
        return self.features, self.operator

    @property
    def raw_pair(self) -> Pair:
        """The inputs of a model that scales the features itself."""
        return self.given, self.operator
