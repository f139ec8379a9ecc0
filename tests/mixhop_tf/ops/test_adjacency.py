"""The normalised adjacency against dense NumPy."""

import numpy as np
import pytest
import reference
import tensorflow as tf

from mixhop_tf import normalized_adjacency


@pytest.mark.parametrize("seed", range(5))
def test_normalized_adjacency_equals_the_reference(seed):
    rng = np.random.default_rng(seed)
    edges = rng.integers(0, 12, (rng.integers(0, 30), 2))
    messy = np.concatenate([edges, edges[::-1, ::-1], edges[:3]])
    for given in (edges, messy):
        result = normalized_adjacency(given, 12)
        np.testing.assert_allclose(
            tf.sparse.to_dense(result), reference.adjacency(edges, 12), atol=1e-7
        )
    assert len(np.unique(result.indices, axis=0)) == len(result.indices)


def test_normalized_adjacency_of_isolated_nodes_is_the_identity():
    np.testing.assert_array_equal(tf.sparse.to_dense(normalized_adjacency([], 3)), np.eye(3))


def test_normalized_adjacency_of_no_nodes():
    assert normalized_adjacency([], 0).shape == (0, 0)


@pytest.mark.parametrize(
    ("edges", "kind", "culprit"),
    [
        (np.zeros((2, 5), int), ValueError, r"integers of shape \[m, 2\]"),
        ([[0.5, 1.5]], ValueError, "integers of shape"),
        ([[0, 4]], tf.errors.InvalidArgumentError, "edges: an end is no node: too large"),
        ([[-1, 0]], tf.errors.InvalidArgumentError, "edges: an end is no node: negative"),
    ],
)
def test_edges_that_make_no_sense_are_refused(edges, kind, culprit):
    with pytest.raises(kind, match=culprit):
        normalized_adjacency(edges, 4)


def test_normalized_adjacency_inside_a_function_with_an_unknown_number_of_nodes():
    compiled = tf.function(
        lambda edges, n: tf.sparse.to_dense(normalized_adjacency(edges, n)),
        input_signature=[tf.TensorSpec([None, 2], tf.int64), tf.TensorSpec([], tf.int64)],
    )
    expected = reference.adjacency([(0, 2)], 4)
    np.testing.assert_allclose(compiled([[0, 2], [2, 0]], 4), expected, atol=1e-7)
