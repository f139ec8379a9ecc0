"""The layer that standardises columns."""

import keras
import numpy as np
import pytest
import scipy.sparse as sp
import tensorflow as tf

import mixhop_tf as m

RNG = np.random.default_rng(0)
FEATURES = (RNG.standard_normal((20, 4)) * [1, 1e3, 1e-3, 0] + [0, 5e4, 1, 7]).astype("float32")


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_columns_get_mean_zero_and_deviation_one(form):
    layer = m.Standardize(4)
    layer.adapt(form(FEATURES))
    scaled = layer(FEATURES).numpy()
    np.testing.assert_allclose(scaled.mean(axis=0), 0, atol=1e-2)
    np.testing.assert_allclose(scaled.std(axis=0), [1, 1, 1, 0], atol=1e-2)
    sparse = m.sparse_tensor(sp.csr_array(FEATURES))
    np.testing.assert_allclose(layer(sparse), scaled, atol=1e-6)


def test_a_constant_column_stays_finite_where_it_changes():
    layer = m.Standardize(1)
    layer.adapt(np.full((3, 1), 7.0))
    np.testing.assert_allclose(layer(np.array([[7.0], [9.0]])), [[0], [2]])


def test_a_column_too_small_for_single_precision_counts_as_constant():
    layer = m.Standardize(1)
    layer.adapt(np.array([[1e-60], [3e-60]]))
    assert layer.deviation.numpy().tolist() == [1.0]
    np.testing.assert_allclose(layer(np.array([[1.0]])), [[1.0]])


def test_the_weights_are_mean_and_deviation():
    layer = m.Standardize(4)
    assert [(weight.name, weight.shape) for weight in layer.weights] == [
        ("mean", (4,)),
        ("deviation", (4,)),
    ]
    assert not layer.trainable_weights


@pytest.mark.parametrize("form", [tf.constant, tf.sparse.from_dense], ids=["dense", "sparse"])
def test_without_statistics_the_layer_refuses(form):
    layer = m.Standardize(4)
    with pytest.raises(ValueError, match="has no statistics of the features yet; call `adapt`"):
        layer(form(FEATURES))


def test_a_function_is_refused_when_it_is_traced_and_not_after_adapt():
    layer = m.Standardize(4)
    compiled = tf.function(layer)
    with pytest.raises(ValueError, match="call `adapt`"):
        compiled(tf.constant(FEATURES))
    with pytest.raises(ValueError, match="call `adapt`"):
        tf.function(layer).get_concrete_function(tf.TensorSpec([None, 4]))
    layer.adapt(FEATURES)
    np.testing.assert_allclose(compiled(tf.constant(FEATURES)), layer(FEATURES), atol=1e-6)


def test_statistics_may_come_from_another_layer():
    adapted, other = m.Standardize(4), m.Standardize(4)
    adapted.adapt(FEATURES)
    other.set_weights(adapted.get_weights())
    np.testing.assert_array_equal(other(FEATURES), adapted(FEATURES))


def test_a_keras_file_holds_the_statistics_or_their_absence(tmp_path):
    layer = m.Standardize(4)
    x = keras.Input((4,))
    model = keras.Model(x, layer(x))  # symbolic inputs need no statistics
    model.save(tmp_path / "empty.keras")
    with pytest.raises(ValueError, match="call `adapt`"):
        keras.saving.load_model(tmp_path / "empty.keras")(FEATURES)
    layer.adapt(FEATURES)
    model.save(tmp_path / "full.keras")
    loaded = keras.saving.load_model(tmp_path / "full.keras")
    np.testing.assert_array_equal(loaded(FEATURES), layer(FEATURES))
    np.testing.assert_array_equal(loaded.predict(FEATURES, verbose=0), model(FEATURES))
