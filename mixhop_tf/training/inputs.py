"""From a `Graph` to the tensors that a model and a loss take."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.receptive_field import ReceptiveField
from mixhop_tf.ops.sparse import sparse_tensor
from mixhop_tf.tensors import Matrix, Pair
from mixhop_tf.training.graph import Graph

# A part with a larger share of the operator's entries is not cut out. With another value here
# dropout would draw other numbers, and a seed would give other runs.
_WORTHWHILE = 1 / 2


class Part(NamedTuple):
    """The part of a graph that the logits of some nodes depend on.

    Attributes:
        pair: The inputs of a model that is called with `normalized=True`.
        rows: Positions of those nodes among the logits.
    """

    pair: Pair
    rows: tf.Tensor


@dataclasses.dataclass(frozen=True)
class Inputs:
    """A graph as tensors.

    Attributes:
        given: The features of the graph, sparse `[n, s]`.
        features: The features as the model scales them, sparse or dense.
        operator: The matrix that the model multiplies by, sparse `[n, n]`.
        val: Indices of the validation nodes.
        train_labels, val_labels: Classes of the training and validation nodes.
        hops: How far the model looks; None means everywhere.
    """

    given: tf.SparseTensor
    features: Matrix
    operator: tf.SparseTensor
    val: tf.Tensor
    train_labels: tf.Tensor
    val_labels: tf.Tensor
    hops: int | None

    @classmethod
    def of(cls, graph: Graph, model: GraphModel, *, whole_graph: bool = False) -> Inputs:
        """The tensors of a graph for a model. Test labels are not among them.

        With `whole_graph`, every part is the whole graph.
        """
        given = sparse_tensor(graph.features)
        return cls(
            given=given,
            # Scaled once here instead of in each step.
            features=model.normalize(given),
            operator=model.operator(graph.edges, graph.num_nodes),
            val=tf.constant(graph.val),
            train_labels=tf.constant(graph.labels[graph.train]),
            val_labels=tf.constant(graph.labels[graph.val]),
            hops=None if whole_graph else model.hops,
        )

    def part(self, nodes: np.ndarray) -> Part:
        """The part that the logits of these nodes depend on. It gives them the same logits.

        It is the whole graph if it has at least half of the operator's entries.
        """
        if self.hops is not None:
            field = ReceptiveField.of(self.operator, nodes, self.hops)
            if field.share < _WORTHWHILE:
                return Part(field.cut(*self.pair), tf.constant(field.positions(nodes)))
        return Part(self.pair, tf.constant(nodes))

    @property
    def pair(self) -> Pair:
        """The inputs of a model that is called with `normalized=True`."""
        return self.features, self.operator

    @property
    def raw_pair(self) -> tuple[tf.SparseTensor, tf.SparseTensor]:
        """The inputs of a model that scales the features itself."""
        return self.given, self.operator
