"""What is taken away really changes the answer of the model."""

import dataclasses

import numpy as np
import pytest
import scipy.sparse as sp
from small_explained import NUM_NODES, inputs_of, model_logits, small_graph, small_model

from mixhop_tf import GraphData, SettingError, counterfactual
from mixhop_tf.models.freeze import freeze_statistics


def changed_graph(graph, found):
    """The whole graph without what was removed."""
    edges, features = graph.edges, graph.features.tolil()
    weights = graph.edge_weights
    if found.kind == "edges":
        gone = {frozenset(pair) for pair in found.removed}
        kept = np.array([frozenset(edge) not in gone for edge in edges.tolist()])
        edges, weights = edges[kept], None if weights is None else weights[kept]
    else:
        for node, feature in found.removed:
            features[node, feature] = 0
    return GraphData(
        edges=edges,
        labels=graph.labels,
        class_names=graph.class_names,
        train=[0],
        val=[1],
        features=sp.csr_array(features),
        edge_weights=weights,
        directed=graph.directed,
    )


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("rows", "edges"),
        ("weighted", "edges"),
        ("both directions", "edges"),
        ("gcn", "features"),
        ("rows", "features"),
    ],
)
def test_the_model_gives_the_other_answer_on_the_whole_changed_graph(name, kind):
    graph = small_graph(name)
    model = freeze_statistics(model := small_model(name, graph), inputs_of(model, graph))
    before, count = model_logits(model, graph).argmax(axis=1), 0
    for node in range(0, NUM_NODES, 4):
        found = counterfactual(model, graph, node, kind)
        logits = model_logits(model, changed_graph(graph, found))[node]
        assert found.before == before[node]
        assert found.after == logits.argmax()
        assert found.found == (found.after != found.before)
        shares = np.exp(logits) / np.exp(logits).sum()
        assert found.probability_after == pytest.approx(shares[found.before], abs=1e-5)
        count += found.found
    assert count  # at least one answer can be changed


def test_everything_that_is_taken_away_is_needed():
    graph = small_graph("gcn")
    model = small_model("gcn", graph)
    needed = 0
    for node in range(6):
        found = counterfactual(model, graph, node, "features")
        if not found.found or len(found.removed) < 2:
            continue
        needed += 1
        for each in found.removed:
            fewer = tuple(other for other in found.removed if other != each)
            part = changed_graph(graph, _with(found, fewer))
            assert model_logits(model, part)[node].argmax() == found.before
    assert needed


def _with(found, removed):
    return dataclasses.replace(found, removed=removed)


def test_a_standardised_feature_becomes_the_mean():
    graph = small_graph("standardize")
    model = small_model("standardize", graph)
    found = counterfactual(model, graph, 2, "features", most=3)
    means = graph.features.toarray().mean(axis=0)
    features = graph.features.toarray()
    for node, feature in found.removed:
        features[node, feature] = means[feature]
    frozen = freeze_statistics(model, inputs_of(model, graph))
    changed = changed_graph(graph, _with(found, ()))
    changed.features = sp.csr_array(features.astype(np.float32))
    assert model_logits(frozen, changed)[2].argmax() == found.after


def test_json_names_what_is_taken_away():
    graph = small_graph()
    content = counterfactual(small_model("rows", graph), graph, 1, "features", most=1).to_dict()
    assert content["id"] == "n1"
    assert content["before"]["answer"]["name"].startswith("class")
    assert content["removed"][0]["id"] == f"n{content['removed'][0]['node']}"


def test_bad_arguments_are_named():
    graph = small_graph()
    model = small_model("mlp", graph)
    with pytest.raises(SettingError, match="`kind` must be one of edges, features"):
        counterfactual(model, graph, 0, "nodes")
    with pytest.raises(SettingError, match="`most` must be 1 or more"):
        counterfactual(model, graph, 0, most=0)
