"""The atlas: what a graph looks like, its records, and its page."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from datasets import DataError, Graph
from datasets.patterns import pattern
from mixhop_tf import LearnSettings, SettingError, StabilitySettings, learn_stable_architecture
from trainers.paper import atlas
from trainers.reporting import atlas_page

RECORDS = Path(__file__).parents[3] / "results" / "records" / "atlas"


def walks_without_turning_back(graph, length):
    """All such walks, one after the other."""
    neighbours = {node: set() for node in range(graph.num_nodes)}
    for u, v in graph.edges.tolist():
        neighbours[u].add(v)
        neighbours[v].add(u)
    walks = [[node] for node in range(graph.num_nodes)]
    for _ in range(length):
        walks = [
            [*walk, node]
            for walk in walks
            for node in neighbours[walk[-1]]
            if len(walk) < 2 or node != walk[-2]
        ]
    return walks


def test_homophily_by_hop_counts_walks(small_graph):
    part = np.arange(60)
    edges = small_graph.edges[(small_graph.edges < 60).all(axis=1)]
    labels = np.where(part % 7 == 0, -1, small_graph.labels[part])
    nobody = np.empty(0, np.int64)
    graph = Graph(
        name="part",
        num_nodes=60,
        num_classes=small_graph.num_classes,
        features=small_graph.features[part],
        edges=edges,
        labels=labels,
        train=nobody,
        val=nobody,
        test=nobody,
    )
    for hop, share in enumerate(atlas.homophily_by_hop(graph), start=1):
        ends = [(walk[0], walk[-1]) for walk in walks_without_turning_back(graph, hop)]
        known = [(a, b) for a, b in ends if labels[a] >= 0 and labels[b] >= 0]
        assert len(known) > 10
        assert share == pytest.approx(np.mean([labels[a] == labels[b] for a, b in known]))


def test_homophily_of_patterns():
    np.testing.assert_allclose(atlas.homophily_by_hop(pattern("bipartite")), [0, 1, 0])
    first, second, _ = atlas.homophily_by_hop(pattern("movies"))
    assert np.isnan(first)  # movies meet actors alone
    assert second > 0.5


@pytest.fixture(scope="module")
def made():
    graph = pattern("bipartite")
    quick = StabilitySettings(searches=2, width=9, first_steps=5, steps=2, most_points=3, deals=2)
    short = dataclasses.replace(LearnSettings().retrain.settings, max_steps=2)
    recipe = dataclasses.replace(LearnSettings().retrain, settings=short)
    learned = learn_stable_architecture(graph, LearnSettings(retrain=recipe), quick, sizes=(6,))
    return atlas.record(atlas.ATLAS["bipartite"], graph, learned)


def test_a_page_has_a_row_for_each_graph(made, tmp_path):
    for name in ("bipartite", "chessboard"):
        atlas.keep(tmp_path / "records", {**made, "name": name})
    path = atlas_page.write(tmp_path / "records", tmp_path / "page")
    text = path.read_text()
    assert text.count("\n| bipartite") == text.count("\n| chessboard") == 1
    assert "0.00, 1.00, 0.00" in text
    assert (tmp_path / "page" / "figures" / "atlas.png").stat().st_size > 1000
    assert "data:image/" in path.with_suffix(".html").read_text()


def test_a_page_without_records_is_refused(tmp_path):
    with pytest.raises(SettingError, match="records_dir"):
        atlas_page.write(tmp_path, tmp_path)


def test_every_graph_of_the_atlas_has_a_name_of_its_own():
    assert len(atlas.ATLAS) >= 20
    paths = {atlas.path_of(Path(), name) for name in atlas.ATLAS}
    assert len(paths) == len(atlas.ATLAS)
    with pytest.raises(DataError):
        dataclasses.replace(atlas.ATLAS["movies"], pattern="none").load()


def test_committed_records_are_complete_and_their_shares_add_up():
    found = atlas.read_all(RECORDS)
    assert len(found) == len(list(RECORDS.glob("*.json")))
    for each in found:
        for layer in (0, 1):
            shares = [s["share"] for s in each["shares"] if s["layer"] == layer]
            assert sum(shares) == pytest.approx(1)
        assert sum(each["widths"][0]) == each["columns"] == atlas.COLUMNS
