import keras
import numpy as np
import pytest
import reference
import tensorflow as tf
from small_models import THREE_LAYERS

import mixhop_tf as m

RNG = np.random.default_rng(0)
EDGES = RNG.integers(0, 30, (60, 2))
FEATURES = (RNG.random((30, 8)) < 0.4).astype(np.float32)
LABELS = RNG.integers(0, 3, 30)


@pytest.fixture
def inputs():
    return tf.sparse.from_dense(FEATURES), m.normalized_adjacency(EDGES, 30)


@pytest.fixture(params=["psum", "dense"])
def architecture(request):
    if request.param == "psum":
        return m.Architecture.from_notation("0:4:0,1:2:3,2:3:6", hidden_dims=[9], num_classes=3)
    return THREE_LAYERS


def test_model_equals_the_reference_written_out(inputs):
    architecture = m.Architecture.from_notation("0:4:0,1:2:3,2:3:6", hidden_dims=[9], num_classes=3)
    model = m.build_model(architecture, 8, 3, seed=1)
    model.get_layer("norm_0").beta.assign(np.linspace(-1, 1, 9))
    model.get_layer("psum").q.assign([0.1, -0.3, 0.7])
    a = reference.adjacency(EDGES, 30)
    first, second = (
        [np.array(kernel) for kernel in model.get_layer(f"mixhop_{i}").kernels] for i in (0, 1)
    )
    h = reference.mixhop(
        reference.row_normalize(FEATURES), a, dict(zip((0, 1, 2), first, strict=True))
    )
    h = np.maximum(reference.graph_norm(h, np.linspace(-1, 1, 9)), 0)
    h = reference.mixhop(h, a, dict(zip((1, 2), second, strict=True)))
    np.testing.assert_allclose(
        model(inputs), reference.psum(h, np.array([0.1, -0.3, 0.7]), 3), atol=1e-5
    )


def test_rows_that_have_unit_length_need_no_scaling_in_inference(inputs, architecture):
    features, adjacency = inputs
    unit = m.RowNormalize()(features)
    model = m.build_model(architecture, 8, 3, seed=1)
    expected = model(inputs)
    np.testing.assert_allclose(model((unit, adjacency), normalized=True), expected, atol=1e-5)
    assert np.abs(model(inputs, normalized=True) - expected).max() > 1e-3
    first, again = (m.build_model(architecture, 8, 3, seed=1) for _ in range(2))
    np.testing.assert_allclose(
        first((unit, adjacency), training=True, normalized=True),
        again(inputs, training=True),
        atol=1e-5,
    )


def test_keras_file_brings_the_model_back(inputs, architecture, tmp_path):
    model = m.build_model(architecture, 8, 3, kernel_regularizer=m.GroupLasso(0.1, 0.2), seed=4)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(loaded(inputs), model(inputs))
    assert loaded.architecture == architecture
    assert loaded.get_config() == model.get_config()
    assert float(sum(loaded.losses)) == pytest.approx(float(sum(model.losses)))


def test_seed_decides_weights_and_dropout(inputs, architecture):
    first, again, other = (m.build_model(architecture, 8, 3, seed=seed) for seed in (1, 1, 2))
    for _ in range(2):
        np.testing.assert_array_equal(first(inputs, training=True), again(inputs, training=True))
    assert not np.allclose(first(inputs), other(inputs))
    assert not np.allclose(first(inputs, training=True), first(inputs, training=True))


def test_fit_on_a_data_set_of_one_graph(inputs, architecture):
    model = m.build_model(architecture, 8, 3, seed=0)
    weights = np.zeros(30, np.float32)
    weights[:15] = 1
    dataset = tf.data.Dataset.from_tensors((inputs, LABELS, weights))
    loss = keras.losses.SparseCategoricalCrossentropy(
        from_logits=True, reduction="mean_with_sample_weight"
    )
    optimizer = keras.optimizers.SGD(m.LinearDecrement(0.5, every=5))
    model.compile(optimizer, loss, weighted_metrics=["accuracy"])
    history = model.fit(dataset, epochs=60, verbose=0, shuffle=False)
    assert np.mean(history.history["loss"][-10:]) < np.mean(history.history["loss"][:10])
    evaluated = model.evaluate(dataset, verbose=0, return_dict=True)
    logits = model(inputs).numpy()
    expected = reference.cross_entropy(logits[:15], LABELS[:15]) + float(sum(model.losses))
    assert evaluated["loss"] == pytest.approx(expected, rel=1e-4)
    np.testing.assert_allclose(model.predict(dataset, verbose=0), logits, atol=1e-5)


