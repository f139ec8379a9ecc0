import dataclasses
import importlib.util
import io
import json
import pickle
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import datasets
from datasets import DataError, synthetic

_spec = importlib.util.spec_from_file_location(
    "degree_statistics", Path(__file__).with_name("degree_statistics.py")
)
degree_statistics = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(degree_statistics)


@pytest.mark.parametrize("homophily", synthetic.HOMOPHILIES)
def test_generated_graph_matches_the_published_one(data, homophily):
    published = json.loads((data / "published_synthetic.json").read_text())
    theirs = published[synthetic.name_of(homophily)]
    ours = degree_statistics.degree_statistics(datasets.generate(homophily, seed=1))
    assert ours["edges"] == theirs["edges"]
    assert ours["mean_degree"] == pytest.approx(theirs["mean_degree"], rel=0.05)
    assert ours["median_degree"] == pytest.approx(theirs["median_degree"], rel=0.05)
    assert ours["tail_exponent"] == pytest.approx(theirs["tail_exponent"], rel=0.05)
    assert ours["tail_exponent_from_12"] == pytest.approx(theirs["tail_exponent_from_12"], rel=0.05)
    assert ours["same_class"] == pytest.approx(homophily, abs=0.02)
    assert ours["ring_shares"] == pytest.approx(theirs["ring_shares"], abs=0.02)


def test_features_are_gaussians_on_a_circle_that_turn_with_the_class():
    graph = datasets.generate(0.5, num_nodes=20_000, num_classes=4, seed=3)
    points = graph.features.toarray()
    centres = np.array([points[graph.labels == c].mean(axis=0) for c in range(4)])
    np.testing.assert_allclose(centres, [[0, 300], [300, 0], [0, -300], [-300, 0]], atol=10)
    wide, narrow = 350 * 70, 350 * 20
    for c, diagonal in enumerate([(wide, narrow), (narrow, wide)] * 2):
        covariance = np.cov(points[graph.labels == c].T)
        np.testing.assert_allclose(covariance, np.diag(diagonal), atol=0.06 * wide)


def test_seed_decides_everything(same_graph):
    first, again, other = (datasets.generate(0.3, num_nodes=500, seed=seed) for seed in (5, 5, 6))
    same_graph(first, again)
    assert not np.array_equal(first.edges, other.edges)
    assert not np.array_equal(first.labels, other.labels)


def test_splits_are_thirds_in_node_order():
    graph = datasets.generate(0.3, num_nodes=500)
    np.testing.assert_array_equal(
        np.concatenate([graph.train, graph.val, graph.test]), np.arange(500)
    )
    assert [len(graph.train), len(graph.val), len(graph.test)] == [167, 167, 166]


@pytest.mark.parametrize("homophily", [0.0, 1.0])
@pytest.mark.parametrize(("classes", "edges_per_node"), [(2, 1), (3, 8), (50, 2)])
def test_extremes_of_homophily_at_any_size(homophily, classes, edges_per_node):
    graph = datasets.generate(
        homophily, num_nodes=1500, num_classes=classes, edges_per_node=edges_per_node
    )
    seed_nodes = max(4 * classes, edges_per_node + 2)
    assert graph.num_edges == (1500 - seed_nodes) * edges_per_node + seed_nodes - 2
    seed_share = 4 * seed_nodes / graph.num_edges  # of edges that chance decides
    assert graph.homophily() == pytest.approx(homophily, abs=0.02 + seed_share)


def test_homophily_holds_with_many_edges_a_node():
    # Early nodes have too few neighbours of their class, so draws fail until the limit is reached.
    graph = datasets.generate(0.8, num_nodes=4000, num_classes=2, edges_per_node=300)
    assert graph.homophily() == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"homophily": 1.1}, "between 0 and 1"),
        ({"homophily": float("nan")}, "between 0 and 1"),
        ({"num_classes": 1}, "at least two classes"),
        ({"num_nodes": 40}, "more than 40 nodes"),
        ({"edges_per_node": 0}, "at least one edge"),
        ({"num_nodes": 1e3}, "num_nodes must be a whole number"),
        ({"seed": -1}, "seed must not be negative"),
    ],
)
def test_impossible_requests_are_refused(options, culprit):
    with pytest.raises(DataError, match=culprit):
        datasets.generate(**{"homophily": 0.5} | options)


