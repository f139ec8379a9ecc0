"""Both ways to multiply by attention, against dense matrices."""

import numpy as np
import pytest
import tensorflow as tf

from mixhop_tf.ops.attention import attend, attend_by_edge, incidence, neighbourhood_softmax

N = 7
RNG = np.random.default_rng(0)
MASK = RNG.random((N, N)) < 0.4
MASK[-1] = False  # the last node has no entry
ADJACENCY = tf.sparse.from_dense(tf.constant(MASK, tf.float32))
NUM_EDGES = int(MASK.sum())


@pytest.mark.parametrize("multiply", [attend, attend_by_edge])
@pytest.mark.parametrize("widths", [[3], [2, 2, 2], [1, 3, 2], [40, 33], [1] * 40])
def test_products_and_gradients_equal_dense_matrices(multiply, widths):
    alpha = tf.constant(RNG.random((NUM_EDGES, len(widths))), tf.float32)
    z = tf.constant(RNG.standard_normal((N, sum(widths))), tf.float32)
    target = RNG.standard_normal(z.shape)

    def dense(alpha, z):
        operators = [
            tf.scatter_nd(ADJACENCY.indices, each, [N, N]) for each in tf.unstack(alpha, axis=1)
        ]
        parts = zip(operators, tf.split(z, widths, axis=1), strict=True)
        return tf.concat([operator @ part for operator, part in parts], axis=1)

    def with_gradients(function):
        with tf.GradientTape() as tape:
            tape.watch([alpha, z])
            y = function(alpha, z)
            loss = tf.reduce_sum(y * target)
        return y, *tape.gradient(loss, [alpha, z])

    found = with_gradients(lambda alpha, z: multiply(ADJACENCY, alpha, z, widths))
    for one, other in zip(found, with_gradients(dense), strict=True):
        assert np.abs(other).max() > 0.1
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_weights_of_the_softmax_are_multiplicities():
    sources = incidence(tf.constant([0, 0, 2], tf.int64), tf.constant(4, tf.int64))
    scores = tf.math.log([[1.0], [2.0], [5.0]])
    plain = neighbourhood_softmax(scores, sources)
    np.testing.assert_allclose(plain, [[1 / 3], [2 / 3], [1]], rtol=1e-6)
    weighted = neighbourhood_softmax(scores, sources, tf.constant([4.0, 1.0, 0.5]))
    np.testing.assert_allclose(weighted, [[2 / 3], [1 / 3], [1]], rtol=1e-6)
