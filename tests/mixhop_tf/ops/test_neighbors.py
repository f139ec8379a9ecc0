import numpy as np
import pytest

from mixhop_tf import SettingError
from mixhop_tf.ops.neighbors import Neighbors

EDGES = np.array([[0, 1], [1, 0], [2, 1], [3, 3], [2, 1], [0, 3]])
WEIGHTS = np.array([1.0, 2.0, 3.0, 9.0, 0.5, 4.0], np.float32)


def dense(direction, weights):
    """`A + I` of the graph above, entry by entry."""
    matrix = np.zeros((5, 5))
    for (first, second), weight in zip(EDGES, weights, strict=True):
        if first == second:
            continue
        pairs = {"out": [(first, second)], "in": [(second, first)]}.get(
            direction, [(first, second), (second, first)]
        )
        for pair in pairs:
            matrix[pair] += weight
    return matrix + np.eye(5)


@pytest.mark.parametrize("direction", ["undirected", "in", "out"])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_rows_are_those_of_the_matrix(direction, weights):
    found = Neighbors.from_edges(EDGES, 5, weights, direction)
    expected = dense(direction, np.ones(len(EDGES)) if weights is None else weights)
    if weights is None:
        expected = (expected > 0).astype(float)
    np.testing.assert_array_equal(found.rows(0, 5).toarray(), expected)
    np.testing.assert_array_equal(found.rows(1, 3).toarray(), expected[1:3])
    assert found.num_entries == np.count_nonzero(expected)
    assert found.indptr.dtype == np.int64
    assert found.indices.dtype == np.int32
    for i in range(5):
        row = found.indices[found.indptr[i] : found.indptr[i + 1]]
        assert list(row) == sorted(row)


def test_an_unknown_direction_is_refused():
    with pytest.raises(SettingError, match="direction"):
        Neighbors.from_edges(EDGES, 5, None, "both")
