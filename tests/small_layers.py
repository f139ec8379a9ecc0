"""Adjacencies and kernels for tests of layers."""

import numpy as np
import tensorflow as tf


def random_adjacency(rng, num_nodes, symmetric):
    dense = rng.random((num_nodes, num_nodes)) * (rng.random((num_nodes, num_nodes)) < 0.4)
    return (dense + dense.T if symmetric else dense) / num_nodes


def as_sparse(dense):
    return tf.sparse.from_dense(tf.constant(dense, tf.float32))


def kernels_of(layer):
    live = dict(zip(layer.live_powers, layer.kernels, strict=True))
    return {power: np.array(live[power]) for power in layer.live_powers}
