import numpy as np
import pytest
import scipy.sparse as sp

import datasets
from datasets import DataError

ARRAYS = {
    "edges": np.array([[0, 1], [1, 0], [2, 2], [1, 2]]),
    "features": np.array([[1.0, 0], [0, 2], [3, 0]]),
    "labels": np.array([5, 3, -1]),
}


def save(tmp_path, **change):
    arrays = {key: value for key, value in (ARRAYS | change).items() if value is not None}
    np.savez(tmp_path / "mine.npz", **arrays)
    return tmp_path / "mine.npz"


def test_smallest_file(tmp_path):
    graph = datasets.load(save(tmp_path), make_split=False)
    assert graph.name == "mine"
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.class_names == ("3", "5")
    assert graph.labels.tolist() == [1, 0, -1]
    assert graph.node_ids is None
    assert len(graph.train) == 0


def test_string_labels_and_masks(tmp_path):
    path = save(tmp_path, labels=np.array(["b", "a", ""]), train=np.array([True, False, False]))
    graph = datasets.load(str(path), make_split=False)
    assert graph.class_names == ("a", "b")
    assert graph.labels.tolist() == [1, 0, -1]
    assert graph.train.tolist() == [0]


def test_class_names_fix_the_order(tmp_path):
    path = save(tmp_path, labels=np.array(["b", "a", ""]), class_names=np.array(["c", "b", "a"]))
    graph = datasets.load(path, make_split=False)
    assert graph.class_names == ("c", "b", "a")
    assert graph.labels.tolist() == [1, 2, -1]


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"edges": None}, r"has no array 'edges' \(it has features, labels\); add it"),
        ({"labels": None}, "has no array 'labels'"),
        (
            {"features": None, "features_data": np.ones(1)},
            "'features_indices' is missing; save all of features_data",
        ),
        ({"trian": np.zeros(3)}, "unknown key 'trian'; rename it to one of edges, features"),
        ({"y": np.zeros(3)}, "has both 'labels' and 'y'; keep one of them"),
        ({"edges": None, "edge_index": np.zeros((3, 2))}, r"`edge_index` must have the shape"),
        ({"edges": None, "adj_data": np.ones(3)}, "'adj_indices' is missing; save all of adj_data"),
        ({"train": np.ones((2, 4), bool)}, r"masks of several splits, \[k, 3\]"),
        ({"train": np.array([[0, 2, 1]])}, r"masks of several splits, \[k, 3\]"),
        ({"edges": np.array([[0, 3]])}, "edge 0 joins 0 and 3"),
        ({"features": np.ones(3)}, r"`features` must have the shape \[n, s\]"),
        ({"features": np.array([[np.nan], [0], [0]])}, "feature 0 of node 0 is nan"),
        ({"labels": np.array([0.5, 1, 1])}, "`labels` must be whole numbers"),
        ({"labels": np.array([-3, 1, 1])}, "`labels` holds -3"),
        (
            {"labels": np.array([0, 2, 1]), "class_names": np.array(["a", "b"])},
            "node 1 has label 2",
        ),
        (
            {"labels": np.array(["x", "", ""]), "class_names": np.array(["a"])},
            "label 'x' is not in `class_names`; add it",
        ),
        ({"labels": np.array([-1, -1, -1])}, "all labels are unknown"),
        ({"train": np.array([0]), "val": np.array([0])}, "the splits overlap: node 0"),
        ({"train": np.array([True])}, "the mask `train` must have one entry for each"),
        ({"features": np.empty((0, 2))}, "the graph is empty"),
        ({"labels": np.eye(3)}, r"`labels` must have the shape \[n\].*; .* save labels\.argmax"),
        ({"labels": np.array([0, np.inf, 1])}, "`labels` must be whole numbers"),
        ({"labels": np.array([b"\xff", b"a", b"b"])}, "`labels` is not UTF-8 text"),
        ({"class_names": np.array("a")}, "`class_names` must be a list of strings"),
        ({"features_data": np.ones(1)}, "has both 'features' and 'features_data'"),
        (
            {"labels": np.array([None, 1, 2], dtype=object)},
            "the array 'labels' cannot be read as plain",
        ),
    ],
)
def test_broken_file_is_refused(tmp_path, change, culprit):
    with pytest.raises(DataError, match=culprit):
        datasets.load(save(tmp_path, **change))


