"""Puts the rows of all workers together for a product, without a second copy of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import tensorflow as tf

from mixhop_tf.distributed.group import Group, pieces
from mixhop_tf.distributed.partition import Partition

_AT_ONCE = 2  # pieces on their way


class Exchange:
    """Gathers the rows of all workers into one array, piece by piece, and multiplies by it.

    TensorFlow would hold all pieces beside the array that they become. Here a piece is dropped when
    it has been copied, and the next ones are sent only then.

    Args:
        group: The workers.
        partition: Which rows each has.
    """

    def __init__(self, group: Group, partition: Partition) -> None:
        self._group, self._partition = group, partition
        self._arrays: dict[int, np.ndarray] = {}
        self._numbers = itertools.count()

    def product(
        self,
        rows: Callable[[int, int], tf.Tensor],
        width: int,
        multiply: Callable[[np.ndarray], np.ndarray],
    ) -> tf.Tensor:
        """Computes `multiply(z)` with the rows `z [size · block, width]` of all workers.

        Args:
            rows: Returns this worker's rows from a first one to a last one, of `block` rows.
            width: Number of columns.
            multiply: Computes the product from `z`.
        """
        size, block = self._partition.size, self._partition.block
        number = next(self._numbers)  # of this place in the program, which runs once at a time

        def store(first: np.ndarray, gathered: np.ndarray) -> np.ndarray:
            array = self._arrays.get(number)
            if array is None:  # for two pieces at once, perhaps; `setdefault` keeps one array
                empty = np.empty((size, block, width), np.float32)
                array = self._arrays.setdefault(number, empty)
            last = int(first) + gathered.shape[1]
            array[:, int(first) : last] = gathered
            return np.asarray(last, np.int64)

        def finish(*_stored: np.ndarray) -> np.ndarray:
            return multiply(self._arrays.pop(number).reshape(size * block, width))

        stored: list[tf.Tensor] = []
        for first, last in pieces(block, width):
            with tf.control_dependencies(stored[-_AT_ONCE:][:1]):
                gathered = self._group.gather_piece(rows(first, last))
            arguments = [tf.constant(first, tf.int64), gathered]
            stored.append(tf.numpy_function(store, arguments, tf.int64, stateful=False))
        return tf.numpy_function(finish, stored, tf.float32, stateful=False)
