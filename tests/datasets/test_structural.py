"""Tests of the features that are computed from the edges."""

import networkx as nx
import numpy as np
import pytest

import datasets
from datasets import local_structure
from datasets.structural import structural_features

TWO_CLIQUES = np.array(nx.barbell_graph(150, 0).edges)


@pytest.mark.parametrize("size", [6, 150])  # dense and iterative
def test_they_are_degrees_and_eigenvectors_of_the_adjacency(size):
    graph = nx.barbell_graph(size, 0)
    edges, n = np.array(graph.edges), 2 * size
    features, names = structural_features("g", edges, n)
    columns = features.toarray()
    assert names[:2] == ("log_degree", "spectral_1")
    assert columns.shape == (n, len(names)) == (n, 1 + min(n, 16))
    degrees = np.array([graph.degree(node) for node in range(n)])
    np.testing.assert_allclose(columns[:, 0], np.log1p(degrees), rtol=1e-6)
    scale = 1 / np.sqrt(degrees + 1)
    adjacency = scale[:, None] * (nx.to_numpy_array(graph) + np.eye(n)) * scale
    exact = np.sort(np.linalg.eigvalsh(adjacency))[::-1]
    for i in range(3):
        vector = columns[:, 1 + i]
        np.testing.assert_allclose(adjacency @ vector, exact[i] * vector, atol=1e-2)
        assert np.mean(vector**2) == pytest.approx(1, rel=1e-4)
        assert vector[(np.abs(vector) > 0.999 * np.abs(vector).max()).argmax()] > 0
    # The second eigenvector separates the two halves.
    second = columns[:, 2]
    assert (np.sign(second[:size]) == -np.sign(second[size:])).all()


def test_the_same_graph_has_the_same_features():
    first, again = (structural_features("g", TWO_CLIQUES, 301)[0] for _ in range(2))
    np.testing.assert_array_equal(first.toarray(), again.toarray())
    assert np.isfinite(first.toarray()).all()  # node 300 has no edges


def test_a_folder_without_features_gets_them(tmp_path, messages):
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\n")
    (tmp_path / "labels.csv").write_text("node,label\nc,x\na,y\n")
    graph = datasets.load(tmp_path, make_split=False)
    assert graph.node_ids.tolist() == ["c", "a", "b"]
    assert graph.feature_names[0] == "log_degree"
    np.testing.assert_allclose(graph.features.toarray()[:, 0], np.log([2, 2, 3]), rtol=1e-6)
    assert f"{tmp_path} has no features; its degrees and 3 eigenvectors" in messages()


def test_a_file_without_features_gets_them(tmp_path):
    np.savez(tmp_path / "g.npz", edges=TWO_CLIQUES, labels=np.arange(300) // 150)
    graph = datasets.load(tmp_path / "g.npz")
    assert graph.features.shape == (300, 17)


def test_local_features_equal_dense_powers_of_the_walk(monkeypatch):
    monkeypatch.setattr(local_structure, "_ENTRIES_AT_ONCE", 50)  # several blocks
    rng = np.random.default_rng(0)
    edges = datasets.canonical_edges(rng.integers(0, 30, (50, 2)), 32)  # nodes 30, 31 are alone
    features, names = structural_features("g", edges, 32, "local")
    adjacency = np.zeros((32, 32))
    adjacency[edges[:, 0], edges[:, 1]] = adjacency[edges[:, 1], edges[:, 0]] = 1
    degrees = adjacency.sum(axis=1)
    walk = adjacency / np.maximum(degrees, 1)[:, None]
    expected = [np.log1p(degrees), walk @ np.log1p(degrees)]
    expected += [np.diag(np.linalg.matrix_power(walk, t)) for t in (2, 3, 4)]
    assert names == ("log_degree", "neighbour_log_degree", "return_2", "return_3", "return_4")
    np.testing.assert_allclose(features.toarray(), np.stack(expected, axis=1), atol=1e-6)


def test_local_features_change_only_near_a_new_edge():
    ring = [[i, (i + 1) % 40] for i in range(40)]
    before, _ = structural_features("g", datasets.canonical_edges(ring, 40), 40, "local")
    grown = datasets.canonical_edges([*ring, [0, 40]], 41)
    after, _ = structural_features("g", grown, 41, "local")
    changed = np.flatnonzero((before.toarray() != after.toarray()[:40]).any(axis=1))
    assert set(changed.tolist()) == {0, 1, 2, 38, 39}


def test_unknown_stand_ins_are_refused():
    with pytest.raises(datasets.DataError, match="Unknown stand-ins 'other'; choose one of"):
        structural_features("g", np.array([[0, 1]]), 2, "other")
