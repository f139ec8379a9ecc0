"""A model behind signatures of plain tensors that check every request."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tensorflow as tf

from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.adjacency import in_range
from mixhop_tf.tensors import Matrix

LARGEST = 1e18  # the square of a larger feature may be infinite


class Servable(tf.Module):
    """The frozen model behind signatures of plain tensors: a SavedModel takes no sparse ones."""

    def __init__(self, model: GraphModel, assets: Sequence[Path], max_nodes: int) -> None:
        super().__init__()
        self._model = model
        self._max_nodes = max_nodes
        self._variables = [variable.value for variable in model.variables]
        self._assets = [tf.saved_model.Asset(str(path)) for path in assets]

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, None], tf.float32, name="features"),
            tf.TensorSpec([None, None], tf.int64, name="edges"),
        ]
    )
    def dense(self, features: tf.Tensor, edges: tf.Tensor) -> dict[str, tf.Tensor]:
        """The signature `serving_default`."""
        takes = self._model.num_features
        message = f"features: the model takes {takes} columns, got another number"
        with tf.control_dependencies(
            [
                tf.debugging.assert_equal(tf.shape(features)[1], takes, message),
                *_number_checks("features", features),
            ]
        ):
            features = tf.reshape(features, [-1, takes])
        return self._answer(features, tf.shape(features, tf.int64)[0], edges)

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, None], tf.int64, name="indices"),
            tf.TensorSpec([None], tf.float32, name="values"),
            tf.TensorSpec([], tf.int64, name="num_nodes"),
            tf.TensorSpec([None, None], tf.int64, name="edges"),
        ]
    )
    def sparse(
        self, indices: tf.Tensor, values: tf.Tensor, num_nodes: tf.Tensor, edges: tf.Tensor
    ) -> dict[str, tf.Tensor]:
        """The signature `sparse_features`."""
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
        return self._answer(tf.sparse.reorder(features), num_nodes, edges)

    def _answer(
        self, features: Matrix, num_nodes: tf.Tensor, edges: tf.Tensor
    ) -> dict[str, tf.Tensor]:
        edges = _pairs("edges", edges)
        logits = self._model((features, self._model.operator(edges, num_nodes)))
        return {
            "logits": logits,
            "probabilities": tf.nn.softmax(logits),
            "labels": tf.argmax(logits, axis=1),
        }


def _number_checks(name: str, values: tf.Tensor) -> list[Any]:
    """Numbers that are finite, and whose squares are."""
    return [
        tf.debugging.assert_all_finite(values, f"{name}: not finite"),
        tf.debugging.assert_less(tf.abs(values), LARGEST, f"{name}: too large"),
    ]


def _pairs(name: str, values: tf.Tensor) -> tf.Tensor:
    """The values `[m, 2]`: a signature that says so itself ignores further columns."""
    message = f"{name}: two columns are needed, got another number"
    with tf.control_dependencies([tf.debugging.assert_equal(tf.shape(values)[1], 2, message)]):
        return tf.reshape(values, [-1, 2])
