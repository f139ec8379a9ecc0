"""`train` is repeatable to the bit, and its model survives a SavedModel."""

import dataclasses

import numpy as np
import pytest
import scipy.sparse as sp

import mixhop_tf as m
from mixhop_tf.baselines import GCN

SHORT = m.Settings(max_steps=12)


@pytest.fixture(scope="module")
def graph():
    """Makes 40 nodes in two halves, with most edges within a half."""
    rng = np.random.default_rng(0)
    labels = np.arange(40) % 2
    edges = rng.integers(40, size=(200, 2))
    edges = edges[(labels[edges[:, 0]] == labels[edges[:, 1]]) | (rng.random(200) < 0.1)]
    words = rng.random((40, 12)) < np.where(labels, 0.3, 0.1)[:, np.newaxis]
    return m.GraphData(
        edges=edges,
        labels=np.array(["even", "odd"])[labels],
        features=sp.csr_array(words.astype(np.float32)),
        train=np.arange(10),
        val=np.arange(10, 25),
        test=np.arange(25, 40),
        feature_names=[f"word {i}" for i in range(12)],
        node_ids=[f"page {i}" for i in range(40)],
    )


@pytest.mark.parametrize("architecture", [None, GCN(hidden_width=8)], ids=["default", "gcn"])
def test_the_same_seed_gives_the_same_numbers_to_the_bit(graph, architecture):
    first, again, other = (m.train(graph, architecture, SHORT, seed=seed) for seed in (3, 3, 4))
    assert first.curve == again.curve
    assert dataclasses.replace(first.result, seconds=0) == dataclasses.replace(
        again.result, seconds=0
    )
    for one, same in zip(first.model.get_weights(), again.model.get_weights(), strict=True):
        np.testing.assert_array_equal(one, same)
    assert first.curve != other.curve


def test_training_teaches_something(graph):
    run = m.train(graph, settings=m.Settings(max_steps=100))
    assert run.curve[-1].loss < run.curve[0].loss
    assert run.best.val_accuracy > 0.6
    assert run.num_steps == len(run.curve) <= 100
    assert run.result.best_step == run.best.step
    assert run.result.test_accuracy == run.test_accuracy


def test_the_default_architecture_shares_60_columns_evenly(graph):
    architecture = m.train(graph, settings=m.Settings(max_steps=1)).model.architecture
    assert [layer.dims for layer in architecture.layers] == [(20, 20, 20), (2, 2, 2)]
    assert {layer.dropout for layer in architecture.layers} == {m.Recipe().hidden_dropout}


def test_every_step_is_passed_on_with_the_best_so_far(graph):
    steps = []
    run = m.train(graph, settings=SHORT, on_step=lambda point, best: steps.append((point, best)))
    assert tuple(point for point, _ in steps) == run.curve
    assert steps[-1][1] == run.best


@pytest.mark.parametrize("scaling", ["auto", "standardize", "none"])
def test_a_run_is_exported_and_answers_as_its_model_does(graph, scaling, tmp_path):
    run = m.train(graph, settings=SHORT, scaling=scaling)
    path = run.export(tmp_path / "served")
    served = m.load_saved_model(path)
    assert served.class_names == ("even", "odd")
    assert served.feature_names == graph.feature_names
    assert served.node_ids is None
    assert served.new_nodes([*graph.node_ids, "x"]) == ["x"]
    assert served.architecture == run.model.architecture
    answer = served.predict(graph.features, graph.edges)
    expected = run.model(run.inputs).numpy()
    np.testing.assert_allclose(answer["logits"], expected, atol=1e-4)
    accuracy = np.mean(answer["labels"][graph.test] == graph.labels[graph.test])
    assert accuracy == run.test_accuracy


@pytest.mark.parametrize("part", ["train", "val"])
def test_a_graph_without_training_or_validation_nodes_is_refused(graph, part):
    arguments = {
        name: getattr(graph, name) for name in ("edges", "labels", "features", "train", "val")
    }
    with pytest.raises(m.SplitError, match=f"graph has no {part} nodes"):
        m.train(m.GraphData(**arguments | {part: []}), settings=SHORT)


def test_an_unknown_scaling_is_refused(graph):
    with pytest.raises(m.SettingError, match="`scaling` must be one of auto"):
        m.train(graph, settings=SHORT, scaling="columns")
