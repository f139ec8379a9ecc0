"""From a `Graph` to the tensors that a model and a loss take."""

from __future__ import annotations

import dataclasses

import tensorflow as tf

import datasets
import mixhop_tf


@dataclasses.dataclass(frozen=True)
class Inputs:
    """A graph as tensors.

    Attributes:
        features: Sparse `[n, s]`, rows of unit length.
        adjacency: `Â`, sparse `[n, n]`.
        train, val: Node indices.
        train_labels, val_labels: Classes of these nodes.
    """

    features: tf.SparseTensor
    adjacency: tf.SparseTensor
    train: tf.Tensor
    train_labels: tf.Tensor
    val: tf.Tensor
    val_labels: tf.Tensor

    @classmethod
    def of(cls, graph: datasets.Graph) -> Inputs:
        """The tensors of a graph. Test labels are not among them."""
        return cls(
            # Scaled once here instead of in each evaluation; training scales after dropout.
            features=mixhop_tf.RowNormalize()(mixhop_tf.sparse_tensor(graph.features)),
            adjacency=mixhop_tf.normalized_adjacency(graph.edges, graph.num_nodes),
            train=tf.constant(graph.train),
            train_labels=tf.constant(graph.labels[graph.train]),
            val=tf.constant(graph.val),
            val_labels=tf.constant(graph.labels[graph.val]),
        )

    @property
    def pair(self) -> tuple[tf.SparseTensor, tf.SparseTensor]:
        """What a model is called with."""
        return self.features, self.adjacency
