"""The baselines' layers against dense NumPy, and against their closed forms."""

import keras
import numpy as np
import pytest
import reference
import tensorflow as tf

from mixhop_tf import GroupLasso, MixHopLayer, normalized_adjacency
from mixhop_tf.layers import ChebyshevConvolution, GraphAttention, GraphConvolution
from mixhop_tf.ops.laplacian import rescaled_laplacian

N, S = 9, 6
RNG = np.random.default_rng(0)
EDGES = np.array([(u, v) for u, v in RNG.integers(N - 1, size=(14, 2)) if u != v])  # 8 is alone
X = RNG.standard_normal((N, S)).astype(np.float32)
X[2] = 0
ADJACENCY = normalized_adjacency(EDGES, N)
DENSE = reference.adjacency(EDGES, N)
LAPLACIAN = rescaled_laplacian(EDGES, N, 1.7)
DENSE_LAPLACIAN = reference.rescaled_laplacian(EDGES, N, 1.7)
FORMS = {"dense": tf.constant(X), "sparse": tf.sparse.from_dense(X)}


def weights_of_head(layer, k):
    kernel = np.split(layer.kernel.numpy(), layer.heads, axis=1)[k]
    return kernel, layer.own.numpy()[:, k], layer.neighbour.numpy()[:, k]


def randomize(layer, seed=5):
    rng = np.random.default_rng(seed)
    for variable in layer.trainable_variables:
        variable.assign(rng.standard_normal(variable.shape))
    return [variable.numpy() for variable in layer.trainable_variables]


@pytest.mark.parametrize("form", FORMS)
def test_a_graph_convolution_is_mixhop_with_power_one(form):
    layer = GraphConvolution(4, activation="tanh", use_bias=True)
    mixhop = MixHopLayer(powers=[1], dims=[4], activation="tanh", use_bias=True)
    inputs = FORMS[form], ADJACENCY
    layer(inputs), mixhop(inputs)
    kernel, bias = randomize(layer)
    mixhop.set_weights([kernel, bias])
    np.testing.assert_array_equal(layer(inputs), mixhop(inputs))
    np.testing.assert_allclose(layer(inputs), np.tanh(DENSE @ X @ kernel + bias), atol=1e-5)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("order", range(5))
@pytest.mark.parametrize("units", [3, 40])  # fewer and more than the input has
def test_chebyshev_equals_the_polynomials_written_out(form, order, units):
    layer = ChebyshevConvolution(units, order)
    inputs = FORMS[form], LAPLACIAN
    layer(inputs)
    kernels = randomize(layer)
    assert len(kernels) == order + 1
    assert layer.weights_first == (units == 3)
    expected = reference.chebyshev(X, DENSE_LAPLACIAN, kernels)
    np.testing.assert_allclose(layer(inputs), expected, atol=3e-4)
    np.testing.assert_allclose(tf.function(layer)(inputs), expected, atol=3e-4)


def test_chebyshev_of_order_one_is_its_closed_form():
    layer = ChebyshevConvolution(3, order=1, activation="relu")
    layer((X, LAPLACIAN))
    first, second = randomize(layer)
    expected = np.maximum(X @ first + DENSE_LAPLACIAN @ X @ second, 0)
    np.testing.assert_allclose(layer((tf.constant(X), LAPLACIAN)), expected, atol=1e-5)


def test_the_kernels_of_all_polynomials_differ_at_the_start():
    layer = ChebyshevConvolution(3, 2, kernel_initializer=keras.initializers.GlorotUniform(1))
    layer((X, LAPLACIAN))
    first, second, third = (kernel.numpy() for kernel in layer.kernels)
    assert not np.allclose(first, second)
    assert not np.allclose(second, third)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("heads", "concat"), [(1, True), (3, True), (3, False), (1, False)])
def test_attention_equals_the_dense_formula(form, heads, concat):
    layer = GraphAttention(4, heads, concat=concat, activation="tanh")
    inputs = FORMS[form], ADJACENCY
    layer(inputs)
    *_, bias = randomize(layer)
    outputs = []
    for k in range(heads):
        alpha, z = reference.attention(X, DENSE, *weights_of_head(layer, k))
        outputs.append(alpha @ z)
    expected = np.concatenate(outputs, axis=1) if concat else np.mean(outputs, axis=0)
    np.testing.assert_allclose(layer(inputs), np.tanh(expected + bias), atol=1e-5)
    np.testing.assert_allclose(tf.function(layer)(inputs), np.tanh(expected + bias), atol=1e-5)


def test_attention_sums_to_one_over_each_neighbourhood():
    layer = GraphAttention(4, heads=3)
    layer((X, ADJACENCY))
    randomize(layer)
    alpha = layer.attention((tf.constant(X), ADJACENCY)).numpy()
    assert alpha.shape == (ADJACENCY.indices.shape[0], 3)
    assert alpha.min() >= 0
    sums = np.zeros((N, 3))
    np.add.at(sums, ADJACENCY.indices[:, 0].numpy(), alpha)
    np.testing.assert_allclose(sums, 1, atol=1e-6)
    assert alpha.std() > 0.05  # attention differs between neighbours


def test_uniform_attention_is_the_mean_of_the_neighbours():
    layer = GraphAttention(4, heads=2, use_bias=False)
    layer((X, ADJACENCY))
    randomize(layer)
    for vectors in (layer.own, layer.neighbour):
        vectors.assign(tf.zeros_like(vectors))
    mask = (DENSE > 0) / (DENSE > 0).sum(axis=1, keepdims=True)
    expected = mask @ X @ layer.kernel.numpy()
    np.testing.assert_allclose(layer((tf.constant(X), ADJACENCY)), expected, atol=1e-5)


