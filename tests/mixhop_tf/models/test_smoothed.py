"""Networks with a penalty over the edges: the penalty against dense NumPy, and what it changes."""

import numpy as np
import pytest
import tensorflow as tf

import mixhop_tf as m
from mixhop_tf.baselines import MLP, ManiReg, SemiEmb
from mixhop_tf.models.smoothed import edge_penalty, margin_penalty
from mixhop_tf.ops.laplacian import laplacian

RNG = np.random.default_rng(7)
N, S, C = 14, 6, 3
EDGES = np.array([(u, v) for u in range(N) for v in range(u + 1, N) if RNG.random() < 0.3])
WEIGHTS = RNG.uniform(0.5, 3, len(EDGES)).astype(np.float32)
FEATURES = np.abs(RNG.standard_normal((N, S))).astype(np.float32)


def dense_laplacian(weights):
    a = np.zeros((N, N))
    a[EDGES[:, 0], EDGES[:, 1]] = weights
    a += a.T
    return np.diag(a.sum(axis=1)) - a


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_the_penalty_of_edges_is_the_trace_and_the_mean_over_edges(weights):
    f = RNG.standard_normal((N, C)).astype(np.float32)
    each = np.ones(len(EDGES)) if weights is None else weights
    expected = dense_laplacian(each)
    sparse = laplacian(EDGES, N, weights)
    np.testing.assert_allclose(tf.sparse.to_dense(sparse), expected, rtol=1e-6, atol=1e-6)
    penalty = edge_penalty(tf.constant(f), sparse)
    distances = ((f[EDGES[:, 0]] - f[EDGES[:, 1]]) ** 2).sum(axis=1)
    assert float(penalty) == pytest.approx(np.average(distances, weights=each), rel=1e-5)
    trace = np.trace(f.T @ expected @ f)
    assert float(penalty) == pytest.approx(trace / each.sum(), rel=1e-5)


def test_the_penalty_of_random_pairs_is_its_formula_and_has_a_gradient_at_equal_rows():
    f = RNG.standard_normal((N, C)).astype(np.float32)
    pairs = RNG.integers(N, size=(20, 2))
    distances = np.linalg.norm(f[pairs[:, 0]] - f[pairs[:, 1]], axis=1)
    expected = np.mean(np.maximum(0, 1.5 - distances) ** 2)
    assert float(margin_penalty(f, tf.constant(pairs), 1.5)) == pytest.approx(expected, rel=1e-4)
    same = tf.Variable(tf.ones([3, 2]))
    with tf.GradientTape() as tape:
        penalty = margin_penalty(same, tf.constant([[0, 1], [1, 1]]), 1.0)
    assert np.isfinite(tf.convert_to_tensor(tape.gradient(penalty, same)).numpy()).all()


@pytest.mark.parametrize("kind", [ManiReg, SemiEmb])
def test_training_has_the_penalty_and_inference_ignores_the_graph(kind):
    model = m.build_model(kind(hidden_width=4, manifold=2.0), S, C, seed=0)
    operator = model.operator(EDGES, N)
    model((FEATURES, operator), training=True)
    (penalty,) = model.losses
    assert float(penalty) > 0
    logits = model((FEATURES, operator))
    assert not model.losses
    np.testing.assert_allclose(logits, model((FEATURES, model.operator([[0, 1]], N))), atol=1e-6)


def test_manireg_penalizes_differences_of_probabilities():
    rates = {"input_dropout": 0.0, "hidden_dropout": 0.0}
    model = m.build_model(ManiReg(hidden_width=4, manifold=2.0, **rates), S, C, seed=0)
    shares = tf.nn.softmax(model((FEATURES, model.operator(EDGES, N)), training=True)).numpy()
    expected = np.trace(shares.T @ dense_laplacian(np.ones(len(EDGES))) @ shares) / len(EDGES)
    assert float(model.losses[0]) == pytest.approx(2.0 * expected, rel=1e-4)


def test_without_its_penalty_manireg_is_an_mlp():
    labels = RNG.integers(C, size=N)
    graph = m.GraphData(
        edges=EDGES, features=FEATURES, labels=labels, train=[0, 1, 2], val=[3, 4], test=[5]
    )
    settings = m.Settings(max_steps=5)
    runs = [
        m.make_trainer(graph, architecture, settings, whole_graph=True).run(0)
        for architecture in (MLP(hidden_width=4), ManiReg(hidden_width=4, manifold=0.0))
    ]
    np.testing.assert_allclose(runs[0].logits, runs[1].logits, atol=1e-6)
