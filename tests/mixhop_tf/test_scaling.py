"""Features of any scale: the layer that standardises, and models that have it."""

import keras
import numpy as np
import pytest
import scipy.sparse as sp
import tensorflow as tf

import mixhop_tf as m
from mixhop_tf.baselines import GAT, GCN, MLP, NGCN, Chebyshev

RNG = np.random.default_rng(0)
FEATURES = (RNG.standard_normal((20, 4)) * [1, 1e3, 1e-3, 0] + [0, 5e4, 1, 7]).astype("float32")
EDGES = RNG.integers(20, size=(40, 2))
MODELS = [
    m.Architecture.default(3, hidden_dims=[6]),
    *(kind(hidden_width=8) for kind in (MLP, GCN, Chebyshev, GAT)),
    NGCN(hidden_width=2),
]
each_model = pytest.mark.parametrize("architecture", MODELS, ids=lambda each: type(each).__name__)


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


@each_model
def test_a_standardising_model_does_not_mind_the_units(architecture):
    """Metres or kilometres, Celsius or Fahrenheit: the same logits."""
    logits = []
    for features in (FEATURES, FEATURES * np.float32(4.0) + np.float32(3.0)):
        model = m.build_model(architecture, 4, 3, scaling="standardize", seed=0)
        model.adapt(features)
        inputs = tf.constant(features), model.operator(EDGES, 20)
        logits.append(model(inputs).numpy())
        ready = model.normalize(features), inputs[1]
        np.testing.assert_allclose(model(ready, normalized=True), logits[-1], atol=1e-5)
    np.testing.assert_allclose(*logits, atol=1e-2)


@each_model
@pytest.mark.parametrize("scaling", ["standardize", "none"])
def test_the_scaling_travels_with_the_model(architecture, scaling, tmp_path):
    model = m.build_model(architecture, 4, 3, scaling=scaling, seed=0)
    model.adapt(FEATURES)
    inputs = tf.constant(FEATURES), model.operator(EDGES, 20)
    expected = model(inputs).numpy()
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_allclose(loaded(inputs), expected, rtol=1e-5, atol=1e-5)
    served = m.load_saved_model(m.export_saved_model(model, tmp_path / "served", inputs))
    answer = served.predict(FEATURES, EDGES)["logits"]
    np.testing.assert_allclose(answer, expected, rtol=1e-4, atol=1e-4)


def test_an_unknown_scaling_is_refused():
    with pytest.raises(ValueError, match="`scaling` must be one of"):
        m.build_model(MODELS[0], 4, 3, scaling="minmax")