def test_sparse_parts_that_do_not_fit_are_refused(tmp_path):
    parts = {"data": [1.0], "indices": [7], "indptr": [0, 1, 1, 1], "shape": [3, 2]}
    path = save(
        tmp_path, features=None, **{f"features_{key}": value for key, value in parts.items()}
    )
    with pytest.raises(DataError, match="features"):
        datasets.load(path)


def test_saving_replaces_the_file_whole(tmp_path, path_graph, same_graph):
    path = tmp_path / "graph.npz"
    path.write_bytes(b"something old")
    same_graph(datasets.load(path_graph.save(path)), path_graph)
    assert [each.name for each in tmp_path.iterdir()] == ["graph.npz"]


def test_names_of_other_libraries(tmp_path, same_graph):
    ours = datasets.load(save(tmp_path, train=np.array([0]), name="g"))
    edges, x, y = ARRAYS["edges"], ARRAYS["features"], ARRAYS["labels"]
    mask = np.array([True, False, False])
    adjacency = sp.csr_array((np.ones(3), ([0, 1, 1], [1, 0, 2])), shape=(3, 3))
    features = sp.csr_array(x)
    pyg = {"edge_index": edges.T, "x": x, "y": y, "train_mask": mask}
    platonov = {"edges": edges, "node_features": x, "node_labels": y, "train_masks": mask[None]}
    shchur = {"labels": y, "train": [0]}
    for part in ("data", "indices", "indptr", "shape"):
        shchur[f"adj_{part}"] = getattr(adjacency, part)
        shchur[f"attr_{part}"] = getattr(features, part)
    for arrays in (pyg, platonov, shchur):
        np.savez(tmp_path / "g.npz", **arrays)
        same_graph(datasets.load(tmp_path / "g.npz"), ours)


@pytest.mark.parametrize("transposed", [False, True])
def test_seed_chooses_among_several_splits(tmp_path, transposed):
    train = np.array([[1, 0, 0], [0, 1, 0]], bool)
    masks = {"train_masks": train, "val_masks": ~train & [True, True, False]}
    path = save(tmp_path, **{key: mask.T if transposed else mask for key, mask in masks.items()})
    chosen = [datasets.load(path, seed=seed) for seed in range(2)]
    assert [(graph.train.tolist(), graph.val.tolist()) for graph in chosen] == [
        ([0], [1]),
        ([1], [0]),
    ]
    with pytest.raises(DataError, match=r"has 2 splits, so it has no split 2; .* from 0 to 1"):
        datasets.load(path, seed=2)
    other = {"split": "random", "per_class": 1, "num_val": 0, "num_test": 0}
    assert datasets.load(path, seed=2, **other).num_nodes == 3  # the file's splits are not used


def test_what_is_no_archive_is_refused(tmp_path):
    path = tmp_path / "text.npz"
    path.write_text("edges")
    with pytest.raises(DataError, match=r"is not a \.npz archive or is truncated; write it again"):
        datasets.load(path)


def test_adjacency_is_checked(tmp_path):
    parts = {"data": np.ones(1), "indices": [1], "indptr": [0, 1, 1], "shape": [2, 3]}
    wide = {f"adj_{part}": value for part, value in parts.items()}
    with pytest.raises(DataError, match="the adjacency must be square"):
        datasets.load(save(tmp_path, edges=None, **wide))
    with pytest.raises(DataError, match="the CSR indices of `adj` must be whole numbers"):
        datasets.load(save(tmp_path, edges=None, **wide | {"adj_indices": [1.7]}))


def test_harmless_variations_are_read(tmp_path, same_graph, caplog):
    caplog.set_level("INFO", "datasets")
    plain = datasets.load(save(tmp_path, train=np.array([0])))
    varied = {
        "labels": ARRAYS["labels"][:, None],
        "train_mask": np.array([1, 0, 0]),
        "edge_attr": np.ones(4),
        "num_nodes": np.array(3),
        "name": np.array([b"mine"]),
    }
    same_graph(datasets.load(save(tmp_path, **varied)), plain)
    assert "the array edge_attr is not used" in caplog.text


def test_no_column_is_no_feature(tmp_path):
    path = save(tmp_path, features=np.empty((3, 0)))
    assert datasets.load(path, make_split=False).num_features > 1
