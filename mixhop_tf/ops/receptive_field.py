"""Finds the part of a graph that the logits of some nodes depend on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from mixhop_tf.tensors import Matrix, Pair


@dataclasses.dataclass(frozen=True)
class ReceptiveField:
    """The part of a graph that the outputs of some nodes depend on.

    A node's output depends on the features of nodes that are at most `hops` products with the
    operator away. The field leaves out all other nodes. It also leaves out the operator's rows of
    the outermost nodes, because their outputs are not needed.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import normalized_adjacency
    >>> from mixhop_tf.ops.receptive_field import ReceptiveField
    >>> path = normalized_adjacency([[0, 1], [1, 2], [2, 3], [3, 4]], num_nodes=5)
    >>> field = ReceptiveField.of(path, nodes=[4], hops=2)
    >>> field.members.tolist(), field.positions([4]).tolist()
    ([2, 3, 4], [2])

    Attributes:
        members: Indices of the nodes in the field, in ascending order, `[m]`.
        kept: Mask of the operator's entries that are in the field.
    """

    members: np.ndarray
    kept: np.ndarray

    @classmethod
    def of(
        cls, operator: tf.SparseTensor, nodes: Sequence[int] | np.ndarray, hops: int
    ) -> ReceptiveField:
        """Finds the field of `nodes`.

        Args:
            operator: Operator of the model, an eager `tf.SparseTensor` `[n, n]`.
            nodes: Indices of the nodes whose outputs are needed.
            hops: Number of products that the model makes one after the other; see
                `GraphModel.hops`.
        """
        rows, columns = operator.indices.numpy().T
        reached = np.zeros(operator.shape[0], bool)
        reached[nodes] = True
        kept = np.zeros(len(rows), bool)
        for _ in range(hops):
            kept = reached[rows]
            reached[columns[kept]] = True
        return cls(np.flatnonzero(reached), kept)

    @property
    def share(self) -> float:
        """Share of the operator's entries that are in the field."""
        return np.count_nonzero(self.kept) / max(1, len(self.kept))

    def positions(self, nodes: Sequence[int] | np.ndarray) -> np.ndarray:
        """Returns the positions of these nodes among the members; all must be members."""
        return np.searchsorted(self.members, nodes)

    def cut(self, features: Matrix, operator: tf.SparseTensor) -> Pair:
        """Cuts out the features `[m, s]` and the operator `[m, m]` of the members.

        The outputs of the nodes that the field was made for stay the same. Those of other members
        change. Sparse features stay sparse.
        """
        size = len(self.members)
        ends = self.positions(operator.indices.numpy()[self.kept])
        values = tf.boolean_mask(operator.values, self.kept)
        cut_operator = tf.SparseTensor(ends, values, [size, size])
        if not isinstance(features, tf.SparseTensor):
            return tf.gather(features, self.members), cut_operator
        indices = features.indices.numpy()
        kept = np.isin(indices[:, 0], self.members)
        indices = np.stack([self.positions(indices[kept, 0]), indices[kept, 1]], axis=1)
        values = tf.boolean_mask(features.values, kept)
        return tf.SparseTensor(indices, values, [size, features.shape[1]]), cut_operator
