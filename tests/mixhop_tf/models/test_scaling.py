"""Features of any scale: models that standardise them."""

import keras
import numpy as np
import pytest
import tensorflow as tf

import mixhop_tf as m
from mixhop_tf.baselines import GAT, GCN, MLP, NGCN, Chebyshev
from mixhop_tf.models.weights import load_weights, weights_of

RNG = np.random.default_rng(0)
FEATURES = (RNG.standard_normal((20, 4)) * [1, 1e3, 1e-3, 0] + [0, 5e4, 1, 7]).astype("float32")
EDGES = RNG.integers(20, size=(40, 2))
MODELS = [
    m.Architecture.default(3, hidden_dims=[6]),
    *(kind(hidden_width=8) for kind in (MLP, GCN, Chebyshev, GAT)),
    NGCN(hidden_width=2),
]
each_model = pytest.mark.parametrize("architecture", MODELS, ids=lambda each: type(each).__name__)


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


def unadapted(architecture):
    model = m.build_model(architecture, 4, 3, scaling="standardize", seed=0)
    return model, (tf.constant(FEATURES), model.operator(EDGES, 20))


def adapted(architecture):
    model, inputs = unadapted(architecture)
    model.adapt(FEATURES)
    return model, inputs


@each_model
def test_a_model_that_has_not_adapted_refuses_in_every_way(architecture, tmp_path):
    model, inputs = unadapted(architecture)
    labels = np.zeros(20, np.int64)
    data = tf.data.Dataset.from_tensors((inputs, labels))
    model.compile(loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    for attempt in (
        lambda: model(inputs),
        lambda: model(inputs, training=True),
        lambda: model.normalize(FEATURES),
        lambda: tf.function(model)(inputs),
        lambda: model.fit(data, shuffle=False, verbose=0),
        lambda: model.evaluate(data, verbose=0),
        lambda: model.predict(data, verbose=0),
        lambda: m.export_saved_model(model, tmp_path / "served", inputs),
    ):
        with pytest.raises(ValueError, match="call `adapt`"):
            attempt()
    assert not list(tmp_path.iterdir())
    model.adapt(FEATURES)
    assert np.isfinite(model(inputs)).all()
    model.fit(data, shuffle=False, verbose=0)


@each_model
def test_statistics_come_with_weights(architecture):
    model, inputs = adapted(architecture)
    by_order, by_name = unadapted(architecture)[0], unadapted(architecture)[0]
    by_order.set_weights(model.get_weights())
    load_weights(by_name, weights_of(model))
    for other in (by_order, by_name):
        np.testing.assert_array_equal(other(inputs), model(inputs))


@each_model
@pytest.mark.parametrize("called", [False, True], ids=["fresh", "called"])
def test_an_adapted_model_comes_back_from_a_keras_file(architecture, called, tmp_path):
    model, inputs = adapted(architecture)
    if called:
        model(inputs)
        tf.function(model)(inputs)
    model.save(tmp_path / "model.keras")
    loaded = m.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(loaded(inputs), model(inputs))
    np.testing.assert_allclose(tf.function(loaded)(inputs), model(inputs), rtol=1e-4, atol=1e-5)


@each_model
def test_a_frozen_copy_has_the_statistics(architecture, tmp_path):
    model, inputs = adapted(architecture)
    frozen = m.freeze_statistics(model, inputs)
    np.testing.assert_allclose(frozen(inputs), model(inputs), rtol=1e-4, atol=1e-5)
    frozen.save(tmp_path / "frozen.keras")
    again = m.freeze_statistics(m.load_model(tmp_path / "frozen.keras"), inputs)
    np.testing.assert_array_equal(again(inputs), frozen(inputs))


def test_features_that_are_scaled_already_need_no_statistics():
    model, (_, operator) = unadapted(MODELS[0])
    ready, _ = adapted(MODELS[0])
    scaled = ready.normalize(FEATURES), operator
    np.testing.assert_array_equal(model(scaled, normalized=True), ready(scaled, normalized=True))


def test_the_weights_of_a_standardising_model_keep_their_names_and_order():
    model, _ = unadapted(m.Architecture.from_notation("1:3", num_classes=3, hidden_dims=[]))
    names = [weight.path for weight in model.weights]
    assert names == [
        "standardize/mean",
        "standardize/deviation",
        "mixhop_0/kernel_1",
        "psum/q",
    ]
