"""Serves a model through signatures that check every request."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tensorflow as tf

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.adjacency import in_range
from mixhop_tf.tensors import Matrix, Operator, Pair

LARGEST = 1e18  # the square of a larger feature may be infinite

_EDGES = (tf.TensorSpec([None, None], tf.int64, name="edges"),)
_WEIGHTS = (tf.TensorSpec([None], tf.float32, name="weights"),)
_DENSE = (tf.TensorSpec([None, None], tf.float32, name="features"),)
_SPARSE = (
    tf.TensorSpec([None, None], tf.int64, name="indices"),
    tf.TensorSpec([None], tf.float32, name="values"),
    tf.TensorSpec([], tf.int64, name="num_nodes"),
)


class Servable(tf.Module):
    """Wraps a frozen model in signatures of plain tensors, as a SavedModel needs them.

    Args:
        model: The frozen model.
        assets: Files that the SavedModel carries.
        max_nodes: Largest number of nodes in a sparse request.
    """

    def __init__(self, model: GraphModel, assets: Sequence[Path], max_nodes: int) -> None:
        super().__init__()
        self._model = model
        self._max_nodes = max_nodes
        self._variables = [variable.value for variable in model.variables]
        self._assets = [tf.saved_model.Asset(str(path)) for path in assets]

    @property
    def signatures(self) -> dict[str, Any]:
        """The signatures by name. Those of a weighted model also take the weights of the edges."""
        edges = _EDGES + (_WEIGHTS if self._model.weighted else ())
        dense, sparse = _DENSE + edges, _SPARSE + edges
        methods = {
            "serving_default": (self.dense, dense),
            "sparse_features": (self.sparse, sparse),
            "embeddings": (self.dense_embeddings, dense),
            "sparse_embeddings": (self.sparse_embeddings, sparse),
        }
        # No condition depends on a tensor, and converting the source code would take seconds.
        return {
            name: tf.function(method, input_signature=inputs, autograph=False)
            for name, (method, inputs) in methods.items()
        }

    def dense(
        self, features: tf.Tensor, edges: tf.Tensor, weights: tf.Tensor | None = None
    ) -> dict[str, tf.Tensor]:
        """Answers a request with dense features, as the signature `serving_default`."""
        return self._answer(*self._dense_pair(features, edges, weights))

    def sparse(
        self,
        indices: tf.Tensor,
        values: tf.Tensor,
        num_nodes: tf.Tensor,
        edges: tf.Tensor,
        weights: tf.Tensor | None = None,
    ) -> dict[str, tf.Tensor]:
        """Answers a request with sparse features, as the signature `sparse_features`."""
        return self._answer(*self._sparse_pair(indices, values, num_nodes, edges, weights))

    def dense_embeddings(
        self, features: tf.Tensor, edges: tf.Tensor, weights: tf.Tensor | None = None
    ) -> dict[str, tf.Tensor]:
        """Embeds the nodes of a request with dense features."""
        return {"embeddings": self._model.embed(self._dense_pair(features, edges, weights))}

    def sparse_embeddings(
        self,
        indices: tf.Tensor,
        values: tf.Tensor,
        num_nodes: tf.Tensor,
        edges: tf.Tensor,
        weights: tf.Tensor | None = None,
    ) -> dict[str, tf.Tensor]:
        """Embeds the nodes of a request with sparse features."""
        pair = self._sparse_pair(indices, values, num_nodes, edges, weights)
        return {"embeddings": self._model.embed(pair)}

    def _dense_pair(
        self, features: tf.Tensor, edges: tf.Tensor, weights: tf.Tensor | None = None
    ) -> Pair:
        """Checks a request with dense features; gives the model's inputs."""
        takes = self._model.num_features
        message = f"features: the model takes {takes} columns, got another number"
        with tf.control_dependencies(
            [
                tf.debugging.assert_equal(tf.shape(features)[1], takes, message),
                *_number_checks("features", features),
            ]
        ):
            features = tf.reshape(features, [-1, takes])
        operator = self._operator(tf.shape(features, tf.int64)[0], edges, weights)
        if self._model.scaling == "standardize":  # which makes features dense in training as well
            return features, operator
        # A sparse product rounds otherwise than a dense one, and training makes sparse ones.
        return tf.sparse.from_dense(features), operator

    def _sparse_pair(
        self,
        indices: tf.Tensor,
        values: tf.Tensor,
        num_nodes: tf.Tensor,
        edges: tf.Tensor,
        weights: tf.Tensor | None = None,
    ) -> Pair:
        """Checks a request with sparse features; gives the model's inputs."""
        takes = self._model.num_features
        limit = f"num_nodes: the model serves {self._max_nodes:,} nodes at most"
        num_nodes = in_range(limit, num_nodes, self._max_nodes + 1)
        indices = _pairs("indices", indices)
        rows = in_range("indices: a row is no node", indices[:, 0], num_nodes)
        columns = in_range(f"indices: the model takes {takes} columns", indices[:, 1], takes)
        keys = tf.sort(rows * takes + columns)
        checks = [
            tf.debugging.assert_less(keys[:-1], keys[1:], "indices: an entry is given twice"),
            *_number_checks("values", values),
        ]
        with tf.control_dependencies(checks):
            indices = tf.stack([rows, columns], axis=1)
        features = tf.SparseTensor(indices, values, tf.stack([num_nodes, takes]))
        return tf.sparse.reorder(features), self._operator(num_nodes, edges, weights)

    def _operator(
        self, num_nodes: tf.Tensor, edges: tf.Tensor, weights: tf.Tensor | None = None
    ) -> Operator:
        return self._model.operator(_pairs("edges", edges), num_nodes, weights)

    def _answer(self, features: Matrix, operator: Operator) -> dict[str, tf.Tensor]:
        logits = self._model((features, operator))
        decision = self._model.decision
        scores = logits if decision.temperature == 1.0 else logits / decision.temperature
        if decision.offsets is not None:
            scores += tf.constant(decision.offsets, scores.dtype)
        probabilities = tf.nn.softmax(scores)
        labels = tf.argmax(scores, axis=1)
        if decision.threshold is not None:
            is_positive = probabilities[:, decision.positive] >= decision.threshold
            positive = tf.constant(decision.positive, tf.int64)
            labels = tf.where(is_positive, positive, 1 - positive)
        return {"logits": logits, "probabilities": probabilities, "labels": labels}


def _number_checks(name: str, values: tf.Tensor) -> list[Any]:
    """Checks that numbers are finite and small enough to be squared."""
    return [
        tf.debugging.assert_all_finite(values, f"{name}: not finite"),
        tf.debugging.assert_less(tf.abs(values), LARGEST, f"{name}: too large"),
    ]


def _pairs(name: str, values: tf.Tensor) -> tf.Tensor:
    """Checks that the values have two columns.

    An input signature of the shape `[None, 2]` would ignore further columns.
    """
    message = f"{name}: two columns are needed, got another number"
    with tf.control_dependencies([tf.debugging.assert_equal(tf.shape(values)[1], 2, message)]):
        return tf.reshape(values, [-1, 2])
