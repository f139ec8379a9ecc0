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


@pytest.mark.parametrize("direction", ["undirected", "in", "out"])
@pytest.mark.parametrize("normalization", ["symmetric", "row", "none"])
@pytest.mark.parametrize("self_loops", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_weights_and_directions_equal_the_reference(direction, normalization, self_loops, weighted):
    rng = np.random.default_rng(0)
    edges = rng.integers(0, 10, (40, 2))  # some are repeated, some are self-loops, node 10 is alone
    weights = rng.uniform(0.1, 5.0, len(edges)) if weighted else None
    options = {"direction": direction, "normalization": normalization, "self_loops": self_loops}
    result = normalized_adjacency(edges, 11, weights=weights, **options)
    expected = reference.general_adjacency(edges, 11, weights, **options)
    np.testing.assert_allclose(tf.sparse.to_dense(result), expected, atol=1e-6)
    np.testing.assert_array_equal(result.indices, tf.sparse.reorder(result).indices)
    assert np.count_nonzero(result.values) == len(np.unique(result.indices, axis=0))


def test_weights_of_one_give_the_unweighted_adjacency_to_the_bit():
    edges = [[0, 1], [1, 2], [0, 3]]
    plain, weighted = (
        normalized_adjacency(edges, 5),
        normalized_adjacency(edges, 5, weights=[1] * 3),
    )
    np.testing.assert_array_equal(plain.indices, weighted.indices)
    np.testing.assert_array_equal(plain.values, weighted.values)


@pytest.mark.parametrize(
    ("weights", "kind", "culprit"),
    [
        ([1.0], tf.errors.InvalidArgumentError, "one is needed for each edge"),
        ([[1.0, 2.0]], ValueError, r"the shape \[m\]"),
        ([1.0, 0.0], tf.errors.InvalidArgumentError, "not positive"),
        ([1.0, -2.0], tf.errors.InvalidArgumentError, "not positive"),
        ([1.0, np.nan], tf.errors.InvalidArgumentError, "not finite"),
    ],
)
def test_weights_that_make_no_sense_are_refused(weights, kind, culprit):
    with pytest.raises(kind, match=culprit):
        normalized_adjacency([[0, 1], [1, 2]], 3, weights=weights)


@pytest.mark.parametrize("options", [{"direction": "both"}, {"normalization": "column"}])
def test_unknown_options_are_refused(options):
    with pytest.raises(ValueError, match="must be one of"):
        normalized_adjacency([[0, 1]], 2, **options)


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
