"""Features made of edges, where a graph brings none."""

import networkx as nx
import numpy as np
import pytest

import datasets
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
        assert vector[np.abs(vector).argmax()] > 0
    # The second eigenvector tells the two halves apart.
    second = columns[:, 2]
    assert (np.sign(second[:size]) == -np.sign(second[size:])).all()


def test_the_same_graph_has_the_same_features():
    first, again = (structural_features("g", TWO_CLIQUES, 301)[0] for _ in range(2))
    np.testing.assert_array_equal(first.toarray(), again.toarray())
    assert np.isfinite(first.toarray()).all()  # node 300 is alone


def test_a_folder_without_features_gets_them(tmp_path, messages):
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\n")
    (tmp_path / "labels.csv").write_text("node,label\nc,x\na,y\n")
    graph = datasets.load(tmp_path, make_split=False)
    assert graph.node_ids.tolist() == ["c", "a", "b"]
    assert graph.feature_names[0] == "log_degree"
    np.testing.assert_allclose(graph.features.toarray()[:, 0], np.log([2, 2, 3]), rtol=1e-6)
    assert f"{tmp_path} has no features: degrees and 3 eigenvectors" in messages()


def test_a_file_without_features_gets_them(tmp_path):
    np.savez(tmp_path / "g.npz", edges=TWO_CLIQUES, labels=np.arange(300) // 150)
    graph = datasets.load(tmp_path / "g.npz")
    assert graph.features.shape == (300, 17)