def test_scores_too_large_for_an_exponential_do_no_harm():
    layer = GraphAttention(4)
    layer((X, ADJACENCY))
    randomize(layer)
    assert np.all(np.isfinite(layer((tf.constant(1e4 * X), ADJACENCY))))


def test_a_node_without_any_neighbour_gets_the_bias_alone():
    adjacency = tf.SparseTensor([[0, 0], [0, 2], [2, 2]], [1.0, 1.0, 1.0], [4, 4])
    layer = GraphAttention(3)
    layer((tf.ones([4, 2]), adjacency))
    *_, bias = randomize(layer)
    y = layer((tf.ones([4, 2]), adjacency)).numpy()
    np.testing.assert_allclose(y[[1, 3]], [bias, bias])
    assert np.abs(y[[0, 2]] - bias).min() > 0.01


def test_kernels_and_vectors_are_drawn_with_the_fans_of_a_head():
    layer = GraphAttention(8, heads=8, kernel_initializer=keras.initializers.GlorotUniform(0))
    layer((tf.ones([N, 40]), ADJACENCY))
    for weight, fans in ((layer.kernel, 40 + 8), (layer.own, 8 + 1), (layer.neighbour, 8 + 1)):
        values = weight.numpy()
        limit = np.sqrt(6 / fans)
        assert 0.9 * limit < np.abs(values).max() <= limit
        assert len(np.unique(values)) == values.size  # no value repeats


def test_the_gradient_of_attention_is_that_of_the_dense_formula():
    layer = GraphAttention(2, heads=3, concat=False, activation="tanh")
    x, target = tf.constant(X), tf.constant(RNG.standard_normal((N, 2)), tf.float32)
    layer((x, ADJACENCY))
    randomize(layer)
    mask = tf.constant(np.where(DENSE > 0, 0.0, -1e9), tf.float32)

    def dense():
        means = []
        for k in range(3):
            z = x @ layer.kernel[:, 2 * k : 2 * k + 2]
            own, neighbour = layer.own[:, k : k + 1], layer.neighbour[:, k : k + 1]
            scores = z @ own + tf.transpose(z @ neighbour)
            means.append(tf.nn.softmax(tf.nn.leaky_relu(scores, 0.2) + mask) @ z)
        return tf.tanh(tf.add_n(means) / 3 + layer.bias)

    def gradients(outputs):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(target * outputs())
        return tape.gradient(loss, [x, *layer.trainable_variables])

    for found, expected in zip(
        gradients(lambda: layer((x, ADJACENCY))), gradients(dense), strict=True
    ):
        assert np.abs(expected).max() > 0.01
        np.testing.assert_allclose(found, expected, atol=1e-4)


def test_attention_is_dropped_in_training_only():
    layer = GraphAttention(4, attention_dropout=0.9, seed=1)
    inputs = tf.constant(X), ADJACENCY
    still = layer(inputs)
    np.testing.assert_array_equal(still, layer(inputs, training=False))
    assert np.abs(layer(inputs, training=True) - still).max() > 0.1


def test_what_attention_weighs_is_dropped_after_it_was_seen():
    """Each node has only itself as a neighbour, so its output is its values after dropout."""
    alone = normalized_adjacency(np.empty((0, 2), np.int64), len(X))
    layer = GraphAttention(40, value_dropout=0.75, use_bias=False, seed=1)
    still = layer((tf.constant(X), alone)).numpy()
    dropped = layer((tf.constant(X), alone), training=True).numpy()
    kept = dropped != 0
    assert 0.1 < kept.mean() < 0.4
    np.testing.assert_allclose(dropped[kept], 4 * still[kept], rtol=1e-5)


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (GraphConvolution, {"units": 3, "use_bias": True, "activation": "relu"}),
        (ChebyshevConvolution, {"units": 3, "order": 2, "kernel_regularizer": GroupLasso(l2=0.1)}),
        (ChebyshevConvolution, {"units": 8, "order": 1, "activation": "tanh"}),
        (GraphAttention, {"units": 3, "heads": 2, "value_dropout": 0.3, "seed": 2}),
        (GraphAttention, {"units": 3, "heads": 2, "concat": False, "negative_slope": 0.1}),
    ],
)
def test_every_layer_works_in_a_functional_model_and_survives_saving(kind, arguments, tmp_path):
    layer = kind(**arguments)
    x, adjacency = keras.Input((S,)), keras.Input((N,), sparse=True)
    y = layer((x, adjacency))
    model = keras.Model((x, adjacency), y)
    inputs = tf.constant(X), ADJACENCY
    expected = model(inputs)
    assert tuple(y.shape) == (None, expected.shape[1])
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(loaded(inputs), expected)
    assert loaded.get_layer(layer.name).get_config() == layer.get_config()


@pytest.mark.parametrize(
    "make",
    [
        lambda: ChebyshevConvolution(0),
        lambda: ChebyshevConvolution(2, order=-1),
        lambda: GraphAttention(0),
        lambda: GraphAttention(2, heads=0),
        lambda: GraphAttention(2, attention_dropout=1.0),
        lambda: GraphAttention(2, value_dropout=1.0),
    ],
)
def test_nonsense_is_refused(make):
    with pytest.raises(ValueError, match="Received"):
        make()
