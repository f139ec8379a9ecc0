"""The summary of a model is the mean of its explanations, and finds what was planted."""

import json

import numpy as np
import pytest
from small_explained import NUM_NODES, small_graph, small_model

import mixhop_tf
from mixhop_tf import Explainer, GraphData, Settings, count_deltas, explain_model
from mixhop_tf.delta import opposite_signs


def planted_graph(num_groups=60, seed=0):
    """A graph whose class is the sign of feature 3, added up over the nodes two hops away.

    Each group has a centre with five leaves. Feature 3 is large at one leaf, and so two hops away
    from the other four, whose classes are to be found. The centres form a ring, so that the large
    features of other groups are three hops away.
    """
    rng = np.random.default_rng(seed)
    size, centres = 6, 1 + 6 * np.arange(num_groups)
    spokes = [(centre, centre + i) for centre in centres for i in (-1, 1, 2, 3, 4)]
    edges = np.concatenate([spokes, np.stack([centres, np.roll(centres, 1)], axis=1)])
    num_nodes = size * num_groups
    features = rng.standard_normal((num_nodes, 8))
    features[:, 3] *= 0.1
    features[centres - 1, 3] = rng.choice([-2.0, 2.0], num_groups)
    near = np.zeros((num_nodes, num_nodes), np.int64)
    near[edges[:, 0], edges[:, 1]] = near[edges[:, 1], edges[:, 0]] = 1
    two_hops = (near @ near > 0) & (near == 0) & ~np.eye(num_nodes, dtype=bool)
    members = np.concatenate([centres + i for i in (1, 2, 3, 4)])
    labels = np.full(num_nodes, -1)
    labels[members] = (two_hops @ features[:, 3] > 0)[members]
    drawn = rng.permutation(members)
    split = {"train": drawn[:120], "val": drawn[120:180], "test": drawn[180:]}
    return GraphData(edges=edges, labels=labels, features=features, **split), members


def test_explanations_find_a_feature_that_was_planted_two_hops_away():
    graph, members = planted_graph()
    model = mixhop_tf.train(graph, settings=Settings(max_steps=60)).model
    explainer, found = Explainer(model, graph), 0
    for node in members.tolist():
        by_feature = explainer.explain(node, contrast="runner_up").feature_contributions
        distance, feature = np.unravel_index(np.abs(by_feature).argmax(), by_feature.shape)
        found += (distance, feature) == (2, 3)
    assert found >= 0.95 * len(members)
    summary = explain_model(model, graph, nodes=members)
    assert all("is decided mainly 2 hops away" in sentence for sentence in summary.sentences())


def test_the_summary_is_the_mean_of_the_explanations():
    graph = small_graph()
    model = small_model("rows", graph)
    summary = explain_model(model, graph)
    explainer = Explainer(model, graph)
    found = [explainer.explain(node, contrast="runner_up") for node in range(NUM_NODES)]
    everything = summary.classes[0]
    assert everything.nodes == summary.nodes == NUM_NODES
    assert sum(each.nodes for each in summary.classes[1:]) == NUM_NODES
    means, shares = np.zeros((2, 5))
    for each in found:
        size = len(each.by_distance)
        means[:size] += each.by_distance / NUM_NODES
        shares[:size] += np.abs(each.by_distance) / np.abs(each.by_distance).sum() / NUM_NODES
    np.testing.assert_allclose(everything.means, means)
    np.testing.assert_allclose(everything.shares, shares)
    first = summary.layers[0]
    assert [power.columns for power in first] == [4, 3, 2]
    assert sum(power.contribution_share for power in first) == pytest.approx(1)
    assert json.loads(json.dumps(summary.to_dict()))["nodes"] == NUM_NODES


def test_delta_operators_are_those_of_the_weights_and_their_use_is_measured():
    graph = small_graph()
    model = small_model("shared kernel", graph)
    deltas, counted = explain_model(model, graph).deltas, count_deltas(model)
    assert (deltas.count, deltas.total) == (counted.count, counted.total)
    assert 0 < deltas.used_share < 1
    # Without the weights of all other pairs, everything passes through delta operators.
    second = [step for step in model.steps if isinstance(step, mixhop_tf.MixHopLayer)][1]
    for kernel in second.kernels:
        flagged = opposite_signs(kernel.numpy(), 3)
        kernel.assign(kernel.numpy() * np.tile(flagged, (3, 1)))
    assert explain_model(model, graph).deltas.used_share > deltas.used_share


def test_a_sample_is_drawn_with_the_seed_and_progress_is_reported():
    graph = small_graph("mlp")
    shares = []
    summary = explain_model(
        small_model("mlp", graph), graph, nodes=[3, 1], on_progress=shares.append
    )
    assert (summary.nodes, shares) == (2, [0.5, 1.0])
    assert summary.sentences()[0] == (
        "The answer is decided mainly by the node itself: 100% of the contributions."
    )
