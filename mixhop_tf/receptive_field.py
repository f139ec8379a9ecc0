"""The part of a graph that the logits of some nodes depend on."""

import numpy as np
import tensorflow as tf


def receptive_field(inputs, nodes, hops):
    """The part of `(features, operator)` that a model of so many hops needs for some nodes.

    A node's output depends on features at most `hops` products with the operator away. What lies
    further is cut off, and so are the operator's rows of the outermost nodes, whose own outputs
    nobody asks for. The outputs of `nodes` stay as they are; those of other members do not.

    Args:
        inputs: A pair `(features, operator)`, as models take it: `[n, s]` dense or
            `tf.SparseTensor`, and a `tf.SparseTensor` `[n, n]`, eager ones.
        nodes: Indices of the nodes whose outputs are wanted.
        hops: See `GraphModel.hops`.

    Returns:
        The members, `m` ascending node indices, and the pair for them, `([m, s], [m, m])`.

    >>> import tensorflow as tf
    >>> from mixhop_tf import normalized_adjacency
    >>> from mixhop_tf.receptive_field import receptive_field
    >>> path = normalized_adjacency([[0, 1], [1, 2], [2, 3], [3, 4]], num_nodes=5)
    >>> members, _ = receptive_field((tf.eye(5), path), nodes=[4], hops=2)
    >>> members.tolist()
    [2, 3, 4]
    """
    features, operator = inputs
    rows, columns = operator.indices.numpy().T
    reached = np.zeros(operator.shape[0], bool)
    reached[nodes] = True
    inner = np.zeros_like(reached)
    for _ in range(hops):
        inner = reached.copy()
        reached[columns[inner[rows]]] = True
    members = np.flatnonzero(reached)
    place = np.cumsum(reached) - 1
    part = _entries(operator, inner[rows], lambda ends: place[ends], [len(members)] * 2)
    if not isinstance(features, tf.SparseTensor):
        return members, (tf.gather(features, members), part)
    kept = reached[features.indices[:, 0].numpy()]
    shape = [len(members), features.shape[1]]

    def moved(indices):
        return np.stack([place[indices[:, 0]], indices[:, 1]], axis=1)

    return members, (_entries(features, kept, moved, shape), part)


def _entries(sparse, kept, moved, shape):
    """Those entries of a sparse tensor that are kept, at their new indices."""
    values = tf.boolean_mask(sparse.values, kept)
    return tf.SparseTensor(moved(sparse.indices.numpy()[kept]), values, shape)
