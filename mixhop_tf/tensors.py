"""Type aliases for tensors, and for arguments that Keras accepts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import keras
import tensorflow as tf

Matrix: TypeAlias = "tf.Tensor | tf.SparseTensor"
# One operator, or one for each direction of the edges: forward and backward. Each is a
# `tf.SparseTensor` or an object with a method `matmul`.
Operator: TypeAlias = "Any | tuple[Any, Any]"
Pair: TypeAlias = "tuple[Matrix, Operator]"  # features and operator
Shape: TypeAlias = "tuple[int | None, ...]"

Activation: TypeAlias = "str | Callable[[tf.Tensor], tf.Tensor] | None"
Initializer: TypeAlias = "str | keras.initializers.Initializer"
Regularizer: TypeAlias = "str | keras.regularizers.Regularizer | None"
Constraint: TypeAlias = "str | keras.constraints.Constraint | None"
