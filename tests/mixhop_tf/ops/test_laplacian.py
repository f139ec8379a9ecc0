"""The rescaled Laplacian against dense NumPy."""

import numpy as np
import pytest
import reference
import tensorflow as tf

from mixhop_tf.ops.laplacian import largest_eigenvalue, rescaled_laplacian

N = 9
RNG = np.random.default_rng(0)
EDGES = np.array([(u, v) for u, v in RNG.integers(N - 1, size=(14, 2)) if u != v])  # 8 is alone


def test_the_largest_eigenvalue_is_that_of_the_dense_laplacian():
    for seed, n in ((1, 20), (2, 60), (3, 200)):
        edges = np.random.default_rng(seed).integers(n, size=(2 * n, 2))
        dense = reference.rescaled_laplacian(edges, n, 2.0) + np.eye(n)
        exact = np.linalg.eigvalsh(dense)[-1]
        found = largest_eigenvalue(edges, n)
        assert exact <= found + 1e-9 <= exact + 2e-4
        assert found == round(found, 4)


@pytest.mark.parametrize("n", [2, 64])
def test_the_largest_eigenvalue_of_two_sides_is_two(n):
    ring = np.stack([np.arange(n), (np.arange(n) + 1) % n], axis=1)
    assert largest_eigenvalue(ring, n) == 2.0


def test_repeated_edges_and_loops_change_no_laplacian():
    messy = np.concatenate([EDGES, EDGES[:, ::-1], [[3, 3]]])
    assert largest_eigenvalue(messy, N) == largest_eigenvalue(EDGES, N)
    for edges in (EDGES, messy):
        dense = tf.sparse.to_dense(rescaled_laplacian(edges, N, 1.7))
        np.testing.assert_allclose(dense, reference.rescaled_laplacian(EDGES, N, 1.7), atol=1e-6)


def test_without_edges_all_is_well():
    assert largest_eigenvalue(np.zeros((0, 2)), 3) == 1.0
    dense = tf.sparse.to_dense(rescaled_laplacian([], 2, 1.0))
    np.testing.assert_allclose(dense, np.eye(2))
