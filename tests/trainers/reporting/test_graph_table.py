"""The statistics of a store are computed from its rows, without a list of edges."""

import numpy as np
import pytest
import scipy.sparse as sp

import datasets
from trainers.reporting.graph_table import describe

EDGES = [[0, 1], [2, 1], [3, 4], [4, 3], [6, 5]]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_store_has_the_statistics_of_its_graph(directed, sparse, tmp_path, monkeypatch):
    features = np.eye(8, 20 if sparse else 2, dtype=np.float32) + (0 if sparse else 1)
    graph = datasets.Graph(
        name="g", num_nodes=8, num_classes=2, features=sp.csr_array(features),
        labels=[0, 1] * 4, train=[0], val=[1], test=[2],
        edges=EDGES if directed else [[0, 1], [1, 2], [3, 4], [5, 6]], directed=directed,
    )  # fmt: skip
    expected = describe(graph)
    assert "connected components" in expected
    graph.save(tmp_path / "g.store")
    stored = datasets.load(tmp_path / "g.store", directed=directed)
    monkeypatch.setattr(type(stored), "edges", property(lambda _: pytest.fail("makes edges")))
    found = describe(stored)
    assert rows_of(found) == rows_of(expected)
    assert any(" ".join(line.split()) == "| connected components | 4 |" for line in rows_of(found))


def rows_of(table):
    return [line for line in table.splitlines() if "name" not in line]
