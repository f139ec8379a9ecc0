"""Sparse products against dense NumPy."""

import numpy as np
import pytest
import tensorflow as tf

from mixhop_tf.ops.sparse import sparse_matmul


@pytest.mark.parametrize("width", [1, 31, 32, 60, 63, 200])
def test_blocked_product_equals_the_plain_one(width):
    rng = np.random.default_rng(width)
    sparse, dense = rng.random((8, 5)) * (rng.random((8, 5)) < 0.5), rng.random((5, width))
    product = sparse_matmul(
        tf.sparse.from_dense(tf.constant(sparse, tf.float32)), tf.constant(dense, tf.float32)
    )
    np.testing.assert_allclose(product, sparse @ dense, atol=1e-5)
