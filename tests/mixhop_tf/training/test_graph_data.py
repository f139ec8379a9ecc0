"""A graph in plain arrays accepts valid input and refuses the rest."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from mixhop_tf import GraphData, SettingError

GOOD = {
    "edges": [[0, 1], [1, 2], [2, 3]],
    "labels": ["b", "a", None, "b"],
    "train": [0],
    "val": [1],
    "test": [3],
    "features": [[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [3.0, 4.0]],
}


def graph(**changes):
    return GraphData(**GOOD | changes)


def test_plain_lists_become_arrays():
    made = graph(name="four", feature_names=["x", "y"], node_ids=[10, 11, 12, 13])
    assert (made.num_nodes, made.num_features, made.num_classes) == (4, 2, 2)
    assert made.class_names == ("a", "b")
    assert made.labels.tolist() == [1, 0, -1, 1]
    np.testing.assert_array_equal(made.edges, GOOD["edges"])
    assert [part.tolist() for part in (made.train, made.val, made.test)] == [[0], [1], [3]]
    assert isinstance(made.features, sp.csr_array)
    assert made.features.dtype == np.float32
    np.testing.assert_array_equal(made.features.toarray(), GOOD["features"])
    assert made.feature_names == ("x", "y")
    assert made.node_ids == ("10", "11", "12", "13")
    assert made.name == "four"


def test_without_features_every_node_has_a_column_of_its_own():
    made = graph(features=None)
    np.testing.assert_array_equal(made.features.toarray(), np.eye(4))


@pytest.mark.parametrize(
    ("labels", "classes", "numbers"),
    [
        ([10, 9, -1, 10], ("9", "10"), [1, 0, -1, 1]),  # whole numbers in their own order
        (["x", "y", "", "x"], ("x", "y"), [0, 1, -1, 0]),
        (["x", "y", "-1", "x"], ("x", "y"), [0, 1, -1, 0]),
        (np.array([1, 0, -1, 1]), ("0", "1"), [1, 0, -1, 1]),
        (
            ["a", 2, None, "a"],
            ("2", "a"),
            [1, 0, -1, 1],
        ),  # different types are sorted by their text
    ],
)
def test_labels_of_any_type_are_numbered_in_order(labels, classes, numbers):
    made = graph(labels=labels)
    assert made.class_names == classes
    assert made.labels.tolist() == numbers


def test_sparse_features_and_masks_are_taken_too():
    stored_twice = sp.coo_array(([1.0, 1.0, 5.0], ([0, 0, 1], [0, 0, 1])), shape=(4, 2))
    made = graph(features=stored_twice, train=[True, False, False, False])
    assert made.features.toarray().tolist() == [[2, 0], [0, 5], [0, 0], [0, 0]]
    assert made.features.nnz == 2
    assert made.train.tolist() == [0]


def test_nodes_of_a_part_ascend_and_count_once():
    assert graph(train=[3, 0, 3], test=[]).train.tolist() == [0, 3]


def test_a_graph_may_lack_edges_and_test_nodes():
    made = graph(edges=[], test=())
    assert made.edges.shape == (0, 2)
    assert made.test.tolist() == []


@pytest.mark.parametrize(
    ("argument", "value", "rule"),
    [
        ("labels", [], "one label for each node"),
        ("labels", [["a", "b"], ["a", "b"]], "one label for each node"),
        ("labels", [None, -1, "", None], "at least one node"),
        ("features", [[1.0], [2.0]], r"the shape \[4, s\]"),
        ("features", np.ones(4), r"the shape \[4, s\]"),
        ("features", np.ones((4, 0)), r"the shape \[4, s\]"),
        ("features", sp.csr_array(np.ones((3, 2))), r"the shape \[4, s\]"),
        ("features", np.full((4, 1), np.nan), "must be finite"),
        ("features", np.full((4, 1), np.inf), "must be finite"),
        ("features", [["a"], ["b"], ["c"], ["d"]], "an array of numbers"),
        ("features", [[1.0], [1.0, 2.0], [3.0], [4.0]], "an array of numbers"),
        ("edges", [[0, 4]], "nodes from 0 to 3"),
        ("edges", [[-1, 0]], "nodes from 0 to 3"),
        ("edges", [[0.5, 1.0]], "whole numbers"),
        ("edges", [0, 1], r"shape \[m, 2\]"),
        ("edges", [[0, 1, 2]], r"shape \[m, 2\]"),
        ("edges", [[0, 1], [2]], "an array of numbers"),
        ("train", [4], "nodes from 0 to 3"),
        ("train", [-1], "nodes from 0 to 3"),
        ("train", [2], "nodes that have a label"),
        ("train", [0.0], "list of node indices"),
        ("train", [[0]], "list of node indices"),
        ("train", [True, False], "list of node indices"),
        ("val", [0, 1], "not share a node with another part"),
        ("test", [1], "not share a node with another part"),
        ("test", [9], "nodes from 0 to 3"),
        ("feature_names", ["x"], "2 names"),
        ("node_ids", list("abc"), "4 names"),
    ],
)
def test_bad_input_is_refused_with_the_name_of_the_argument(argument, value, rule):
    with pytest.raises(SettingError, match=rule) as caught:
        graph(**{argument: value})
    assert caught.value.name == argument
    assert str(caught.value).startswith(f"`{argument}` ")


@pytest.fixture
def club():
    """Makes the path a - b - c and an isolated node d without a class."""
    made = nx.Graph(name="club")
    for node, (side, age) in {"a": ("x", 1.0), "b": ("y", 2.0), "c": ("x", 3.0)}.items():
        made.add_node(node, side=side, age=age, height=2 * age)
    made.add_node("d", age=4.0, height=0.0)
    made.add_edges_from([("a", "b"), ("b", "c")])
    return made


def test_from_networkx(club):
    made = GraphData.from_networkx(
        club, label="side", train=["c"], val=["b"], test=["a"], features=["age", "height"]
    )
    assert made.name == "club"
    assert made.node_ids == tuple("abcd")
    assert made.class_names == ("x", "y")
    assert made.labels.tolist() == [0, 1, 0, -1]
    assert made.edges.tolist() == [[0, 1], [1, 2]]
    assert [part.tolist() for part in (made.train, made.val, made.test)] == [[2], [1], [0]]
    assert made.feature_names == ("age", "height")
    np.testing.assert_array_equal(made.features.toarray(), [[1, 2], [2, 4], [3, 6], [4, 0]])


def test_from_networkx_without_features_directions_or_name(club):
    made = GraphData.from_networkx(
        nx.DiGraph(club), label="side", train=["a"], val=["b"], name="other"
    )
    assert made.name == "other"
    assert made.feature_names is None
    np.testing.assert_array_equal(made.features.toarray(), np.eye(4))
    assert sorted(map(sorted, made.edges.tolist())) == [[0, 1], [0, 1], [1, 2], [1, 2]]


@pytest.mark.parametrize(
    ("argument", "value", "rule"),
    [
        ("train", ["z"], "nodes of the graph"),
        ("test", ["d"], "nodes that have a label"),
        ("val", ["a"], "not share a node"),
        ("features", ["weight"], "attributes that every node has"),
        ("features", ["side"], "attributes that every node has"),  # d lacks it
        ("label", "colour", "at least one node"),
    ],
)
def test_from_networkx_refuses_with_the_name_of_the_argument(club, argument, value, rule):
    arguments = {"label": "side", "train": ["a"], "val": ["b"]} | {argument: value}
    with pytest.raises(SettingError, match=rule) as caught:
        GraphData.from_networkx(club, **arguments)
    assert caught.value.name == ("labels" if argument == "label" else argument)


def test_an_attribute_that_is_no_number_is_refused(club):
    club.nodes["d"]["side"] = "x"
    with pytest.raises(SettingError, match="`features` must be an array of numbers"):
        GraphData.from_networkx(club, label="side", train=["a"], val=["b"], features=["side"])
