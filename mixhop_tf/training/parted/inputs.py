"""Turns one worker's rows of a graph into tensors."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.baselines import GAT, Chebyshev
from mixhop_tf.distributed.group import Group
from mixhop_tf.distributed.operator import PartOperator
from mixhop_tf.distributed.partition import Partition
from mixhop_tf.distributed.rows import OwnRows
from mixhop_tf.errors import SettingError
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.methods import Method
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.neighbors import spec_rows
from mixhop_tf.tensors import Matrix, Operator, Pair
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.large import feature_tensor
from mixhop_tf.training.settings import Settings


def check_partable(architecture: Architecture | Baseline, settings: Settings) -> None:
    """Raises a `SettingError` if several workers cannot train this together."""
    if isinstance(architecture, Method):
        rule = "must be a network on several workers, not a classical method"
        raise SettingError("architecture", rule)
    attentive = isinstance(architecture, Architecture) and architecture.has_attention
    if settings.batches is None and (attentive or isinstance(architecture, GAT)):
        rule = (
            "must be without attention if several workers divide the graph, since their operators "
            "only multiply; train it on batches"
        )
        raise SettingError("architecture", rule)


@dataclasses.dataclass(frozen=True)
class PartInputs:
    """Holds the rows of one worker as tensors.

    Attributes:
        group: The workers.
        partition: Which rows each has.
        graph: The graph.
        features: The features of the worker's rows, as the model scales them.
        operator: The matrix that the model multiplies by, or a pair of them.
    """

    group: Group
    partition: Partition
    graph: Graph
    features: Matrix
    operator: Operator

    @classmethod
    def of(cls, graph: Graph, model: GraphModel, group: Group) -> PartInputs:
        """Makes the tensors of this worker's rows of a graph."""
        partition = Partition(graph.num_nodes, group.size, group.rank)
        features = model.normalize(_own_features(graph, partition))
        operator = _operator(graph, model, group, partition)
        return cls(group, partition, graph, features, operator)

    @property
    def pair(self) -> Pair:
        """The inputs of a model that is called with `normalized=True`."""
        return self.features, self.operator

    @property
    def raw_pair(self) -> Pair:
        """The inputs of a model that scales the features itself; they are read again."""
        return _own_features(self.graph, self.partition), self.operator

    @property
    def rows(self) -> PartOperator:
        """The operator, or one of the pair; it gathers and adds up."""
        return self.operator[0] if isinstance(self.operator, tuple) else self.operator

    def gathered(self, logits: tf.Tensor, nodes: np.ndarray) -> tf.Tensor:
        """Returns the logits of these nodes, in their order, from the workers that have them."""
        most, positions = self.partition.gathered(nodes)
        own = tf.gather(logits, self.partition.local(nodes))
        padded = tf.pad(own, [[0, most - own.shape[0]], [0, 0]])
        return tf.gather(self.group.gather(padded), positions)


def _own_features(graph: Graph, partition: Partition) -> Matrix:
    return feature_tensor(graph, slice(partition.start, partition.stop))


def _operator(graph: Graph, model: GraphModel, group: Group, partition: Partition) -> Operator:
    if isinstance(model.architecture, Chebyshev):
        whole: Any = model.operator(graph.edges, graph.num_nodes)
        entries = (whole.values.numpy(), whole.indices.numpy().T)
        matrix = sp.csr_array(sp.coo_array(entries, shape=(graph.num_nodes, graph.num_nodes)))
        own = OwnRows.of_matrix(partition, matrix)
        return PartOperator(group, partition, own, own)  # the Laplacian is symmetric
    spec = getattr(model.architecture, "adjacency", AdjacencySpec())
    made = [
        PartOperator(group, partition, *OwnRows.of_neighbors(partition, rows, spec, transposed))
        for rows, transposed in spec_rows(graph, spec, weighted=model.weighted)
    ]
    return (made[0], made[1]) if len(made) == 2 else made[0]
