import itertools

import keras
import numpy as np
import pytest
import reference
import tensorflow as tf
from small_layers import as_sparse, kernels_of, random_adjacency

from mixhop_tf import GroupLasso, MixHopLayer

POWERS_AND_DIMS = [
    ((1,), (5,)),
    ((0,), (4,)),
    ((0, 1, 2), (4, 3, 2)),
    ((0, 1, 2), (0, 3, 2)),
    ((0, 1, 2), (5, 0, 0)),
    ((0, 3), (2, 2)),
    ((2, 0, 5), (1, 2, 3)),
    ((0, 1, 2), (40, 70, 33)),
    ((1, 2), (31, 32)),
]


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize(("powers", "dims"), POWERS_AND_DIMS)
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("order", ["auto", "weights_first", "propagate_first"])
def test_layer_equals_dense_matrix_powers(rng, powers, dims, symmetric, sparse, order):
    a = random_adjacency(rng, 9, symmetric)
    x = rng.standard_normal((9, 6)) * (rng.random((9, 6)) < 0.5)
    layer = MixHopLayer(powers, dims, order=order)
    y = layer((as_sparse(x) if sparse else tf.constant(x, tf.float32), as_sparse(a)))
    np.testing.assert_allclose(y, reference.mixhop(x, a, kernels_of(layer)), atol=1e-5)
    assert y.shape == (9, sum(dims))


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("order", ["weights_first", "propagate_first"])
@pytest.mark.parametrize("sparse", [True, False])
def test_gradients_equal_finite_differences(rng, symmetric, order, sparse):
    a = random_adjacency(rng, 7, symmetric)
    x = rng.standard_normal((7, 4))
    target = rng.standard_normal((7, 7))
    layer = MixHopLayer((0, 1, 2), (2, 3, 2), order=order, activation="tanh")
    dense = tf.constant(x, tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(dense)
        y = layer((tf.sparse.from_dense(dense) if sparse else dense, as_sparse(a)))
        loss = tf.reduce_sum(y * target)
    kernels = kernels_of(layer)
    variables = [kernel.value for kernel in layer.kernels]
    gradients = tape.gradient(loss, [*variables, dense])

    def value(x, kernels):
        return (np.tanh(reference.mixhop(x, a, kernels)) * target).sum()

    for (power, kernel), gradient in zip(kernels.items(), gradients, strict=False):
        np.testing.assert_allclose(
            gradient,
            finite_differences(lambda k, p=power: value(x, kernels | {p: k}), kernel),
            atol=1e-3,
        )
    if not sparse:
        expected = finite_differences(lambda given: value(given, kernels), x)
        np.testing.assert_allclose(gradients[-1], expected, atol=1e-3)


def finite_differences(function, at, step=1e-5):
    at = np.asarray(at, np.float64)
    result = np.zeros_like(at)
    for index in np.ndindex(at.shape):
        moved = at.copy()
        moved[index] += step
        above = function(moved)
        moved[index] -= 2 * step
        result[index] = (above - function(moved)) / (2 * step)
    return result


def test_gradient_for_the_adjacency_is_there_for_who_asks(rng):
    a = as_sparse(random_adjacency(rng, 5, symmetric=False))
    values = a.values
    layer = MixHopLayer((1, 2), (2, 2))
    with tf.GradientTape() as tape:
        tape.watch(values)
        loss = tf.reduce_sum(layer((tf.ones([5, 3]), a.with_values(values))))
    assert np.abs(tape.gradient(loss, values)).sum() > 0


def test_power_one_is_exactly_the_vanilla_gcn(rng):
    a, x = random_adjacency(rng, 6, symmetric=True), rng.standard_normal((6, 3))
    layer = MixHopLayer([1], [4], activation="relu")
    y = layer((tf.constant(x, tf.float32), as_sparse(a)))
    (kernel,) = layer.kernels
    np.testing.assert_allclose(y, np.maximum(a @ x @ np.array(kernel), 0), atol=1e-5)


def test_weights_are_one_a_live_power_in_the_order_given():
    layer = MixHopLayer((2, 0, 1), (3, 0, 4))
    layer.build([(None, 5), (None, None)])
    assert [weight.name for weight in layer.weights] == ["kernel_2", "kernel_1"]
    assert [tuple(weight.shape) for weight in layer.weights] == [(5, 3), (5, 4)]


@pytest.mark.parametrize("seed", [None, 7])
def test_each_power_draws_its_own_glorot_kernel(seed):
    initializer = keras.initializers.GlorotUniform(seed)
    layer = MixHopLayer((0, 1, 2), (500, 500, 20), kernel_initializer=initializer)
    layer.build([(None, 100), (None, None)])
    first, second, narrow = (np.array(kernel) for kernel in layer.kernels)
    assert not np.allclose(first, second)
    for kernel in (first, second, narrow):
        limit = np.sqrt(6 / sum(kernel.shape))
        assert 0.95 * limit < np.abs(kernel).max() < 1.0001 * limit
    if seed is not None:
        again = MixHopLayer((0, 1, 2), (500, 500, 20), kernel_initializer=initializer)
        again.build([(None, 100), (None, None)])
        np.testing.assert_array_equal(again.kernels[1], second)


def test_initializers_that_look_after_themselves_are_left_alone():
    generator = keras.initializers.GlorotUniform(keras.random.SeedGenerator(1))
    layer = MixHopLayer((0, 1), (4, 4), kernel_initializer=generator)
    layer.build([(None, 3), (None, None)])
    assert not np.allclose(layer.kernels[0], layer.kernels[1])
    constant = MixHopLayer((0, 1), (4, 4), kernel_initializer=keras.initializers.Constant(3.0))
    constant.build([(None, 3), (None, None)])
    np.testing.assert_array_equal(constant.kernels[1], np.full((3, 4), 3.0))


def test_config_holds_every_argument():
    arguments = {
        "powers": (2, 0),
        "dims": (3, 3),
        "use_bias": True,
        "shared_kernel": True,
        "normalize_rows": True,
        "order": "propagate_first",
    }
    layer = MixHopLayer(
        **arguments,
        activation="tanh",
        kernel_initializer="ones",
        kernel_regularizer="l2",
        kernel_constraint="non_neg",
        bias_initializer="ones",
        bias_regularizer="l1",
        bias_constraint="unit_norm",
    )
    again = MixHopLayer.from_config(layer.get_config())
    assert again.get_config() == layer.get_config()
    assert arguments.items() <= again.get_config().items()
    again.build([(None, 4), (None, None)])
    assert len(again.losses) == 2
    assert not again.supports_jit


@pytest.mark.parametrize("order", ["weights_first", "propagate_first"])
def test_sparse_input_in_any_order(rng, order):
    a, x = as_sparse(random_adjacency(rng, 6, symmetric=True)), rng.standard_normal((6, 3))
    sorted_x = as_sparse(x)
    mixed = rng.permutation(len(sorted_x.values))
    shuffled = tf.SparseTensor(
        tf.gather(sorted_x.indices, mixed), tf.gather(sorted_x.values, mixed), [6, 3]
    )
    layer = MixHopLayer((0, 1), (2, 2), order=order)
    np.testing.assert_allclose(layer((shuffled, a)), layer((sorted_x, a)), atol=1e-6)


@pytest.mark.parametrize("order", ["weights_first", "propagate_first"])
def test_shared_kernel(rng, order):
    a, x = random_adjacency(rng, 6, symmetric=False), rng.standard_normal((6, 3))
    layer = MixHopLayer((0, 1, 3), (4, 4, 4), shared_kernel=True, order=order)
    y = layer((tf.constant(x, tf.float32), as_sparse(a)))
    (kernel,) = layer.weights
    expected = reference.mixhop(x, a, dict.fromkeys((0, 1, 3), np.array(kernel)))
    np.testing.assert_allclose(y, expected, atol=1e-5)


def test_bias_activation_regularizer_constraint(rng):
    a, x = random_adjacency(rng, 6, symmetric=True), rng.standard_normal((6, 3))
    layer = MixHopLayer(
        (0, 1),
        (2, 2),
        use_bias=True,
        bias_initializer="ones",
        activation="relu",
        kernel_regularizer=GroupLasso(lasso=0.5, l2=0.25),
        kernel_constraint="non_neg",
    )
    y = layer((tf.constant(x, tf.float32), as_sparse(a)))
    kernels = kernels_of(layer)
    np.testing.assert_allclose(y, np.maximum(reference.mixhop(x, a, kernels) + 1, 0), atol=1e-5)
    expected = sum(reference.group_lasso(kernel, 0.5, 0.25) for kernel in kernels.values())
    assert float(sum(layer.losses)) == pytest.approx(expected, rel=1e-5)
    assert layer.kernels[0].constraint is not None


@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("order", ["weights_first", "propagate_first"])
def test_normalized_rows(rng, sparse, order):
    a, x = random_adjacency(rng, 6, symmetric=True), rng.standard_normal((6, 3))
    x[2] = 0
    layer = MixHopLayer((0, 1), (2, 2), normalize_rows=True, order=order)
    y = layer((as_sparse(x) if sparse else tf.constant(x, tf.float32), as_sparse(a)))
    expected = reference.mixhop(reference.row_normalize(x), a, kernels_of(layer))
    np.testing.assert_allclose(y, expected, atol=1e-5)


def test_the_cheaper_order_is_taken():
    def weights_first(num_inputs, dims, **options):
        layer = MixHopLayer((0, 1, 2), dims, **options)
        layer.build([(None, num_inputs), (None, None)])
        return layer.weights_first

    assert weights_first(1433, (20, 20, 20))
    assert not weights_first(2, (20, 20, 20))
    assert weights_first(31, (99, 20, 20))
    assert not weights_first(29, (99, 20, 20))
    assert not weights_first(19, (20, 20, 0))
    assert weights_first(20, (20, 20, 0))
    assert not weights_first(19, (20, 20, 20), shared_kernel=True)
    assert weights_first(21, (20, 20, 20), shared_kernel=True)


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ({"powers": (0, 0), "dims": (1, 1)}, "distinct"),
        ({"powers": (1, -1, 1), "dims": (1, 1, 1)}, "distinct"),
        ({"powers": (-101,), "dims": (1,)}, "at most 100 in magnitude"),
        ({"powers": (), "dims": ()}, "distinct"),
        ({"powers": (0, 1), "dims": (1,)}, "one width for each power"),
        ({"powers": (0, 1), "dims": (0, 0)}, "at least one positive"),
        ({"powers": (0, 1), "dims": (1, -1)}, "must be 0 or more"),
        ({"powers": (0, 1), "dims": (1, 2), "shared_kernel": True}, "equal widths"),
        ({"powers": (0,), "dims": (1,), "order": "fast"}, "`order` must be one of"),
    ],
)
def test_bad_arguments_are_refused(arguments, culprit):
    with pytest.raises(ValueError, match=culprit):
        MixHopLayer(**arguments)


def test_unknown_width_is_refused():
    with pytest.raises(ValueError, match="last axis of `x` must be known"):
        MixHopLayer((0,), (1,)).build([(None, None), (None, None)])


def test_no_product_is_wider_than_the_fast_path():
    """Bundles have at most 31 columns, forward and backward."""
    layer = MixHopLayer((0, 1, 2), (60, 40, 70))
    adjacency = tf.sparse.eye(5)

    @tf.function
    def gradients(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer((tf.sparse.from_dense(x), adjacency)) ** 2)
        return tape.gradient(loss, [kernel.value for kernel in layer.kernels])

    graph = gradients.get_concrete_function(tf.TensorSpec([5, 600])).graph
    products = [op for op in graph.get_operations() if op.type == "SparseTensorDenseMatMul"]
    assert len(products) > 10
    assert max(op.outputs[0].shape[1] for op in products) <= 31
    both = itertools.groupby(sorted(op.get_attr("adjoint_a") for op in products))
    assert [key for key, _ in both] == [False, True]
