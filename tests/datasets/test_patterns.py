"""Generated graphs whose classes follow a known pattern."""

import numpy as np
import pytest

from datasets import DataError
from datasets.patterns import PATTERNS, pattern


def same_class_at(graph, distance):
    """Share of the pairs at exactly this distance, with known classes, that are of one class."""
    near = np.eye(graph.num_nodes, dtype=bool)
    adjacency = np.zeros_like(near)
    first, second = graph.edges.T
    adjacency[first, second] = adjacency[second, first] = True
    seen, front = near.copy(), near
    for _ in range(distance):
        front = (front.astype(np.float32) @ adjacency.astype(np.float32) > 0) & ~seen
        seen |= front
    known = graph.labels >= 0
    pairs = front & known & known[:, np.newaxis]
    same = graph.labels == graph.labels[:, np.newaxis]
    return float(same[pairs].mean())


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_a_graph_with_a_split_and_the_same_each_time(name):
    graph, again = pattern(name), pattern(name)
    assert graph.num_nodes >= 1000
    assert len(graph.train) == 30 * graph.num_classes
    assert (len(graph.val), len(graph.test)) == (300, 400)
    np.testing.assert_array_equal(graph.edges, again.edges)
    np.testing.assert_array_equal(graph.labels, again.labels)
    assert (graph.features != again.features).nnz == 0
    other = pattern(name, seed=1)
    assert (graph.features != other.features).nnz > 0


@pytest.mark.parametrize(
    ("name", "one", "two"),
    [
        ("communities", (0.6, 1), (0.4, 1)),
        ("opposites", (0, 0.1), (0.25, 0.6)),
        ("strangers", (0.3, 0.37), (0.3, 0.37)),
        ("bipartite", (0, 0), (1, 1)),
        ("chessboard", (0, 0), (1, 1)),
        ("patches", (0.8, 1), (0.6, 0.95)),
        ("movies", (0, 1), (0.5, 1)),
        ("families", (0.8, 1), (0.7, 1)),
        ("generations", (0, 0), (0.3, 1)),
        ("neighbourhoods", (0.75, 1), (0.5, 1)),
        ("fans", (0.4, 1), (0.3, 1)),
    ],
)
@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value")
def test_neighbours_are_alike_as_the_pattern_says(name, one, two):
    graph = pattern(name)
    for distance, (low, high) in ((1, one), (2, two)):
        share = same_class_at(graph, distance)
        assert np.isnan(share) or low <= share <= high


def test_an_unknown_pattern_is_named():
    with pytest.raises(DataError, match="choose one of communities"):
        pattern("circles")
