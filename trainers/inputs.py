"""From a `Graph` to the tensors that a model and a loss take."""

from __future__ import annotations

import dataclasses
from typing import Any

import tensorflow as tf

import datasets
import mixhop_tf


@dataclasses.dataclass(frozen=True)
class Inputs:
    """A graph as tensors.

    Attributes:
        given: Sparse `[n, s]`, the features as they are.
        features: The same scaled as the model scales them, sparse or dense.
        operator: What the model multiplies by, sparse `[n, n]`.
        train, val: Node indices.
        train_labels, val_labels: Classes of these nodes.
    """

    given: tf.SparseTensor
    features: tf.SparseTensor | tf.Tensor
    operator: tf.SparseTensor
    train: tf.Tensor
    train_labels: tf.Tensor
    val: tf.Tensor
    val_labels: tf.Tensor

    @classmethod
    def of(cls, graph: datasets.Graph, model: Any) -> Inputs:
        """The tensors of a graph for a model. Test labels are not among them."""
        given = mixhop_tf.sparse_tensor(graph.features)
        return cls(
            given=given,
            # Scaled once here instead of in each step.
            features=model.normalize(given),
            operator=model.operator(graph.edges, graph.num_nodes),
            train=tf.constant(graph.train),
            train_labels=tf.constant(graph.labels[graph.train]),
            val=tf.constant(graph.val),
            val_labels=tf.constant(graph.labels[graph.val]),
        )

    @property
    def pair(self) -> tuple[tf.SparseTensor | tf.Tensor, tf.SparseTensor]:
        """What a model is called with where it need not scale: `normalized=True`."""
        return self.features, self.operator

    @property
    def raw_pair(self) -> tuple[tf.SparseTensor, tf.SparseTensor]:
        """What a model is called with otherwise."""
        return self.given, self.operator
