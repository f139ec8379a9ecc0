import collections
import dataclasses
import time

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets import DataError, Graph, canonical_edges, merged_edges
from datasets.stand_ins import edges_digest, with_stand_ins

NODES = 5
NODE = st.integers(0, NODES - 1)
WEIGHT = st.integers(1, 64).map(lambda eighths: eighths / 8)
ROWS = st.lists(st.tuples(NODE, NODE, WEIGHT), max_size=30)
PLAIN = {
    "name": "toy",
    "num_nodes": 4,
    "num_classes": 2,
    "features": np.eye(4),
    "labels": [0, 1, 1, -1],
    "train": [0],
    "val": [1],
    "test": [2],
}


@given(ROWS, st.booleans())
def test_merging_adds_up_the_weights_of_each_pair(rows, directed):
    sums = collections.Counter()
    for u, v, weight in rows:
        if u != v:
            sums[(u, v) if directed or u < v else (v, u)] += weight
    pairs = [row[:2] for row in rows]
    edges, weights = merged_edges(pairs, NODES, weights=[row[2] for row in rows], directed=directed)
    assert list(map(tuple, edges.tolist())) == sorted(sums)
    assert weights.tolist() == [sums[pair] for pair in sorted(sums)]
    assert (edges.dtype, weights.dtype) == (np.int64, np.float32)
    plain, none = merged_edges(pairs, NODES, directed=directed)
    np.testing.assert_array_equal(plain, edges)
    assert none is None
    if not directed:
        np.testing.assert_array_equal(canonical_edges(pairs, NODES), edges)


@pytest.mark.parametrize(
    ("weights", "culprit"),
    [
        ([1, 0], r"the weight of the edge from 2 to 1 is 0, .*\(1 in all\)"),
        ([-1, np.nan], r"from 0 to 1 is -1.0, not a positive, finite float32.*\(2 in all\)"),
        ([np.inf, 1], "from 0 to 1 is inf"),
        ([1e39, 1], "from 0 to 1 is 1e\\+39"),
        ([1, 1e-60], "from 2 to 1 is 1e-60"),
        ([1, 2, 3], r"one weight for each of the 2 edges, but the shape of the weights is \[3\]"),
        (["a", "b"], "the weights of edges must be numbers"),
    ],
)
def test_what_cannot_be_a_weight_is_refused(weights, culprit):
    with pytest.raises(DataError, match=culprit):
        merged_edges([[0, 1], [2, 1]], 3, weights=weights)


def test_weights_that_add_up_to_too_much_are_refused():
    with pytest.raises(DataError, match=r"edge from 'a' to 'b' is 6e\+38"):
        merged_edges([[0, 1], [1, 0]], 2, weights=[3e38, 3e38], node_ids=["a", "b"])


def test_merging_a_million_edges_takes_no_loop():
    rng = np.random.default_rng(0)
    pairs, weights = rng.integers(100_000, size=(1_000_000, 2)), rng.random(1_000_000) + 0.1
    start = time.perf_counter()
    merged_edges(pairs, 100_000, weights=weights)
    assert time.perf_counter() - start < 3


def test_graph_sorts_the_weights_with_the_edges():
    graph = Graph(**PLAIN, edges=[[2, 1], [1, 0]], edge_weights=[0.5, 2])
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.edge_weights.tolist() == [2, 0.5]
    assert graph.edge_weights.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        graph.edge_weights[0] = 1
    assert Graph(**PLAIN, edges=[]).edge_weights is None
    assert Graph(**PLAIN, edges=[], edge_weights=[]).edge_weights.shape == (0,)


def test_directed_graph_keeps_both_directions():
    edges = [[2, 1], [1, 0], [1, 2], [3, 1]]
    graph = Graph(**PLAIN, edges=edges, edge_weights=[4, 1, 2, 8], directed=True)
    assert graph.edges.tolist() == [[1, 0], [1, 2], [2, 1], [3, 1]]
    assert graph.edge_weights.tolist() == [1, 2, 4, 8]
    assert graph.num_edges == 4
    assert graph.degrees().tolist() == [1, 3, 1, 1]
    assert graph.homophily() == 2 / 3  # 1-2 twice, 1-0 once; node 3 is unlabelled
    assert graph.adjusted_homophily() == pytest.approx((2 / 3 - 26 / 36) / (1 - 26 / 36))
    plain = graph.undirected()
    assert plain.edges.tolist() == [[0, 1], [1, 2], [1, 3]]
    assert plain.edge_weights.tolist() == [1, 6, 8]
    assert not plain.directed
    assert plain.undirected() is plain
    again = graph.with_split([0], [], [])
    assert again.directed
    assert again.edge_weights.tolist() == [1, 2, 4, 8]


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"directed": True}, "1 self-loops or repeated edges; clean it up with .*merged_edges"),
        ({"edge_weights": [1, 1, 1]}, "2 self-loops or repeated edges; .*merged_edges"),
        ({}, "2 self-loops or repeated edges; .*canonical_edges"),
        ({"directed": "both"}, "`directed` must be True or False, but is both"),
        ({"edge_weights": [1, 1]}, "one weight for each of the 3 edges"),
    ],
)
def test_graph_refuses_repeated_edges_and_odd_fields(change, culprit):
    with pytest.raises(DataError, match=culprit):
        Graph(**PLAIN, edges=[[0, 1], [1, 0], [0, 1]], **change)


@pytest.mark.parametrize("kind", ["spectral", "local"])
def test_stand_ins_ignore_weights_and_directions(kind):
    edges = [[0, 1], [1, 0], [1, 2]]
    graph = Graph(**PLAIN, edges=edges, edge_weights=[1, 2, 3], directed=True)
    plain = Graph(**PLAIN, edges=[[0, 1], [1, 2]])
    found, expected = (with_stand_ins(each, "toy", kind) for each in (graph, plain))
    np.testing.assert_array_equal(found.features.toarray(), expected.features.toarray())
    assert found.edges.tolist() == edges
    assert found.edge_weights.tolist() == [1, 2, 3]
    assert edges_digest(graph) == edges_digest(plain)
    renamed = dataclasses.replace(graph, node_ids=list("dcba"))
    assert edges_digest(renamed) == edges_digest(renamed.undirected())


def test_there_and_back_through_networkx(path_graph, same_graph):
    for directed in (False, True):
        for weights in (None, [0.5, 2, 3]):
            graph = dataclasses.replace(path_graph, directed=directed, edge_weights=weights)
            out = graph.to_networkx()
            assert isinstance(out, nx.DiGraph) == directed
            assert out.edges["b", "c"] == ({"weight": 2} if weights else {})
            same_graph(Graph.from_networkx(out, directed=directed), graph)