def test_training_in_a_loop_of_ones_own_fits_the_labels(inputs):
    model = m.build_model(
        m.Architecture.default(3, input_dropout=0.0, hidden_dropout=0.0), 8, 3, seed=0
    )
    optimizer = keras.optimizers.Adam(0.05)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(LABELS, model(inputs, training=True))
            )
        variables = model.trainable_variables
        optimizer.apply(tape.gradient(loss, variables), variables)
        return loss

    losses = [float(step()) for _ in range(150)]
    assert losses[-1] < 0.3 * losses[0]


def test_shared_first_kernel(inputs):
    model = m.build_model(m.Architecture.default(3), 8, 3, shared_first_kernel=True)
    assert len(model.get_layer("mixhop_0").kernels) == 1
    assert model(inputs).shape == (30, 3)


def test_frozen_copy_agrees_on_its_graph_and_no_longer_depends_on_company(inputs, tmp_path):
    model = m.build_model(m.Architecture.default(3), 8, 3, seed=0)
    frozen = m.freeze_statistics(model, inputs)
    np.testing.assert_allclose(frozen(inputs), model(inputs), atol=1e-5)
    # Nodes far away change the statistics of a graph, but not a frozen model's answers.
    more = np.concatenate([FEATURES, np.ones((50, 8), np.float32)])
    bigger = tf.constant(more), m.normalized_adjacency(EDGES, 80)
    np.testing.assert_allclose(frozen(bigger)[:30], frozen(inputs), atol=1e-5)
    assert np.abs(model(bigger)[:30] - model(inputs)).max() > 1e-3
    frozen.save(tmp_path / "frozen.keras")
    loaded = keras.saving.load_model(tmp_path / "frozen.keras")
    np.testing.assert_allclose(loaded(bigger), frozen(bigger), atol=1e-6)


def test_the_batch_norms_are_those_of_the_architecture():
    assert [norm.name for norm in m.build_model(THREE_LAYERS, 8, 3).norms] == ["norm_0", "norm_2"]


def test_config_holds_every_argument(architecture):
    arguments = {
        "num_features": 8,
        "num_classes": 3,
        "scaling": "none",
        "shared_first_kernel": False,
        "frozen": True,
        "seed": 5,
    }
    model = m.build_model(architecture, kernel_regularizer=m.GroupLasso(0.1, 0.2), **arguments)
    again = m.MixHopModel.from_config(model.get_config())
    assert arguments.items() <= again.get_config().items()
    assert again.architecture == architecture
    kernels = [weight for weight in again.trainable_weights if "kernel" in weight.name]
    assert all(kernel.regularizer is not None for kernel in kernels)
    shared = m.build_model(m.Architecture.default(3), 8, 3, shared_first_kernel=True)
    assert m.MixHopModel.from_config(shared.get_config()).shared_first_kernel


def test_dropout_before_a_dense_output(inputs):
    spec = m.LayerSpec(powers=(0,), dims=(4,))
    architecture = m.Architecture(layers=(spec,), output="dense", output_dropout=0.5)
    model = m.build_model(architecture, 8, 3, seed=0)
    assert not np.allclose(model(inputs, training=True), model(inputs))


def test_integer_and_boolean_features(inputs):
    model = m.build_model(m.Architecture.default(3), 8, 3, seed=0)
    expected = model(inputs)
    for features in (FEATURES.astype(int), FEATURES.astype(bool)):
        given = tf.constant(features), inputs[1]
        np.testing.assert_allclose(model(given), expected, atol=1e-5)
        np.testing.assert_allclose(m.freeze_statistics(model, given)(given), expected, atol=1e-5)
    frozen = m.freeze_statistics(model, (FEATURES, inputs[1]))
    np.testing.assert_allclose(frozen(inputs), expected, atol=1e-5)


@pytest.mark.parametrize("method", ["fit", "evaluate", "predict"])
def test_arrays_that_keras_would_cut_and_shuffle_are_refused(inputs, method):
    model = m.build_model(m.Architecture.default(3), 8, 3)
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="A graph must stay whole"):
        getattr(model, method)(inputs, LABELS)


def test_too_narrow_an_output_is_refused():
    with pytest.raises(ValueError, match="a column for each of the 9 classes"):
        m.build_model(m.Architecture.default(2), 8, 9)


def test_summary_and_parameters():
    model = m.build_model(m.Architecture.default(3), 8, 3)
    lines = []
    model.summary(print_fn=lines.append)
    assert "mixhop_0" in "\n".join(lines)
