"""Weights and directions in `.npz` files, networkx graphs and graph files, and in named graphs."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import datasets
from datasets import DataError, Graph

EDGES = np.array([[0, 1], [1, 0], [2, 2], [1, 2]])
WEIGHTS = np.array([0.5, 2, 9, 3])


def save(tmp_path, **change):
    arrays = {"edges": EDGES, "labels": np.array([5, 3, -1]), "features": np.eye(3)} | change
    kept = {key: value for key, value in arrays.items() if value is not None}
    np.savez(tmp_path / "mine.npz", **kept)
    return tmp_path / "mine.npz"


def load(path, **options):
    return datasets.load(path, make_split=False, **options)


@pytest.mark.parametrize("key", ["edge_weights", "edge_weight", "weight", "Weight"])
def test_usual_arrays_are_used(tmp_path, key, messages):
    path = save(tmp_path, **{key: WEIGHTS[:, None]})
    assert load(path).edge_weights.tolist() == [2.5, 3]
    assert f"the array {key} has the weights of edges" in messages()
    directed = load(path, directed=True)
    assert directed.edges.tolist() == [[0, 1], [1, 0], [1, 2]]
    assert directed.edge_weights.tolist() == [0.5, 2, 3]
    assert load(path, weight="none").edge_weights is None
    assert f"the weights of edges in {key} are ignored" in messages()


def test_named_array_is_used_and_no_other(tmp_path, messages):
    path = save(tmp_path, edge_attr=WEIGHTS, strength=WEIGHTS * 2, edge_weight=-WEIGHTS)
    assert load(path, weight="strength").edge_weights.tolist() == [5, 6]
    assert "the array edge_attr is not used" in messages()
    path = save(tmp_path, edge_attr=WEIGHTS)
    assert load(path).edge_weights is None
    assert load(path, weight="edge_attr").edge_weights.tolist() == [2.5, 3]


@pytest.mark.parametrize(
    ("change", "options", "culprit"),
    [
        ({}, {"weight": "calls"}, "no array 'calls' .*; the arrays are edges, features, labels"),
        ({}, {"weight": "labels"}, "no array 'labels' for the weights"),
        ({"weight": WEIGHTS, "edge_weight": WEIGHTS}, {}, "both 'weight' and 'edge_weight'"),
        ({"weight": WEIGHTS[:2]}, {}, r"one weight for each of the 4 edges.* is \[2\]"),
        ({"weight": np.array(list("abcd"))}, {}, "the weights of edges must be numbers"),
        ({"weight": -WEIGHTS}, {}, r"mine\.npz: the weight of the edge from 0 to 1 is -0\.5"),
        (
            {"weight": WEIGHTS * [1, 1, 1, 0], "node_ids": np.array(["p", "q", "r"])},
            {},
            "the weight of the edge from 'q' to 'r' is 0.0, not a positive",
        ),
        ({"directed": np.array([0, 1])}, {}, "`directed` must be True or False"),
        ({"directed": np.array("yes")}, {}, "`directed` must be True or False"),
    ],
)
def test_invalid_arrays_are_refused(tmp_path, change, options, culprit):
    with pytest.raises(DataError, match=culprit):
        load(save(tmp_path, **change), **options)


def test_directions_that_a_file_has(tmp_path, messages):
    path = save(tmp_path)  # it does not say, so the reader decides
    assert load(path, directed=True).edges.tolist() == [[0, 1], [1, 0], [1, 2]]
    path = save(tmp_path, directed=np.array(True))
    assert load(path, directed=True).edges.tolist() == [[0, 1], [1, 0], [1, 2]]
    assert load(path).edges.tolist() == [[0, 1], [1, 2]]
    assert "directions of edges are not used; the graph is read as undirected" in messages()
    path = save(tmp_path, directed=np.array(False), weight=WEIGHTS)
    both = load(path, directed=True)
    assert both.edges.tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]
    assert both.edge_weights.tolist() == [2.5, 2.5, 3, 3]


def test_a_saved_undirected_graph_has_both_directions(tmp_path, path_graph):
    path = path_graph.save(tmp_path / "g.npz")
    edges = datasets.load(path, directed=True).edges.tolist()
    assert edges == [[0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2]]


def test_values_of_an_adjacency_are_weights_only_by_name(tmp_path, messages):
    matrix = sp.csr_array((WEIGHTS, EDGES.T), shape=(3, 3))
    parts = {f"adj_{part}": getattr(matrix, part) for part in ("data", "indices", "indptr")}
    path = save(tmp_path, edges=None, adj_shape=np.array([3, 3]), **parts)
    assert load(path).edge_weights is None
    assert "the values of adj_data are not used as weights" in messages()
    graph = load(path, weight="adj_data", directed=True)
    assert graph.edges.tolist() == [[0, 1], [1, 0], [1, 2]]
    assert graph.edge_weights.tolist() == [0.5, 2, 3]


def make_networkx(kind=nx.Graph, key="weight"):
    graph = kind(name="net")
    for node in "pqr":
        graph.add_node(node, label="x" if node == "p" else "y", age=ord(node))
    for (u, v), weight in zip([("p", "q"), ("q", "p"), ("q", "r")], [0.5, 2, 3], strict=True):
        graph.add_edge(u, v, **{key: weight, "kind": "road"})
    return graph


@pytest.mark.parametrize(
    ("kind", "directed", "edges", "weights"),
    [
        (nx.Graph, False, [[0, 1], [1, 2]], [2, 3]),
        (nx.Graph, True, [[0, 1], [1, 0], [1, 2], [2, 1]], [2, 2, 3, 3]),
        (nx.MultiGraph, False, [[0, 1], [1, 2]], [2.5, 3]),
        (nx.DiGraph, False, [[0, 1], [1, 2]], [2.5, 3]),
        (nx.DiGraph, True, [[0, 1], [1, 0], [1, 2]], [0.5, 2, 3]),
        (nx.MultiDiGraph, True, [[0, 1], [1, 0], [1, 2]], [0.5, 2, 3]),
    ],
)
@pytest.mark.parametrize("ending", [None, "graphml", "gexf", "gml"])
def test_networkx_graphs_and_their_files(tmp_path, kind, directed, edges, weights, ending):
    raw = make_networkx(kind)
    if ending is None:
        graph = Graph.from_networkx(raw, directed=directed)
    else:
        path = tmp_path / f"net.{ending}"
        getattr(nx, f"write_{ending}")(raw, path)
        graph = load(path, directed=directed, **({"label": "label"}))
    assert graph.directed == directed
    assert graph.edges.tolist() == edges
    assert graph.edge_weights.tolist() == weights


@pytest.mark.parametrize("ending", [None, "graphml"])
def test_named_edge_attribute(tmp_path, ending, messages):
    raw = make_networkx(key="Calls")
    nx.write_graphml(raw, tmp_path / "net.graphml")

    def read(**options):
        if ending is None:
            return Graph.from_networkx(raw, **options)
        return load(tmp_path / "net.graphml", **options)

    assert read().edge_weights is None
    assert read(weight="calls").edge_weights.tolist() == [2, 3]
    with pytest.raises(
        DataError, match=r"no edge has the attribute 'x' .*; the attributes are Calls, kind"
    ):
        read(weight="x")
    with pytest.raises(DataError, match=r"weight of the edge from 'p' to 'q' is 'road', not a pos"):
        read(weight="kind")
    raw = make_networkx()
    nx.write_graphml(raw, tmp_path / "net.graphml")
    assert read(weight="none").edge_weights is None
    assert "the weights of edges in weight are ignored" in messages()


@pytest.mark.parametrize("value", [0, -1.5, float("nan"), float("inf"), None, "heavy", True, [1]])
def test_invalid_edge_attributes_are_refused_by_name(value):
    raw = make_networkx()
    raw.edges["q", "r"]["weight"] = value
    with pytest.raises(
        DataError, match=r"net: the weight of the edge from 'q' to 'r' is .*\(1 in all\)"
    ):
        Graph.from_networkx(raw)


def test_an_edge_without_a_weight_counts_one_in_gexf_alone(tmp_path):
    raw = make_networkx()
    del raw.edges["q", "r"]["weight"]
    with pytest.raises(DataError, match="the weight of the edge from 'q' to 'r' is missing"):
        Graph.from_networkx(raw)
    nx.write_gexf(raw, tmp_path / "net.gexf")
    assert load(tmp_path / "net.gexf", label="label").edge_weights.tolist() == [2, 1]
    nx.write_gml(raw, tmp_path / "net.gml")
    with pytest.raises(DataError, match=r"net\.gml: the weight of the edge .* is missing"):
        load(tmp_path / "net.gml")


def test_named_graphs_have_neither_weights_nor_directions(tmp_path):
    with pytest.raises(DataError, match="cora is an undirected graph, so its edges have no direct"):
        datasets.load("cora", directed=True)
    with pytest.raises(DataError, match=r"synthetic-h0\.2-radial is an undirected graph"):
        datasets.load("synthetic-h0.2-radial", directed=True)
    with pytest.raises(DataError, match="cora has no weights of edges, so it has no 'calls'"):
        datasets.load("cora", weight="calls")
    (tmp_path / "ind.g.graph").write_bytes(b"")
    with pytest.raises(DataError, match="is an undirected graph"):
        datasets.load(tmp_path, directed=True)
    graph = datasets.load("synthetic-h0.2", weight="none")
    assert (graph.edge_weights, graph.directed) == (None, False)
