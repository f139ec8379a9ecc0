import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import datasets
from datasets import DataError
from datasets.formats import planetoid

STATISTICS = {
    "cora": (2708, 5278, 1433, 49_216, 7, 140, 0),
    "citeseer": (3327, 4552, 3703, 105_165, 6, 120, 48),
    "pubmed": (19_717, 44_324, 500, 988_031, 3, 60, 0),
}


@pytest.mark.network
@pytest.mark.parametrize("name", STATISTICS)
def test_citation_graphs_have_the_known_statistics(name):
    graph = datasets.load(name)
    nodes, edges, features, non_zeros, classes, train, isolated = STATISTICS[name]
    assert (graph.num_nodes, graph.num_edges, graph.num_features) == (nodes, edges, features)
    assert (graph.features.nnz, graph.num_classes) == (non_zeros, classes)
    assert (len(graph.train), len(graph.val), len(graph.test)) == (train, 500, 1000)
    assert (graph.degrees() == 0).sum() == isolated
    assert set(graph.features.data) == {1}
    assert np.bincount(graph.labels[graph.train]).tolist() == [20] * classes


@pytest.mark.network
def test_raw_features_of_pubmed_are_tf_idf_values():
    binary, raw = (datasets.load("pubmed", raw_features=flag) for flag in (False, True))
    np.testing.assert_array_equal(binary.features.indices, raw.features.indices)
    assert 0 < raw.features.data.min() < raw.features.data.max() < 2
    assert len(np.unique(raw.features.data)) > 1000


@pytest.mark.network
def test_cora_in_planetoids_form_is_the_same_array_for_array(tmp_path, same_graph, monkeypatch):
    """Cora stays the same when it is written in Planetoid's format with shuffled test rows."""
    cora = datasets.load("cora")
    order = np.random.default_rng(0).permutation(cora.test)
    one_hot = np.eye(7, dtype=np.int32)[cora.labels]
    lists = {node: [] for node in range(cora.num_nodes)}
    for u, v in cora.edges.tolist():
        lists[v].append(u)
    parts = {
        "allx": sp.csr_matrix(cora.features[:1708]),
        "ally": one_hot[:1708],
        "tx": sp.csr_matrix(cora.features[order]),
        "ty": one_hot[order],
        "graph": lists,
    }
    for part, content in parts.items():
        (tmp_path / f"ind.cora.{part}").write_bytes(pickle.dumps(content))
    (tmp_path / "ind.cora.test.index").write_text("".join(f"{node}\n" for node in order))
    monkeypatch.setattr("datasets.sources.is_intact", lambda path, digest: path.is_file())
    again = datasets.load("cora", tmp_path)
    assert planetoid.part_names("cora")[0] == "ind.cora.allx"
    same_graph(again, cora)
    np.testing.assert_array_equal(again.node_ids, cora.node_ids)


def test_names():
    assert datasets.NAMES[:3] == ("cora", "citeseer", "pubmed")
    assert datasets.NAMES[3:] == tuple(f"synthetic-h0.{step}" for step in range(10))
    for name in datasets.NAMES[3:]:
        assert datasets.load(name).name == name


@pytest.mark.parametrize(
    ("name", "culprit"),
    [
        ("coar", "Unknown graph 'coar': .* cora"),
        ("Cora", "Unknown graph 'Cora': .* cora"),
        ("sythetic-h0.2", "Unknown graph .*synthetic-h0.2"),
        ("imagenet", "Unknown graph .*cora, citeseer, pubmed, synthetic-h0.0 … synthetic-h0.9"),
        ("missing.npz", "missing.npz is not a file or folder"),
        ("some/folder", "some/folder is not a file or folder"),
    ],
)
def test_unknown_name_is_answered_with_the_nearest(name, culprit, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match=culprit):
        datasets.load(name)


def test_a_path_object_may_be_a_name_and_a_name_no_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert datasets.load(Path("synthetic-h0.1")).name == "synthetic-h0.1"
    for name, culprit in (
        ("./cora", "./cora is not a file or folder"),
        ("", "Unknown graph ''"),
        ("~nobody-here/x", "home folder of an unknown user"),
    ):
        with pytest.raises(DataError, match=culprit):
            datasets.load(name)


def test_a_data_folder_does_not_go_with_a_path(tmp_path):
    with pytest.raises(DataError, match="A data folder only works with a named graph"):
        datasets.load(tmp_path, tmp_path)


def test_unknown_kind_of_file(tmp_path):
    path = tmp_path / "graph.xlsx"
    path.touch()
    with pytest.raises(
        DataError, match=r"unknown format; use a file that ends in \.npz, \.graphml, \.gexf, "
    ):
        datasets.load(path)


def test_data_dir_must_exist(tmp_path):
    with pytest.raises(DataError, match=r"data folder .*nowhere is not a folder"):
        datasets.load("cora", tmp_path / "nowhere")


def test_offline_and_nowhere_to_be_found_says_how_to_place_the_files():
    with pytest.raises(
        DataError, match=r"To install it by hand, put ind\.cora\.allx.* or cora\.content"
    ):
        datasets.load("cora")


def test_a_graph_that_comes_without_a_split_gets_a_stratified_one(small_graph, tmp_path, messages):
    path = small_graph.with_split([], [], []).save(tmp_path / "bare.npz")
    found = datasets.load(path, seed=3)
    expected = datasets.stratified_split(small_graph, seed=3)
    for part in ("train", "val", "test"):
        np.testing.assert_array_equal(getattr(found, part), getattr(expected, part))
    assert "has no split, so 60 % of each class train" in messages()
    bare = datasets.load(path, seed=3, make_split=False)
    assert not any(len(getattr(bare, part)) for part in ("train", "val", "test"))


def test_a_graph_that_cannot_be_split_is_told_unless_no_split_is_needed(path_graph, tmp_path):
    one_each = [0, -1, 1, -1, -1]  # leaves no node to validate with
    alone = dataclasses.replace(path_graph, labels=one_each, train=[], val=[], test=[])
    path = alone.save(tmp_path / "g.npz")
    with pytest.raises(DataError, match="no class has two labelled nodes"):
        datasets.load(path)
    alone = datasets.load(path, class_names=("left", "right"), make_split=False)
    assert alone.labels.tolist() == one_each
    assert not len(alone.train)
