"""Turns a large graph into tensors that take less memory than those of a small one."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.neighbors import feature_matrix, spec_rows
from mixhop_tf.ops.row_operator import RowOperator
from mixhop_tf.ops.sparse import sparse_tensor
from mixhop_tf.tensors import Matrix, Operator
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.size import is_large, only_multiplies

_DENSE_FROM = 1 / 3  # share of non-zero entries


def feature_tensor(graph: Graph) -> Matrix:
    """Returns the features: sparse, or dense if the graph is large and most are not zero."""
    if not is_large(graph):
        return sparse_tensor(graph.features)
    features = feature_matrix(graph)
    if not hasattr(features, "tocsr"):
        return tf.convert_to_tensor(np.asarray(features))
    if features.nnz > _DENSE_FROM * features.shape[0] * features.shape[1]:
        return tf.convert_to_tensor(features.toarray())
    return sparse_tensor(features)


def operator_of(graph: Graph, model: GraphModel) -> Operator:
    """Returns the operator of a model: a `RowOperator` if the graph is large and the model can."""
    if not (is_large(graph) and only_multiplies(model.architecture)):
        weights = graph.edge_weights if model.weighted else None
        return model.operator(graph.edges, graph.num_nodes, weights)
    spec = model.architecture.adjacency
    pairs = spec_rows(graph, spec, weighted=model.weighted)
    made = [RowOperator.of(rows, spec, transposed) for rows, transposed in pairs]
    return (made[0], made[1]) if len(made) == 2 else made[0]
