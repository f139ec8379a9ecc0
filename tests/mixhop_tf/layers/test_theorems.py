"""The paper's theorems, as tests."""

import numpy as np
import pytest
import reference
import tensorflow as tf

from mixhop_tf import MixHopLayer

ACTIVATIONS = {
    "linear": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}


def random_graph(rng, num_nodes=8):
    edges = rng.integers(0, num_nodes, (2 * num_nodes, 2))
    return reference.adjacency([(u, v) for u, v in edges if u != v], num_nodes)


def as_sparse(dense):
    return tf.sparse.from_dense(tf.constant(dense, tf.float32))


def two_layers(powers, activation, width):
    return (
        MixHopLayer(powers, [width] * len(powers), activation=activation),
        MixHopLayer(powers, [width] * len(powers)),
    )


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("seed", range(3))
def test_with_the_papers_weights_two_layers_are_the_two_hop_delta_operator(activation, seed):
    rng = np.random.default_rng(seed)
    a, x = random_graph(rng), rng.standard_normal((8, 3))
    inputs = tf.constant(x, tf.float32), as_sparse(a)
    first, second = two_layers((0, 1, 2), activation, 3)
    first(inputs)
    eye, zero = np.eye(3), np.zeros((3, 3))
    for kernel, value in zip(first.kernels, (zero, eye, eye), strict=True):
        kernel.assign(value)
    h = first(inputs)
    second((h, inputs[1]))
    delta = np.concatenate([zero, eye, -eye])
    for kernel, value in zip(second.kernels, (delta, 0 * delta, 0 * delta), strict=True):
        kernel.assign(value)
    sigma = ACTIVATIONS[activation]
    expected = sigma(a @ x) - sigma(a @ a @ x)
    output = second((h, inputs[1])).numpy()
    np.testing.assert_allclose(output[:, :3], expected, atol=1e-5)
    np.testing.assert_allclose(output[:, 3:], 0, atol=1e-6)
    assert np.abs(expected).max() > 0.01


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_with_the_papers_weights_two_layers_mix_any_neighbourhoods(activation):
    rng = np.random.default_rng(5)
    a, x, alpha = random_graph(rng), rng.standard_normal((8, 3)), rng.standard_normal(5)
    inputs = tf.constant(x, tf.float32), as_sparse(a)
    first, second = two_layers(range(5), activation, 3)
    first(inputs)
    for kernel in first.kernels:
        kernel.assign(np.eye(3))
    h = first(inputs)
    second((h, inputs[1]))
    second.kernels[0].assign(np.concatenate([value * np.eye(3) for value in alpha]))
    sigma = ACTIVATIONS[activation]
    expected = sum(value * sigma(np.linalg.matrix_power(a, j) @ x) for j, value in enumerate(alpha))
    np.testing.assert_allclose(second((h, inputs[1]))[:, :3], expected, atol=1e-5)
