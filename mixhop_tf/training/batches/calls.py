"""Calls a model with the tensors of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from mixhop_tf.tensors import Operator, Pair
from mixhop_tf.training.batches.features import FeatureRows, HopRows

_OPERATOR = (tf.TensorSpec([None, 2], tf.int64), tf.TensorSpec([None], tf.float32))
# The number of nodes; positions, labels and weights of the nodes whose loss counts.
_REST = (
    tf.TensorSpec([], tf.int64),
    tf.TensorSpec([None], tf.int64),
    tf.TensorSpec([None], tf.int64),
    tf.TensorSpec([None], tf.float32),
)


class BatchCalls:
    """Turns the tensors of a batch into the inputs of a model, and calls it.

    Args:
        model: The model that is trained.
        features: Reads the features of a batch.
        num_operators: Number of matrices that the model multiplies by: one, or two directions.
    """

    def __init__(self, model: Any, features: FeatureRows | HopRows, num_operators: int) -> None:
        self._model, self._features = model, features
        self.specs = (*features.specs, *(_OPERATOR * num_operators), *_REST)
        self.target_logits = tf.function(self._target_logits, input_signature=[self.specs])

    def training_logits(self, tensors: Sequence[tf.Tensor]) -> list[tf.Tensor]:
        """Returns the logits of all nodes with dropout; training adds up their losses."""
        if isinstance(self._features, HopRows):
            hops, operator = self._hops(tensors), self._operator(tensors)
            return [self._model.propagated_logits(hops, operator, training=True)]
        return self._model.training_logits(self.pair(tensors))

    def pair(self, tensors: Sequence[tf.Tensor]) -> Pair:
        """Makes the pair `(features, operator)`."""
        if isinstance(self._features, HopRows):
            raise TypeError("A batch of propagated features has no pair.")
        parts = tensors[: len(self._features.specs)]
        return self._features.matrix(parts, tensors[-4]), self._operator(tensors)

    def _target_logits(self, tensors: Sequence[tf.Tensor]) -> tf.Tensor:
        """Computes the logits of the nodes whose loss counts, without dropout."""
        if isinstance(self._features, HopRows):
            logits = self._model.propagated_logits(self._hops(tensors), self._operator(tensors))
        else:
            logits = self._model(self.pair(tensors))
        return tf.gather(logits, tensors[-3])

    def _hops(self, tensors: Sequence[tf.Tensor]) -> Sequence[tf.Tensor]:
        return tensors[: len(self._features.specs)]

    def _operator(self, tensors: Sequence[tf.Tensor]) -> Operator:
        arrays = tensors[len(self._features.specs) : -4]
        shape = tf.stack([tensors[-4], tensors[-4]])
        made = [
            tf.SparseTensor(indices, values, shape)
            for indices, values in zip(arrays[::2], arrays[1::2], strict=True)
        ]
        return (made[0], made[1]) if len(made) == 2 else made[0]
