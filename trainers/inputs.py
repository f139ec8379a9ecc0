"""From a `Graph` to the tensors that a model and a loss take."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

import datasets
import mixhop_tf
from mixhop_tf.receptive_field import ReceptiveField

Pair = tuple[tf.SparseTensor | tf.Tensor, tf.SparseTensor]

# A larger share of the operator's entries is not cut out. Another value here would let dropout draw
# other numbers, and so change the runs of a seed.
_WORTHWHILE = 1 / 2


class Part(NamedTuple):
    """As much of a graph as the logits of some nodes depend on.

    Attributes:
        pair: What a model is called with, `normalized=True`.
        rows: Where those nodes are among the logits that it gives.
    """

    pair: Pair
    rows: tf.Tensor


@dataclasses.dataclass(frozen=True)
class Inputs:
    """A graph as tensors.

    Attributes:
        given: Sparse `[n, s]`, the features as they are.
        features: The same scaled as the model scales them, sparse or dense.
        operator: What the model multiplies by, sparse `[n, n]`.
        val: Indices of the validation nodes.
        train_labels, val_labels: Classes of these nodes.
        hops: How far the model looks, None for everywhere.
    """

    given: tf.SparseTensor
    features: tf.SparseTensor | tf.Tensor
    operator: tf.SparseTensor
    val: tf.Tensor
    train_labels: tf.Tensor
    val_labels: tf.Tensor
    hops: int | None

    @classmethod
    def of(cls, graph: datasets.Graph, model: Any, *, whole_graph: bool = False) -> Inputs:
        """The tensors of a graph for a model. Test labels are not among them.

        With `whole_graph`, every part is the whole.
        """
        given = mixhop_tf.sparse_tensor(graph.features)
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
        """What the logits of these nodes depend on; they are the same from it.

        The whole graph, where the part has more than half of the operator's entries.
        """
        if self.hops is not None:
            field = ReceptiveField.of(self.operator, nodes, self.hops)
            if field.share < _WORTHWHILE:
                return Part(field.cut(*self.pair), tf.constant(field.positions(nodes)))
        return Part(self.pair, tf.constant(nodes))

    @property
    def pair(self) -> Pair:
        """What a model is called with where it need not scale: `normalized=True`."""
        return self.features, self.operator

    @property
    def raw_pair(self) -> tuple[tf.SparseTensor, tf.SparseTensor]:
        """What a model is called with otherwise."""
        return self.given, self.operator
