"""Contributions add up to the logit, and are what the definition says."""

import json

import networkx as nx
import numpy as np
import pytest
import tensorflow as tf
from reference import adjacency
from small_explained import (
    EDGES,
    MODELS,
    NUM_CLASSES,
    NUM_FEATURES,
    NUM_NODES,
    inputs_of,
    model_logits,
    small_graph,
    small_model,
)
from threadpoolctl import threadpool_info, threadpool_limits

import mixhop_tf
import mixhop_tf.explaining.explainer as explainer_module
from mixhop_tf import (
    Architecture,
    Explainer,
    LayerSpec,
    MixHopLayer,
    SettingError,
    build_model,
    explain,
)
from mixhop_tf.models.freeze import freeze_statistics

STRAIGHT = ("rows", "standardize", "weighted", "shared kernel", "both directions", "random walk")
INEXACT = ("attention", "gat", "ngcn psum")


@pytest.mark.parametrize("name", MODELS)
def test_contributions_and_constant_add_up_to_the_logit_of_every_node_and_class(name):
    graph = small_graph(name)
    model = small_model(name, graph)
    explainer, expected = Explainer(model, graph), model_logits(model, graph)
    np.testing.assert_allclose(explainer.logits(range(NUM_NODES)), expected, atol=1e-5)
    contributed = 0.0
    for node in range(NUM_NODES):
        for target in range(NUM_CLASSES):
            found = explainer.explain(node, target)
            assert found.logit == pytest.approx(expected[node, target], abs=1e-5)
            parts = (
                found.node_contributions,
                found.by_distance,
                found.by_powers,
                found.feature_contributions,
                explainer.entries(found),
            )
            for part in parts:
                total = part.sum() + found.constant + found.rest
                assert total == pytest.approx(expected[node, target], abs=1e-4)
            contributed += np.abs(found.node_contributions).sum()
    assert contributed > 1  # not everything is a constant


@pytest.mark.parametrize("name", STRAIGHT)
def test_with_one_hidden_layer_contributions_are_integrated_gradients(name):
    graph = small_graph(name)
    model = small_model(name, graph)
    features, operator = inputs_of(model, graph)
    frozen = freeze_statistics(model, (features, operator))
    scaled = model.normalize(features)
    dense = tf.sparse.to_dense(scaled) if isinstance(scaled, tf.SparseTensor) else scaled

    @tf.function
    def gradient(share, node):
        with tf.GradientTape() as tape:
            tape.watch(inputs := share * dense)
            logit = frozen((inputs, operator), normalized=True)[node, 1]
        return tape.gradient(logit, inputs)

    explainer, steps = Explainer(model, graph), 200
    for node in (0, 5):
        shares = (tf.constant((step + 0.5) / steps, tf.float32) for step in range(steps))
        expected = sum(gradient(share, tf.constant(node)) for share in shares) * dense / steps
        found = explainer.explain(node, 1)
        entries = explainer.entries(found).toarray()
        # Each unit that features switch on or off does so within one step.
        np.testing.assert_allclose(entries, expected, atol=0.02)
        whole = np.zeros(NUM_NODES)
        whole[found.nodes] = found.node_contributions
        np.testing.assert_allclose(whole, entries.sum(axis=1), atol=1e-9)
        np.testing.assert_allclose(found.by_feature, entries.sum(axis=0), atol=1e-9)


@pytest.mark.parametrize("name", [name for name in MODELS if name not in INEXACT])
def test_the_constant_is_the_logit_of_a_graph_without_features(name):
    graph = small_graph(name)
    model = small_model(name, graph)
    features, operator = inputs_of(model, graph)
    frozen = freeze_statistics(model, (features, operator))
    empty = frozen((tf.zeros(graph.features.shape), operator), normalized=True).numpy()
    explainer = Explainer(model, graph)
    for node in range(NUM_NODES):
        found = explainer.explain(node, 2)
        assert (found.method, found.rest) == ("exact", 0)
        assert found.constant == pytest.approx(empty[node, 2], abs=1e-5)


