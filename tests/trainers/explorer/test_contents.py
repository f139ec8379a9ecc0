"""What a page holds: nodes, neighbours, map, explanations, and a file that is safe to open."""

import base64
import dataclasses
import hashlib
import re
from types import SimpleNamespace

import numpy as np
import pytest
from small_pages import HOSTILE, arrays, hostile_graph, made
from threadpoolctl import threadpool_limits

import datasets
from mixhop_tf import Architecture, Explainer, SettingError
from mixhop_tf.baselines import Chebyshev
from mixhop_tf.layer_spec import AdjacencySpec
from trainers.explorer import explanations, nodes, packing
from trainers.explorer.contents import contents
from trainers.explorer.drawing import drawing
from trainers.explorer.embedding_map import coordinates
from trainers.explorer.options import Options
from trainers.explorer.page import page


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    return made(hostile_graph(), Architecture.default(3, hidden_dims=[6]), tmp_path_factory)


@pytest.fixture(scope="module")
def held(town):
    trained, predictor = town
    return arrays(contents(trained, predictor, Options()))


def test_arrays_keep_their_numbers():
    content = {"a": packing.array([[1.5, -2]], "f4"), "b": [None, "x"]}
    assert packing.packed(content) == packing.packed(content)
    found = arrays(packing.unpacked(packing.packed(content)))
    assert found["a"].tolist() == [1.5, -2]
    assert found["b"] == [None, "x"]
    with pytest.raises(ValueError, match="`kind` must be one of"):
        packing.array([1], "f8")


def test_nodes_have_the_answers_of_the_model(town, held):
    trained, predictor = town
    answer = predictor.answer()
    table = held["nodes"]
    assert table["ids"] == trained.graph.node_ids.tolist()
    assert table["answer"].tolist() == answer["labels"].tolist()
    assert table["label"].tolist() == trained.graph.labels.tolist()
    shares = table["topShares"].reshape(len(table["ids"]), -1)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(shares[:, 0], answer["probabilities"].max(axis=1))


def test_neighbours_are_those_of_the_graph(town, held):
    graph, table = town[0].graph, held["nodes"]
    expected = {frozenset(edge) for edge in graph.edges.tolist()}
    found = {
        frozenset((i, int(other)))
        for i in range(graph.num_nodes)
        for other in table["neighbours"][table["starts"][i] : table["starts"][i + 1]]
    }
    assert found == expected
    assert table["degree"].tolist() == graph.degrees().tolist()
    assert table["directions"] is None


def test_a_directed_graph_says_where_edges_lead():
    graph = SimpleNamespace(
        num_nodes=4, directed=True, edges=np.array([[0, 1], [1, 0], [2, 0]]), edge_weights=None
    )
    table = arrays(nodes._neighbours(graph, np.arange(4)))
    assert table["neighbours"].tolist() == [1, 2, 0, 0]
    assert table["directions"].tolist() == [3, 2, 3, 1]
    assert table["degree"].tolist() == [3, 2, 1, 0]


def test_a_large_graph_is_sampled_and_long_lists_are_cut():
    star = SimpleNamespace(
        num_nodes=50,
        directed=False,
        edges=np.array([[0, i] for i in range(1, 50)]),
        edge_weights=None,
    )
    held = nodes.held_nodes(star, seed=1, most=20)
    assert len(held) == 20
    assert held.tolist() == nodes.held_nodes(star, seed=1, most=20).tolist()
    assert held.tolist() != nodes.held_nodes(star, seed=2, most=20).tolist()
    owner, other, counts, longest = nodes._rows(nodes.Neighbors.of(star), np.arange(50), 60)
    assert counts[0] == 50
    assert (owner == 0).sum() == longest < 50
    assert len(other) <= 60 + 50


def test_the_drawing_is_a_tree_of_the_strongest_nodes_and_those_on_the_way():
    explanation = SimpleNamespace(
        node=10,
        nodes=np.array([10, 20, 30, 40, 50]),
        distances=np.array([0, 1, 1, 2, 2]),
        node_contributions=np.array([0.1, 0.0, -0.2, 5.0, 0.3]),
        edges=np.array([[10, 20], [10, 30], [20, 40], [30, 40], [30, 50], [40, 20]]),
        edge_contributions=np.array([3.0, 2.0, 3.0, -4.0, 0.3, 9.0]),
    )
    tree = drawing(explanation, 3)
    assert tree.nodes.tolist() == [10, 30, 40]  # 40 is the strongest; most of it came through 30
    assert tree.parents.tolist() == [0, 0, 1]
    assert tree.flows.tolist() == [0.0, 2.0, -4.0]
    assert drawing(explanation, 5).nodes.tolist() == [10, 20, 30, 40, 50]


