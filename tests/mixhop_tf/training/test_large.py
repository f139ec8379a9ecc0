"""A large graph is trained by other operations, which must compute the same."""

import numpy as np
import pytest
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf import AdjacencySpec, Architecture, GraphData, Settings, Trainer, limits
from mixhop_tf.layers import GraphNorm, graph_norm
from mixhop_tf.ops.row_operator import RowOperator


@pytest.fixture
def all_large(monkeypatch):
    """Every graph is large, and every matrix has many rows."""
    monkeypatch.setattr(limits, "MANY_ROWS", 1)


def make_graph(*, dense=False, **options):
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=80)
    features = rng.random((80, 6)) * (1 if dense else rng.random((80, 6)) < 0.1)
    features[np.arange(80), labels] += 1
    return GraphData(
        edges=rng.integers(80, size=(200, 2)),
        labels=labels,
        train=range(30),
        val=range(30, 60),
        test=range(60, 80),
        features=sp.csr_array(features),
        **options,
    )


def curve(graph, spec, **options):
    architecture = Architecture.default(3, adjacency=spec)
    trainer = Trainer(graph, architecture, Settings(max_steps=12), **options)
    run = trainer.run(0)
    return np.array([[point.loss, point.val_loss] for point in run.curve]), run


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("direction", ["undirected", "both"])
def test_training_is_the_same_but_for_rounding(dense, direction, request):
    graph = make_graph(dense=dense, directed=direction == "both")
    spec = AdjacencySpec(direction=direction)
    expected, _ = curve(graph, spec)
    request.getfixturevalue("all_large")
    found, run = curve(graph, spec)
    np.testing.assert_allclose(found, expected, rtol=2e-3)
    operator = run.inputs[1]
    assert isinstance(operator[0] if direction == "both" else operator, RowOperator)
    assert isinstance(run.inputs[0], tf.SparseTensor) != dense


def test_a_large_graph_gives_the_same_bits_again(all_large):
    first, second = (curve(make_graph(), AdjacencySpec())[0] for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_normalisation_of_many_rows_has_the_gradient_of_the_formula(monkeypatch):
    rng = np.random.default_rng(3)
    x = tf.constant(rng.standard_normal((2500, 4)) * 3 + 1, tf.float32)
    target = tf.constant(rng.standard_normal((2500, 4)), tf.float32)
    results = []
    for many in (10**9, 1):
        monkeypatch.setattr(limits, "MANY_ROWS", many)
        norm = GraphNorm()
        norm.build(x.shape)
        norm.beta.assign([0.1, 0.2, -0.3, 0.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = norm(x)
            loss = tf.reduce_sum(tf.tanh(y) * target)
        results.append([y, *tape.gradient(loss, [x, norm.beta.value])])
    for expected, found in zip(*results, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-5)


def test_moments_of_many_rows_are_exact():
    rng = np.random.default_rng(4)
    x = (rng.standard_normal((300_001, 2)) + np.array([100.0, 0.5])).astype(np.float32)
    mean, variance = graph_norm.exact_moments(tf.constant(x))
    np.testing.assert_allclose(mean, x.mean(axis=0, dtype=np.float64), rtol=1e-6)
    np.testing.assert_allclose(variance, x.var(axis=0, dtype=np.float64), rtol=1e-5)