def test_distances_are_those_of_the_graph_and_sort_the_contributions():
    graph = small_graph()
    steps = nx.Graph(EDGES.tolist())
    explainer = Explainer(small_model("rows", graph), graph)
    for node in range(NUM_NODES - 1):
        found = explainer.explain(node)
        expected = nx.single_source_shortest_path_length(steps, node, cutoff=4)
        assert dict(zip(found.nodes.tolist(), found.distances.tolist(), strict=True)) == expected
        for distance, contribution in enumerate(found.by_distance):
            mine = found.node_contributions[found.distances == distance]
            assert contribution == pytest.approx(mine.sum())
            entries = explainer.entries(found)[found.nodes[found.distances == distance]]
            np.testing.assert_allclose(
                found.feature_contributions[distance], entries.sum(axis=0), atol=1e-12
            )


def test_directions_are_followed_as_the_model_reads_them():
    graph = small_graph("random walk")
    steps = nx.DiGraph(EDGES[:, ::-1].tolist())  # a node reads those that point to it
    found = explain(small_model("random walk", graph), graph, 0)
    reached = nx.single_source_shortest_path_length(steps, 0, cutoff=3)
    assert all(
        reached[node] == distance
        for node, distance in zip(found.nodes.tolist(), found.distances.tolist(), strict=True)
    )


def test_a_linear_model_gives_each_pair_of_powers_its_matrix_product():
    graph = small_graph()
    layers = LayerSpec(powers=(0, 2), dims=(2, 3)), LayerSpec(powers=(1, 0), dims=(3, 3))
    model = build_model(Architecture(layers=layers), NUM_FEATURES, NUM_CLASSES, scaling="none")
    first, second, psum = (step for step in model.steps if step.weights)
    a = adjacency(EDGES, NUM_NODES)
    x, columns = graph.features.toarray(), {0: slice(0, 2), 2: slice(2, 5)}
    shares = tf.nn.softmax(psum.q).numpy()
    found = explain(model, graph, 3, target=2)
    assert found.powers == ((0, 0), (0, 1), (2, 0), (2, 1))
    for path, contribution in zip(found.powers, found.by_powers, strict=True):
        inner, outer = path
        h = np.linalg.matrix_power(a, inner) @ x @ first.kernels[[0, 2].index(inner)].numpy()
        k = [1, 0].index(outer)
        z = np.linalg.matrix_power(a, outer) @ h @ second.kernels[k].numpy()[columns[inner]]
        assert contribution == pytest.approx(shares[k] * z[3, 2], abs=1e-5)
    assert found.constant == 0


def test_an_edge_carries_what_is_lost_without_its_entry_in_a_gcn_layer():
    graph = small_graph()
    model = build_model(
        Architecture(layers=(LayerSpec(powers=(1,), dims=(3,)),)), NUM_FEATURES, NUM_CLASSES
    )
    found = explain(model, graph, 4)
    carried = dict(zip(map(tuple, found.edges.tolist()), found.edge_contributions, strict=True))
    by_node = dict(zip(found.nodes.tolist(), found.node_contributions, strict=True))
    assert carried == pytest.approx(
        {(4, node): value for node, value in by_node.items() if node != 4 and value}
    )


def test_edges_of_two_layers_carry_contributions_of_features_and_no_constants():
    graph = small_graph()
    layers = (
        LayerSpec(powers=(1,), dims=(4,), activation="relu", batch_norm=True),
        LayerSpec(powers=(1,), dims=(3,)),
    )
    options = {"scaling": "none", "seed": 2}
    model = build_model(Architecture(layers=layers), NUM_FEATURES, NUM_CLASSES, **options)
    found = explain(model, graph, 0)
    first, second = (step for step in model.steps if isinstance(step, MixHopLayer))
    a, xw = adjacency(EDGES, NUM_NODES), graph.features @ first.kernels[0].numpy()
    # From the values of the hidden units without features to those with features.
    mean = (a @ xw).mean(axis=0)
    change = np.maximum(a @ xw - mean, 0) - np.maximum(-mean, 0)
    slopes = change / (a @ xw) / np.sqrt((a @ xw).var(axis=0) + 1e-3)
    kernel = second.kernels[0].numpy()[:, found.target]
    expected = a * ((a[0][:, None] * kernel * slopes) @ xw.T)  # in the first layer
    expected[0] += a[0] * ((slopes * (a @ xw)) @ kernel)  # in the second layer
    np.fill_diagonal(expected, 0)
    carried = np.zeros_like(a)
    carried[tuple(found.edges.T)] = found.edge_contributions
    np.testing.assert_allclose(carried, expected, atol=1e-5)
    assert abs(found.constant) > 1e-3


