"""Negative powers: those of the backward adjacency, with kernels of their own."""

import keras
import numpy as np
import pytest
import reference
import tensorflow as tf
from small_layers import as_sparse, kernels_of, random_adjacency

from mixhop_tf import MixHopLayer

POWERS_AND_DIMS = [
    ((-1,), (5,)),
    ((0, 1, 2, -1, -2), (2, 3, 1, 4, 2)),
    ((-2, 1, 0, -1), (3, 0, 2, 40)),
    ((-3, 2), (2, 2)),
]


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize(("powers", "dims"), POWERS_AND_DIMS)
@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("order", ["auto", "weights_first", "propagate_first"])
def test_layer_equals_dense_matrix_powers(rng, powers, dims, sparse, order):
    forward, backward = (random_adjacency(rng, 9, symmetric=False) for _ in range(2))
    x = rng.standard_normal((9, 6)) * (rng.random((9, 6)) < 0.5)
    layer = MixHopLayer(powers, dims, order=order)
    given = as_sparse(x) if sparse else tf.constant(x, tf.float32)
    y = layer((given, (as_sparse(forward), as_sparse(backward))))
    expected = reference.mixhop(x, forward, kernels_of(layer), backward)
    np.testing.assert_allclose(y, expected, atol=1e-5)


@pytest.mark.parametrize("order", ["weights_first", "propagate_first"])
def test_gradients_equal_finite_differences(rng, order):
    forward, backward = (random_adjacency(rng, 7, symmetric=False) for _ in range(2))
    x, target = rng.standard_normal((7, 4)), rng.standard_normal((7, 6))
    layer = MixHopLayer((0, 2, -1, -2), (1, 2, 2, 1), order=order, activation="tanh")
    dense = tf.constant(x, tf.float32)
    with tf.GradientTape() as tape:
        y = layer((dense, (as_sparse(forward), as_sparse(backward))))
        loss = tf.reduce_sum(y * target)
    kernels = kernels_of(layer)
    gradients = tape.gradient(loss, [kernel.value for kernel in layer.kernels])
    for power, gradient in zip(layer.live_powers, gradients, strict=True):
        for place in np.ndindex(kernels[power].shape):

            def value(step, power=power, place=place):
                moved = {each: kernel.astype(float) for each, kernel in kernels.items()}
                moved[power][place] += step
                return (np.tanh(reference.mixhop(x, forward, moved, backward)) * target).sum()

            expected = (value(1e-5) - value(-1e-5)) / 2e-5
            np.testing.assert_allclose(gradient[place], expected, rtol=1e-3, atol=1e-3)


def test_one_adjacency_is_not_enough(rng):
    layer = MixHopLayer((1, -1), (1, 1))
    with pytest.raises(ValueError, match=r"Negative powers need a pair of adjacencies"):
        layer((tf.ones([4, 2]), as_sparse(random_adjacency(rng, 4, symmetric=False))))


def test_a_pair_with_the_same_adjacency_twice_is_the_undirected_layer(rng):
    a = as_sparse(random_adjacency(rng, 6, symmetric=True))
    x = tf.constant(rng.standard_normal((6, 3)), tf.float32)
    plain, both = MixHopLayer((1, 2), (2, 3)), MixHopLayer((-1, 2), (2, 3))
    for layer in (plain, both):
        layer.build([(None, 3), (None, None)])
    both.set_weights(plain.get_weights())
    np.testing.assert_allclose(plain((x, a)), both((x, (a, a))), atol=1e-6)


def test_the_configuration_brings_the_layer_back():
    layer = MixHopLayer((0, -1), (2, 3))
    copy = MixHopLayer.from_config(keras.saving.serialize_keras_object(layer)["config"])
    assert (copy.powers, copy.dims) == ((0, -1), (2, 3))
