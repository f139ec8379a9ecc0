"""Many rows are computed in blocks: the same logits and gradients as in the plain way."""

import numpy as np
import pytest
import tensorflow as tf

from mixhop_tf import AdjacencySpec, Architecture, LayerSpec, build_model, limits
from mixhop_tf.layers import SparseDropout
from mixhop_tf.models import lean
from mixhop_tf.ops import lazy_rows
from mixhop_tf.ops.lazy_rows import LazyRows

NODES, FEATURES, CLASSES = 41, 6, 3


def layer(powers=(0, 1, 2), dims=(4, 3, 2)):
    return LayerSpec(powers=powers, dims=dims, activation="relu", batch_norm=True)


def output(powers=(0, 1, 2), dims=(3, 3, 3)):
    return LayerSpec(powers=powers, dims=dims)


BOTH = AdjacencySpec(direction="both")
ARCHITECTURES = {
    "two layers": Architecture(layers=(layer(), output())),
    "wide": Architecture(layers=(layer(dims=(9, 8, 7)), layer(), output())),
    "wide output": Architecture(layers=(layer(), output((0, 2), (9, 6)))),
    "partial groups": Architecture(layers=(layer(), output((0, 1), (4, 5)))),
    "dense": Architecture(layers=(layer(), layer((1, 0), (5, 5))), output="dense"),
    "jumping": Architecture(layers=(layer(), layer((1,), (4,))), output="dense", jumping=True),
    "one layer": Architecture(layers=(layer((0, 1), (3, 3)),)),
    "directions": Architecture(
        layers=(layer((0, 1, -1)), output((0, 1, -2))),
        adjacency=BOTH,
    ),
}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Several blocks, the last of which is shorter."""
    monkeypatch.setattr(lazy_rows, "_BLOCK_CELLS", 1)
    monkeypatch.setattr(lazy_rows, "_MIN_ROWS", 16)


def make(architecture, **options):
    """Makes a model, its features and its operator."""
    rng = np.random.default_rng(0)
    model = build_model(architecture, FEATURES, CLASSES, seed=3, **options)
    features = tf.constant(rng.random((NODES, FEATURES)), tf.float32)
    return model, features, model.operator(rng.integers(NODES, size=(90, 2)), NODES)


def computed(model, function):
    """Computes logits and the gradients of all weights in a compiled function."""
    target = np.random.default_rng(1).standard_normal((NODES, CLASSES)).astype(np.float32)

    @tf.function(autograph=False)
    def run():
        with tf.GradientTape() as tape:
            logits = function()
            loss = tf.reduce_sum(tf.gather(logits, tf.range(0, NODES, 2)) * target[::2])
        return logits, tape.gradient(loss, [each.value for each in model.trainable_variables])

    logits, gradients = run()
    return [logits, *gradients]


def assert_same(model, function, monkeypatch):
    monkeypatch.setattr(limits, "MANY_ROWS", 10**9)
    expected = computed(model, function)
    monkeypatch.setattr(limits, "MANY_ROWS", 1)
    found = computed(model, function)
    assert all(np.abs(each).max() > 1e-3 for each in found)
    for mine, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-4)


@pytest.mark.filterwarnings("ignore:.*columns")
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_logits_and_gradients_are_those_of_the_plain_way(name, monkeypatch):
    model, features, operator = make(ARCHITECTURES[name])
    assert_same(model, lambda: model((features, operator), training=True), monkeypatch)


def test_a_shared_kernel_and_unscaled_features(monkeypatch):
    architecture = Architecture(layers=(layer(dims=(3, 3, 3)), output()))
    model, features, operator = make(architecture, shared_first_kernel=True, scaling="none")
    assert_same(model, lambda: model((features, operator), training=True), monkeypatch)


def test_propagated_features(monkeypatch):
    model, features, operator = make(ARCHITECTURES["two layers"], scaling="none")
    hops = [features]
    for _ in range(2):
        hops.append(tf.sparse.sparse_dense_matmul(operator, hops[-1]))
    assert_same(model, lambda: model.propagated_logits(hops, operator), monkeypatch)
    np.testing.assert_allclose(
        model.propagated_logits(hops, operator), model((features, operator)), atol=1e-5
    )


def test_sparse_features(monkeypatch):
    model, features, operator = make(ARCHITECTURES["wide"])
    sparse = tf.sparse.from_dense(tf.where(features > 0.7, features, 0.0))
    assert_same(model, lambda: model((sparse, operator), training=True), monkeypatch)


def test_the_gradient_draws_the_same_dropout_again():
    x = tf.constant(np.random.default_rng(2).standard_normal((NODES, 50)), tf.float32)
    dropout = SparseDropout(0.4, seed=7)
    found = []
    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = lean._dropped(LazyRows.of(x, trained=True), dropout, True).value()
            loss = tf.reduce_sum(y)
        kept = y.numpy() != 0
        np.testing.assert_allclose(y, np.where(kept, x * dropout.scale, 0), rtol=1e-6)
        np.testing.assert_allclose(tape.gradient(loss, x), kept * dropout.scale, rtol=1e-6)
        assert abs(kept.mean() - 0.6) < 0.05
        found += [kept[:16], kept[16:32]]
    # Blocks and steps have masks of their own.
    for i, first in enumerate(found):
        assert all((first == second).mean() < 0.7 for second in found[:i])


def test_moments_of_blocks_are_exact():
    x = np.random.default_rng(4).standard_normal((1001, 3)) + np.array([1000.0, 0.5, 0.0])
    x = x.astype(np.float32)
    mean, variance = LazyRows.of(tf.constant(x), trained=False).moments()
    np.testing.assert_allclose(mean, x.mean(axis=0, dtype=np.float64), rtol=1e-6)
    np.testing.assert_allclose(variance, x.var(axis=0, dtype=np.float64), rtol=1e-5)