def test_a_model_with_many_paths_adds_them_up_by_their_number_of_hops():
    graph = small_graph()
    hidden = LayerSpec(powers=(0, 1, 2), dims=(2, 2, 2), activation="relu")
    layers = (*(hidden,) * 5, LayerSpec(powers=(0, 1), dims=(3, 3)))
    model = build_model(Architecture(layers=layers), NUM_FEATURES, NUM_CLASSES, seed=0)
    found = explain(model, graph, 0)
    assert found.powers == tuple((hops,) for hops in range(12))
    assert found.by_powers.sum() == pytest.approx(found.node_contributions.sum())


def test_contrast_explains_the_difference_of_two_logits():
    graph = small_graph()
    explainer = Explainer(small_model("rows", graph), graph)
    first, second = explainer.explain(0, 0), explainer.explain(0, "class 2")
    both = explainer.explain(0, 0, contrast=2)
    assert both.logit == pytest.approx(first.logit - second.logit)
    np.testing.assert_allclose(both.by_distance, first.by_distance - second.by_distance)
    order = np.argsort(-first.logits)
    found = explainer.explain(0, contrast="runner_up")
    assert (found.target, found.contrast) == tuple(order[:2])
    assert found.total == pytest.approx(found.logit)


def test_an_isolated_node_explains_itself():
    graph = small_graph()
    found = explain(small_model("rows", graph), graph, NUM_NODES - 1)
    assert found.nodes.tolist() == [NUM_NODES - 1]
    assert len(found.edges) == 0


def test_the_exported_model_gives_the_same_explanation(tmp_path):
    graph = small_graph()
    model = small_model("rows", graph)
    options = {"class_names": graph.class_names, "feature_names": graph.feature_names}
    mixhop_tf.export_saved_model(model, tmp_path / "m", inputs_of(model, graph), **options)
    saved = mixhop_tf.load_saved_model(tmp_path / "m")
    first, second = (explain(each, graph, 2) for each in (model, saved))
    np.testing.assert_allclose(first.by_distance, second.by_distance, atol=1e-5)
    assert first.to_dict()["answer"] == second.to_dict()["answer"]
    assert first.constant == pytest.approx(second.constant, abs=1e-5)


def test_json_form_names_everything_and_says_what_was_left_off():
    graph = small_graph()
    found = explain(small_model("rows", graph), graph, 1)
    content = json.loads(json.dumps(found.to_dict(top=3)))
    assert content["id"] == "n1"
    assert content["label"]["name"] == f"class {graph.labels[1]}"
    assert [len(content[key]) for key in ("by_node", "by_feature", "edges")] == [3, 3, 3]
    for key, many in (("by_node", "nodes"), ("by_feature", "features")):
        shown = sum(each["contribution"] for each in content[key])
        total = shown + content["others"][many]["contribution"] + content["constant"]
        assert total == pytest.approx(content["logit"])
    strongest = content["by_node"][0]
    assert strongest["id"] == f"n{strongest['node']}"
    assert sum(f["contribution"] for f in strongest["features"]) == pytest.approx(
        strongest["contribution"]
    )
    assert content["by_feature"][0]["name"].startswith("f")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"node": 14}, "`node` must be from 0 to 13. Received: 14"),
        ({"node": -1}, "`node` must be from 0 to 13. Received: -1"),
        ({"node": 0, "target": "x"}, "`target` must be a class from 0 to 2, or its name"),
        ({"node": 0, "target": 1, "contrast": 1}, "`contrast` must be another class"),
        ({"node": 0, "features": np.ones((3, 5))}, r"`features` must have the shape \[14, 5\]"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    graph = small_graph()
    with pytest.raises(SettingError, match=message):
        explain(small_model("mlp", graph), graph, **arguments)


def test_a_weighted_model_needs_weights():
    graph = small_graph("weighted")
    with pytest.raises(SettingError, match="must have edge weights"):
        explain(small_model("weighted", graph), small_graph(), 0)


def test_threads_of_blas_do_not_wait_for_each_other(monkeypatch):
    """On a busy machine they make an explanation fifty times as slow."""
    graph, threads, attribute = small_graph(), [], explainer_module.attribute

    def watched(*arguments):
        threads.extend(each["num_threads"] for each in blas())
        return attribute(*arguments)

    def blas():
        return [each for each in threadpool_info() if each["user_api"] == "blas"]

    monkeypatch.setattr(explainer_module, "attribute", watched)
    with threadpool_limits(2, "blas"):
        before = blas()
        explain(small_model("rows", graph), graph, 0)
        assert blas() == before
    assert set(threads) == {1}