def test_contributions_add_up_in_the_page(town, held):
    trained, _ = town
    found = held["explanations"]
    assert found["rows"].tolist() == list(range(trained.graph.num_nodes))
    logit, constant, rest = found["sums"].reshape(-1, 3).T
    for name in ("distanceSums", "powerSums"):
        sums = found[name].reshape(len(logit), -1).sum(axis=1)
        np.testing.assert_allclose(sums + constant + rest, logit, atol=1e-4)
    explained = Explainer(trained.model, trained.graph, features=trained.features).explain(4)
    np.testing.assert_allclose(logit[4], explained.logit, rtol=1e-6)
    assert found["nodes"].reshape(len(logit), -1)[4, 0] == 4
    # The graph is small enough for all nodes of a receptive field, but not for all of the features.
    shown = found["contributions"].reshape(len(logit), -1).sum(axis=1)
    np.testing.assert_allclose(shown + constant + rest, logit, atol=1e-4)


def test_mistakes_are_explained_first_within_the_space(town):
    trained, predictor = town
    wrong, scored, every = np.array([7]), np.array([5, 7]), np.arange(9)
    assert explanations.nodes_to_explain(wrong, scored, every, 1, 0).tolist() == [7]
    assert explanations.nodes_to_explain(wrong, scored, every, 2, 0).tolist() == [5, 7]
    assert len(explanations.nodes_to_explain(wrong, scored, every, 99, 0)) == 9
    few = contents(trained, predictor, Options(explanation_mb=0.001))["explanations"]
    assert 1 <= len(arrays(few)["rows"]) < trained.graph.num_nodes
    none = contents(trained, predictor, Options(explanation_mb=0))["explanations"]
    assert none == {"reason": "The page was made without explanations of nodes."}


@pytest.mark.parametrize("kind", ["pca", "tsne"])
def test_the_map_has_a_place_for_each_node(kind):
    points = np.random.default_rng(0).normal(size=(12, 5))
    with threadpool_limits(1):  # threads would only wait for each other
        found, again = coordinates(points, kind, 0), coordinates(points, kind, 0)
    assert found.shape == (12, 2)
    assert found.min() == 0
    assert found.max() == 1
    np.testing.assert_array_equal(found, again)


@pytest.mark.parametrize("shape", [(1, 3), (5, 1), (3, 4)])
def test_a_map_of_few_or_equal_embeddings(shape):
    assert coordinates(np.ones(shape), "tsne", 0).tolist() == [[0, 0]] * shape[0]


def test_names_of_the_user_are_not_html(town):
    trained, predictor = town
    text = page(contents(trained, predictor, Options()))
    assert "onerror" not in text
    assert HOSTILE not in text
    data = re.search(r'id="data">([^<]*)<', text)[1]
    held = packing.unpacked(data)
    assert HOSTILE in held["nodes"]["ids"]
    assert any("onerror" in name for name in held["classes"])


def test_only_our_own_script_may_run(town):
    text = page(contents(*town, Options(explanation_mb=0)))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        code = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_a_model_of_an_earlier_version_has_a_page_that_says_what_is_missing(town):
    trained, predictor = town
    signatures = {
        name: each for name, each in trained.model.signatures.items() if "embed" not in name
    }
    old = dataclasses.replace(trained.model, model=None, signatures=signatures)
    older = dataclasses.replace(trained, model=old)
    found = contents(older, type(predictor)(older.graph, older.features, old, None), Options())
    assert "earlier version" in found["explanations"]["reason"]
    assert "without embeddings" in found["map"]["reason"]
    assert found["nodes"]["ids"]


def test_a_directed_weighted_graph_without_features_and_without_test_labels(tmp_path_factory):
    graph = datasets.Graph(
        name="flow",
        num_nodes=6,
        num_classes=2,
        features=np.eye(6),
        edges=[[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]],
        edge_weights=[1, 2, 3, 4, 5],
        directed=True,
        labels=[0, 1, 0, -1, -1, -1],
        train=[0, 1],
        val=[2],
        test=[],
    )
    spec = Architecture.from_notation(
        "0,1", num_classes=2, hidden_dims=[4], adjacency=AdjacencySpec(direction="in")
    )
    found = arrays(contents(*made(graph, spec, tmp_path_factory), Options()))
    assert found["quality"] is None
    assert found["directed"]
    assert found["nodes"]["ids"] == list("012345")
    assert found["explanations"]["featureNames"] == [f"feature {i}" for i in range(6)]


def test_a_baseline_has_a_text_instead_of_layers(tmp_path_factory):
    found = contents(*made(hostile_graph(), Chebyshev(hidden_width=4), tmp_path_factory), Options())
    assert found["architecture"]["layers"] is None
    assert found["architecture"]["text"].startswith("chebyshev: ")


@pytest.mark.parametrize(
    ("name", "value"),
    [("map", "umap"), ("points", 0), ("explanation_mb", float("nan")), ("seed", -1)],
)
def test_options_are_checked(name, value):
    with pytest.raises(SettingError, match=name):
        Options(**{name: value})
