"""Computes a model on a part of a graph, in one compiled function for parts of every size."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.errors import SettingError
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.live.rows import Entries
from mixhop_tf.models.graph_model import GraphModel

Built = tuple[np.ndarray, np.ndarray]  # indices and values of an operator


class FieldModel:
    """A model with frozen statistics, compiled for parts of graphs.

    Args:
        model: The model.

    Raises:
        SettingError: The statistics of batch norm are not frozen.
    """

    def __init__(self, model: GraphModel) -> None:
        if model.norms and not model.frozen:
            raise SettingError("model", "must have frozen statistics; use `freeze_statistics`")
        if model.reach is None:
            raise SettingError("model", "must be one of this package", type(model).__name__)
        self.model, self.hops = model, model.reach
        spec = getattr(model.architecture, "adjacency", AdjacencySpec())
        self.directed = spec.is_directed
        self.directions = ("in", "out") if spec.direction == "both" else (spec.direction,)
        # As in training and serving; a sparse product rounds otherwise than a dense one.
        self._dense = model.scaling == "standardize"
        self._call = self._compiled()

    def predict(
        self, size: int, features: Entries, operators: list[Built], positions: np.ndarray
    ) -> dict[str, np.ndarray]:
        """Computes the answers for some members of a field.

        Args:
            size: Number of members `m`.
            features: Entries of the features `[m, s]` in row-major order.
            operators: Indices and values of each operator `[m, m]`.
            positions: Places of the requested nodes among the members, `[k]`.
        """
        rows, columns, values = features
        shape = [size, self.model.num_features]
        given: Any
        if self._dense:
            given = np.zeros(shape, np.float32)
            given[rows, columns] = values
        else:
            given = tf.SparseTensor(np.stack([rows, columns], axis=1), values, shape)
        made = [
            tf.SparseTensor(indices, entries.astype(self.model.compute_dtype), [size, size])
            for indices, entries in operators
        ]
        logits = self._call(given, made, tf.constant(positions, tf.int64)).numpy()
        shares = self.model.decision.probabilities(logits)
        return {
            "logits": logits,
            "probabilities": shares,
            "labels": self.model.decision.labels(shares),
        }

    def _compiled(self) -> Any:
        columns = self.model.num_features
        sparse = tf.SparseTensorSpec([None, columns], tf.float32)
        features = tf.TensorSpec([None, columns], tf.float32) if self._dense else sparse
        operator = tf.SparseTensorSpec([None, None], tf.as_dtype(self.model.compute_dtype))

        def call(given: Any, operators: list[Any], positions: tf.Tensor) -> tf.Tensor:
            pair = given, tuple(operators) if len(operators) == 2 else operators[0]
            return tf.gather(self.model(pair), positions)

        signature = [features, [operator] * len(self.directions), tf.TensorSpec([None], tf.int64)]
        return tf.function(call, input_signature=signature, autograph=False)
