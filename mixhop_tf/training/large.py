"""Turns a large graph into tensors that take less memory than those of a small one."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.lean import is_lean
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.ops.mapped import release_pages
from mixhop_tf.ops.neighbors import feature_matrix, spec_rows
from mixhop_tf.ops.propagation import by_direction, propagate_powers
from mixhop_tf.ops.row_operator import RowOperator
from mixhop_tf.ops.sparse import sparse_tensor
from mixhop_tf.tensors import Matrix, Operator, Pair
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.size import is_large, only_multiplies

_DENSE_FROM = 1 / 3  # share of non-zero entries


def feature_tensor(graph: Graph, rows: slice = slice(None)) -> Matrix:
    """Returns the features: sparse, or dense if the graph is large and most are not zero.

    Args:
        graph: The graph.
        rows: The nodes whose features are returned; by default all.
    """
    if not is_large(graph):
        return sparse_tensor(graph.features[rows])
    features = feature_matrix(graph)
    if not hasattr(features, "tocsr"):
        copied = tf.convert_to_tensor(np.asarray(features[rows]))
        release_pages(features)
        return copied
    if features.nnz > _DENSE_FROM * features.shape[0] * features.shape[1]:
        return tf.convert_to_tensor(features[rows].toarray())
    return sparse_tensor(features[rows])


def operator_of(graph: Graph, model: GraphModel) -> Operator:
    """Returns the operator of a model: a `RowOperator` if the graph is large and the model can."""
    if not (is_large(graph) and only_multiplies(model.architecture)):
        weights = graph.edge_weights if model.weighted else None
        return model.operator(graph.edges, graph.num_nodes, weights)
    spec = model.architecture.adjacency
    pairs = spec_rows(graph, spec, weighted=model.weighted)
    made = [RowOperator.of(rows, spec, transposed) for rows, transposed in pairs]
    return (made[0], made[1]) if len(made) == 2 else made[0]


def constant_hops(model: GraphModel, inputs: Pair) -> list[tf.Tensor] | None:
    """Propagates the features of a large graph once, so that evaluations need not do it.

    Args:
        model: The model.
        inputs: The scaled features and the operator.

    Returns:
        `Â^j X` for each power of the first layer. None if the graph is small, if the features are
        sparse, or if the layer's output has fewer columns.
    """
    features, operator = inputs
    if not isinstance(model, MixHopModel) or not is_lean(model, features, operator):
        return None
    layer = model.first_layer
    kept = sum(power != 0 for power in layer.live_powers) * model.num_features
    if isinstance(features, tf.SparseTensor) or kept > sum(layer.dims):
        return None
    found: dict[int, tf.Tensor] = {}
    for matrix, positions in by_direction(operator, layer.live_powers):
        powers = [abs(layer.live_powers[i]) for i in positions]
        found |= dict(zip(positions, propagate_powers(matrix, features, powers), strict=True))
    return [found[i] for i in range(len(found))]


def inference_logits(
    model: GraphModel, inputs: Pair, hops: list[tf.Tensor] | None = None
) -> tf.Tensor:
    """Computes the logits without dropout, from scaled features or from `constant_hops`."""
    if hops is None:
        return model(inputs, normalized=True)
    return model.propagated_logits(hops, inputs[1])
