import networkx as nx
import numpy as np
import pytest

import datasets
from datasets import DataError, Graph


@pytest.fixture
def club():
    graph = nx.karate_club_graph()
    for node in graph:
        graph.nodes[node].update(degree=graph.degree(node), bridges=0.5 * node)
    return graph


def test_karate_club(club):
    graph = Graph.from_networkx(club, label="club")
    assert (graph.num_nodes, graph.num_edges) == (34, 78)
    assert graph.class_names == ("Mr. Hi", "Officer")
    assert graph.features.toarray()[:2].tolist() == [[16, 0], [9, 0.5]]
    assert graph.node_ids.tolist() == [str(node) for node in club]


def test_features_by_name_in_the_order_given(club):
    graph = Graph.from_networkx(club, label="club", features=["bridges", "degree"])
    assert graph.features.toarray()[1].tolist() == [0.5, 9]
    assert Graph.from_networkx(club, label="club", features="degree").num_features == 1


def test_directed_multigraph_with_self_loops():
    raw = nx.MultiDiGraph([("a", "b"), ("b", "a"), ("a", "a"), ("a", "b")])
    nx.set_node_attributes(raw, {"a": [1.0, 2.0], "b": [3.0, 4.0]}, "x")
    nx.set_node_attributes(raw, {"a": "one"}, "label")
    nx.set_node_attributes(raw, {"a": "train"}, "split")
    graph = Graph.from_networkx(raw)
    assert graph.edges.tolist() == [[0, 1]]
    assert graph.labels.tolist() == [0, -1]
    assert graph.train.tolist() == [0]
    assert graph.features.toarray().tolist() == [[1, 2], [3, 4]]


def test_there_and_back(path_graph, same_graph):
    back = Graph.from_networkx(path_graph.to_networkx())
    same_graph(back, path_graph)
    assert back.name == path_graph.name


def test_graphml_file(club, tmp_path):
    for _, attributes in club.nodes(data=True):
        attributes["label"] = attributes.pop("club")
    nx.write_graphml(club, tmp_path / "karate.graphml")
    graph = datasets.load(tmp_path / "karate.graphml")
    assert (graph.name, graph.num_edges, graph.num_classes) == ("karate", 78, 2)
    np.testing.assert_array_equal(graph.features.toarray()[:, 0], [d for _, d in club.degree()])


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({}, "no node has the attribute 'label'"),
        (
            {"label": "club", "features": ["degree", "age"]},
            "node 0, 1, 2 and 31 more lacks .*'age'",
        ),
        ({"label": "club", "features": "club"}, "must be numbers, or vectors"),
        ({"label": "club", "split": "degree"}, "the attribute 'degree' of node 0 is 16"),
    ],
)
def test_what_is_lacking_is_named(club, options, culprit):
    with pytest.raises(DataError, match=culprit):
        Graph.from_networkx(club, **options)


def test_layout_coordinates_are_two_features_and_gaps_are_told(messages):
    raw = nx.path_graph(3)
    for node in raw:
        raw.nodes[node].update(x=0.5 * node, y=1.0, label="ab"[node % 2], good=True)
    raw.nodes[1]["age"] = 3
    graph = Graph.from_networkx(raw)
    assert graph.features.toarray().tolist() == [[0, 1], [0.5, 1], [1, 1]]
    assert "they are not features: good, age" in messages()


def test_missing_labels_of_every_kind():
    raw = nx.path_graph(4)
    for node, label in enumerate(["a", None, float("nan"), ""]):
        raw.nodes[node].update(label=label, f=1.0)
    assert Graph.from_networkx(raw).labels.tolist() == [0, -1, -1, -1]


def test_without_features_the_edges_make_them(messages):
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, "c", "label")
    found = Graph.from_networkx(graph)
    assert found.feature_names[:2] == ("log_degree", "spectral_1")
    np.testing.assert_allclose(found.features.toarray()[:, 0], np.log([2, 3, 2]), rtol=1e-6)
    assert "has no features" in messages()


def test_empty_graph():
    with pytest.raises(DataError, match="the graph is empty"):
        Graph.from_networkx(nx.Graph())


def test_damaged_file(tmp_path):
    (tmp_path / "bad.graphml").write_text("<graphml><graph>")
    with pytest.raises(DataError, match=r"bad\.graphml cannot be read as GraphML"):
        datasets.load(tmp_path / "bad.graphml")