@pytest.fixture
def published(tmp_path, monkeypatch):
    """Writes a graph in the published format; returns the folder and the true contents."""
    graph = datasets.generate(0.3, num_nodes=300)
    lists = {node: [] for node in range(300)}
    for u, v in graph.edges.tolist():
        lists[u].append(v)
        lists[v].append(np.int64(u))  # the published lists mix both kinds of integers
    parts = {"graph": pickle.dumps(lists, protocol=0)}
    for part, array in {
        "allx": graph.features.toarray(),
        "ally": np.eye(10)[graph.labels],
    }.items():
        buffer = io.BytesIO()
        np.save(buffer, array)
        parts[part] = buffer.getvalue()
    names = {part: f"ind.n5000-h0.3-c10.{part}" for part in parts}
    for part, content in parts.items():
        (tmp_path / names[part]).write_bytes(content)
    digests = {path.name: sha256(path.read_bytes()).hexdigest() for path in tmp_path.iterdir()}
    monkeypatch.setattr(synthetic, "checksums", lambda _: digests)
    return tmp_path, graph


def test_published_graph_is_read_when_the_user_has_it(published, same_graph):
    folder, graph = published
    same_graph(datasets.load("synthetic-h0.3", folder), graph)


def test_altered_published_graph_is_refused_not_replaced(published):
    folder, _ = published
    (folder / "ind.n5000-h0.3-c10.ally").write_bytes(b"altered")
    with pytest.raises(DataError, match=r"ally is missing, truncated or altered"):
        datasets.load("synthetic-h0.3", folder)


def test_folder_without_published_graphs_is_told_and_the_graph_generated(
    tmp_path, same_graph, messages
):
    generated = datasets.load("synthetic-h0.3", seed=4)
    same_graph(datasets.load("synthetic-h0.3", tmp_path, seed=4), generated)
    assert f"{tmp_path} does not contain ind.n5000-h0.3-c10.*" in messages()
    assert not np.array_equal(generated.edges, datasets.load("synthetic-h0.3").edges)


def test_radial_features_are_similarities_to_fifty_points_on_the_circle(same_graph):
    plain, radial = (
        datasets.load("synthetic-h0.2", seed=3),
        datasets.load("synthetic-h0.2-radial", seed=3),
    )
    assert radial.name == "synthetic-h0.2-radial"
    same_graph(dataclasses.replace(radial, features=plain.features), plain)
    features, points = radial.features.toarray(), plain.features.toarray()
    assert features.shape == (5000, 50)
    for node, k in ((0, 0), (17, 12), (4999, 49)):
        angle = 2 * np.pi * k / 50
        centre = 300 * np.array([np.sin(angle), np.cos(angle)])
        expected = np.exp(-1e-5 * np.sum((points[node] - centre) ** 2))
        assert features[node, k] == pytest.approx(expected, rel=1e-4)
    # The nearest point usually lies in the direction of the class.
    nearest = features.argmax(axis=1) / 5
    distance = np.abs((nearest - plain.labels + 5) % 10 - 5)
    assert np.median(distance) < 1.2  # at random it would be 2.5


def test_summed_features_cannot_tell_a_point_from_its_opposite(same_graph):
    plain = datasets.load("synthetic-h0.2", seed=3)
    summed = datasets.load("synthetic-h0.2-summed", seed=3)
    assert summed.name == "synthetic-h0.2-summed"
    same_graph(dataclasses.replace(summed, features=plain.features), plain)
    x, y = plain.features.toarray().T.astype(np.float64)
    expected = np.stack([x / (x + y), y / (x + y)], axis=1)
    np.testing.assert_allclose(summed.features.toarray(), expected, rtol=1e-5)
    opposite = dataclasses.replace(plain, features=-plain.features)
    np.testing.assert_array_equal(
        synthetic.with_summed_features(opposite).features.toarray(), summed.features.toarray()
    )


def test_radial_features_take_two_coordinates(path_graph):
    with pytest.raises(DataError, match="need two coordinates, but path has 3 features"):
        synthetic.with_radial_features(path_graph)


def test_other_graphs_have_no_radial_form():
    with pytest.raises(DataError, match="Unknown graph 'cora-radial'"):
        datasets.load("cora-radial")
