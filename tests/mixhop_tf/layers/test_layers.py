"""The other layers against the reference, and the contract that all layers keep."""

import warnings

import keras
import numpy as np
import pytest
import reference
import tensorflow as tf

from mixhop_tf import (
    Architecture,
    GraphNorm,
    GroupLasso,
    MixHopLayer,
    PsumOutput,
    RowNormalize,
    SparseDropout,
    build_model,
)
from mixhop_tf.layers import AttentiveMixHopLayer

ADJACENCY = tf.sparse.from_dense(reference.adjacency([(0, 1), (1, 2)], 4).astype(np.float32))
X = np.random.default_rng(1).standard_normal((4, 6)).astype(np.float32)

LAYERS = [
    (
        AttentiveMixHopLayer,
        {"powers": (0, 2, 1), "dims": (3, 0, 5), "heads": 2, "attention_dropout": 0.3, "seed": 1},
    ),
    (
        AttentiveMixHopLayer,
        {"powers": (1, 2), "dims": (3, 3), "value_dropout": 0.3, "negative_slope": 0.1}
        | {"activation": "tanh", "use_bias": True, "kernel_regularizer": GroupLasso(0.1, 0.2)},
    ),
    (GraphNorm, {"epsilon": 0.5}),
    (MixHopLayer, {"powers": (0, 2), "dims": (3, 0), "activation": "tanh", "use_bias": True}),
    (MixHopLayer, {"powers": (1,), "dims": (3,), "kernel_regularizer": GroupLasso(0.1, 0.2)}),
    (PsumOutput, {"num_classes": 2, "penalty": 0.5}),
    (RowNormalize, {"epsilon": 0.5}),
    (SparseDropout, {"rate": 0.5, "seed": 3}),
]


@pytest.mark.parametrize(("kind", "arguments"), LAYERS)
def test_every_layer_works_in_a_functional_model_and_survives_saving(kind, arguments, tmp_path):
    layer = kind(**arguments)
    x, adjacency = keras.Input((6,)), keras.Input((4,), sparse=True)
    y = layer((x, adjacency)) if issubclass(kind, MixHopLayer) else layer(x)
    model = keras.Model((x, adjacency), y)
    for variable in layer.trainable_variables:
        variable.assign_add(0.1 * tf.ones_like(variable))
    inputs = tf.constant(X), ADJACENCY
    expected = model(inputs)
    assert tuple(y.shape) == (None, expected.shape[1])
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(loaded(inputs), expected)
    assert loaded.get_layer(layer.name).get_config() == layer.get_config()


def test_row_normalize_equals_the_reference_dense_and_sparse():
    x = X.copy()
    x[1] = 0
    x[2] = [1e-6, 0, 0, 0, 0, 0]  # where the largest of length and epsilon matters
    expected = reference.row_normalize(x)
    np.testing.assert_allclose(RowNormalize()(x), expected, atol=1e-6)
    sparse = RowNormalize()(tf.sparse.from_dense(x))
    np.testing.assert_allclose(tf.sparse.to_dense(sparse), expected, atol=1e-6)


def test_graph_norm_equals_the_reference_and_keeps_to_stored_statistics_when_frozen():
    layer = GraphNorm()
    layer.build((None, 6))
    layer.beta.assign(np.arange(6))
    np.testing.assert_allclose(layer(X), reference.graph_norm(X, np.arange(6)), atol=1e-5)
    np.testing.assert_allclose(layer(X, training=True), layer(X))
    layer.store_statistics(X)
    layer.frozen = True
    np.testing.assert_allclose(layer(X[:2]), reference.graph_norm(X, np.arange(6))[:2], atol=1e-5)


def test_psum_equals_the_reference_and_carries_its_penalty():
    layer = PsumOutput(num_classes=2)
    layer.build((None, 6))
    q = np.array([0.5, -1.0, 2.0])
    layer.q.assign(q)
    np.testing.assert_allclose(layer(X), reference.psum(X, q, 2), atol=1e-6)
    assert float(sum(layer.losses)) == pytest.approx(1e-3 * (q**2).mean())


def test_psum_warns_once_of_wasted_columns_and_ignores_them():
    layer = PsumOutput(num_classes=4)
    with pytest.warns(UserWarning, match="ignores 2 of its 6 columns"):
        first = layer(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(layer(X), first)
    np.testing.assert_allclose(first, X[:, :4], atol=1e-6)


def test_dropout_drops_the_share_it_should_and_keeps_the_mean():
    x = tf.ones([400, 500])
    for rate in (0.1, 0.5, 0.9):
        y = SparseDropout(rate, seed=1)(x, training=True).numpy()
        assert (y == 0).mean() == pytest.approx(rate, abs=0.005)
        assert y.mean() == pytest.approx(1, abs=0.02)
        rows = (y == 0).mean(axis=1)
        assert rows.std() == pytest.approx(np.sqrt(rate * (1 - rate) / 500), rel=0.2)


def test_sparse_dropout_touches_stored_entries_only():
    dense = np.zeros((30, 40), np.float32)
    dense[::2] = 3
    y = SparseDropout(0.25, seed=1)(tf.sparse.from_dense(dense), training=True)
    assert y.values.shape[0] == pytest.approx(0.75 * 600, abs=50)
    kept = tf.sparse.to_dense(y).numpy()
    assert set(np.unique(kept)) == {0, 4}
    assert not kept[1::2].any()


def test_scale_goes_with_the_rate_that_16_bits_make_of_it():
    rate = 0.9999
    y = SparseDropout(rate, seed=1)(tf.ones([1000, 2000]), training=True).numpy()
    assert y.mean() == pytest.approx(1, abs=0.3)
    assert y.max() == pytest.approx(2**16 / (2**16 - round(rate * 2**16)))


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16", "float64"])
def test_dtype_policies(policy):
    adjacency = tf.cast(ADJACENCY, keras.DTypePolicy(policy).compute_dtype)
    x = tf.constant(np.abs(X) * [[1], [0], [1], [1]])
    model = build_model(Architecture.default(2), 6, 2, dtype=policy, seed=0)
    logits = model((x, adjacency), training=True)
    assert logits.dtype == keras.DTypePolicy(policy).compute_dtype
    assert np.isfinite(tf.cast(logits, tf.float32)).all()


def test_dropout_is_random_by_call_repeatable_by_seed_and_off_in_inference():
    x = tf.ones([20, 20])
    first, again = (SparseDropout(0.5, seed=5) for _ in range(2))
    a, b = first(x, training=True), first(x, training=True)
    assert not np.array_equal(a, b)
    np.testing.assert_array_equal(a, again(x, training=True))
    np.testing.assert_array_equal(b, again(x, training=True))
    np.testing.assert_array_equal(first(x), x)
    np.testing.assert_array_equal(SparseDropout(0.0)(x, training=True), x)


@pytest.mark.parametrize(
    ("make", "culprit"),
    [
        (lambda: SparseDropout(1.0), "rate=1.0"),
        (lambda: SparseDropout(0.999999), "too close to 1"),
        (lambda: RowNormalize(0), "epsilon=0"),
        (lambda: GraphNorm(-1), "epsilon=-1"),
        (lambda: PsumOutput(0), "num_classes=0"),
        (lambda: PsumOutput(7).build((None, 6)), "at least one column for each"),
    ],
)
def test_bad_arguments_are_refused(make, culprit):
    with pytest.raises(ValueError, match=culprit):
        make()
