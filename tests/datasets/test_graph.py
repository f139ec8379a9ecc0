import dataclasses

import numpy as np
import pytest
import scipy.sparse as sp

from datasets import DataError, Graph, canonical_edges

VALID = {
    "name": "toy",
    "num_nodes": 4,
    "num_classes": 2,
    "features": np.eye(4),
    "edges": [[0, 1], [1, 2]],
    "labels": [0, 1, 1, -1],
    "train": [0],
    "val": [1],
    "test": [2],
}


def test_arrays_have_the_promised_types():
    graph = Graph(**VALID)
    assert graph.features.format == "csr"
    assert graph.features.dtype == np.float32
    for array in (graph.edges, graph.labels, graph.train, graph.val, graph.test):
        assert array.dtype == np.int64
    assert graph.class_names == ("0", "1")
    assert graph.degrees().tolist() == [1, 2, 1, 0]


def test_nothing_can_be_changed_afterwards():
    features = sp.csr_array(np.eye(4))
    labels = np.array(VALID["labels"])
    graph = Graph(**VALID | {"features": features, "labels": labels})
    features.data[:] = 7
    labels[:] = 1
    assert graph.features.toarray().tolist() == np.eye(4).tolist()
    assert graph.labels.tolist() == VALID["labels"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        graph.labels = labels
    ids = Graph(**VALID | {"node_ids": list("abcd")}).node_ids
    for array in (graph.features.data, graph.edges, graph.labels, graph.train, ids):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_edges_are_sorted_and_features_canonical():
    features = sp.csr_array(([1.0, 2.0, 0.0], [1, 0, 1], [0, 2, 3, 3, 3]), shape=(4, 2))
    graph = Graph(**VALID | {"edges": [[2, 1], [1, 0]], "features": features})
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.features.indices.tolist() == [0, 1]
    assert graph.features.nnz == 2


def test_homophily_leaves_out_edges_to_unlabelled_nodes():
    graph = Graph(**VALID | {"edges": [[0, 1], [1, 2], [2, 3]]})
    assert graph.homophily() == 0.5
    assert np.isnan(Graph(**VALID | {"edges": []}).homophily())


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"num_nodes": 0, "features": np.empty((0, 2)), "labels": []}, "the graph is empty"),
        ({"num_classes": 0}, "it has no classes"),
        ({"num_nodes": 2.5}, "must be a whole number, but is 2.5"),
        ({"features": np.eye(3)}, "row for each of the 4 nodes"),
        ({"features": np.ones(4)}, "row for each of the 4 nodes"),
        ({"features": [["a"]] * 4}, "not a matrix of numbers"),
        ({"features": [[0], [0], [np.nan], [0]]}, "feature 0 of node 2 is nan"),
        ({"features": [[0, 0], [0, np.inf], [0, 0], [0, 0]]}, "feature 1 of node 1 is inf"),
        ({"edges": [[0, 1], [1, 4]]}, "edge 1 joins 1 and 4"),
        ({"edges": [[0, -1]]}, "edge 0 joins 0 and -1"),
        ({"edges": [[0, 1, 2]]}, r"shape \[m, 2\]"),
        ({"edges": [[0, 0.5]]}, "whole numbers"),
        ({"edges": [[0, np.nan]]}, "whole numbers"),
        ({"edges": [[0, 1], [1, 0]]}, "1 self-loops or repeated edges"),
        ({"edges": [[1, 1]]}, "1 self-loops or repeated edges"),
        ({"labels": [0, 1, 2, 0]}, "node 2 has label 2"),
        ({"labels": [0, 1, -2, 0]}, "node 2 has label -2"),
        ({"labels": [0, 1]}, "one entry for each of the 4 nodes"),
        ({"labels": ["a", "b", "a", "b"]}, "`labels` must hold whole numbers"),
        ({"train": [0, 1]}, "node 1 is in both `train` and `val`"),
        ({"test": [0]}, "node 0 is in both `train` and `test`"),
        ({"val": [2]}, "node 2 is in both `val` and `test`"),
        ({"train": [0, 0]}, "`train` names node 0 more than once"),
        ({"train": [9]}, "`train` names node 9"),
        ({"train": [3]}, "`train` names node 3, whose label is unknown"),
        ({"train": [[0]]}, "`train` must be a list"),
        ({"class_names": ("a", "a")}, "2 distinct names"),
        ({"class_names": ("a",)}, "2 distinct names"),
        ({"node_ids": ["a", "b", "a", "c"]}, "duplicate node id a"),
        ({"node_ids": ["a"]}, "name each of the 4 nodes"),
        ({"node_ids": ["a", "b", "", "c"]}, "'' in `node_ids` is not a valid name"),
        ({"node_ids": ["a", "b", "c", "d" * 2000]}, "longer than 1,000 characters"),
        ({"class_names": ("a", " b")}, "' b' in `class_names` is not a valid name"),
        ({"class_names": ("a", "b\n")}, "in `class_names` is not a valid name"),
        ({"features": np.eye(4) * 1j}, "its type is complex"),
        ({"num_nodes": 3 * 10**9}, "has more than 2,147,483,647 nodes"),
    ],
)
def test_bad_field_is_refused_and_named(change, culprit):
    with pytest.raises(DataError, match=culprit) as refusal:
        Graph(**VALID | change)
    assert str(refusal.value).startswith("toy: ")


def test_canonical_edges_of_nothing():
    assert canonical_edges([], num_nodes=3).shape == (0, 2)
