import numpy as np
import pytest
import reference
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf import Architecture, build_model, normalized_adjacency, sparse_tensor
from mixhop_tf.models.weights import weights_of
from mixhop_tf.pruning.shrink import unit_norms
from mixhop_tf.training.lasso import ProximalLasso, power_scales

NUM_CLASSES = 3
ARCHITECTURE = Architecture.from_notation(
    "0:4:6,1:3:3,2:2:6", num_classes=NUM_CLASSES, hidden_dims=[9]
)


@pytest.fixture
def model():
    return build_model(ARCHITECTURE, 40, NUM_CLASSES, seed=0)


@pytest.fixture
def graph():
    rng = np.random.default_rng(0)
    edges = rng.integers(60, size=(150, 2))
    edges = edges[edges[:, 0] != edges[:, 1]]
    features = rng.random((60, 40)) * (rng.random((60, 40)) < 0.3)
    return features.astype("float32"), edges


def test_a_step_shrinks_every_unit_by_its_share_and_no_further_than_zero(model):
    before = weights_of(model)
    scales = [{0: 1.0, 1: 0.5, 2: 0.25}, {0: 1.0, 1: 0.8, 2: 0.6}]
    rate, coefficient = 0.5, 2.6
    tf.function(ProximalLasso(model, coefficient, scales).apply)(tf.constant(rate))
    after = weights_of(model)
    norms, left = (unit_norms(ARCHITECTURE, each, NUM_CLASSES) for each in (before, after))
    num_dead = 0
    for i, size in enumerate((1, NUM_CLASSES)):
        for power in (0, 1, 2):
            threshold = rate * coefficient * scales[i][power] * np.sqrt(size)
            expected = np.maximum(norms[i][power] - threshold, 0)
            np.testing.assert_allclose(left[i][power], expected, atol=1e-6)
            num_dead += int((left[i][power] == 0).sum())
            # The lasso keeps the direction of a surviving unit.
            kernel, was = after[f"mixhop_{i}/kernel_{power}"], before[f"mixhop_{i}/kernel_{power}"]
            assert np.all(kernel * was >= 0)
    assert 0 < num_dead < 14  # some vanished and some survived
    np.testing.assert_array_equal(after["norm_0/beta"], before["norm_0/beta"])


def test_with_adam_the_coefficient_is_a_share_of_the_longest_step(model):
    """Adam moves a column of 40 entries by at most the rate times √40."""
    before = model.steps[1].kernels[0].numpy()
    ProximalLasso(model, 0.25, adaptive=True).apply(0.01)
    norms = (np.linalg.norm(each, axis=0) for each in (before, model.steps[1].kernels[0].numpy()))
    np.testing.assert_allclose(np.subtract(*norms), 0.25 * 0.01 * np.sqrt(40), atol=1e-6)


def test_a_dead_unit_stays_dead_and_a_coefficient_of_zero_does_nothing(model):
    kernel = model.steps[1].kernels[0]
    kernel.assign(tf.zeros_like(kernel))
    before = weights_of(model)
    ProximalLasso(model, 0.0).apply(1.0)
    for name, value in weights_of(model).items():
        np.testing.assert_allclose(value, before[name], atol=1e-7)
    ProximalLasso(model, 0.1).apply(1.0)
    assert not np.any(kernel.numpy())


def test_scales_are_the_deviations_of_what_each_power_reads(model, graph):
    features, edges = graph
    inputs = sparse_tensor(sp.csr_array(features)), normalized_adjacency(edges, 60)
    first, second = power_scales(model, inputs)
    a = reference.adjacency(edges, 60)
    for power in (0, 1, 2):
        smooth = np.linalg.matrix_power(a, power) @ features
        exact = np.sqrt(smooth.var(axis=0).mean() / features.var(axis=0).mean())
        assert first[power] == pytest.approx(exact, rel=0.1)
    assert first[0] == second[0] == 1.0
    assert first[2] < first[1] < 0.8  # the scales differ
    dense = power_scales(model, (tf.constant(features), inputs[1]))
    assert dense[0][1] == pytest.approx(first[1], rel=1e-4)


def test_bad_arguments_are_refused(model):
    with pytest.raises(ValueError, match="must not be negative"):
        ProximalLasso(model, -1.0)
    odd = Architecture.from_notation("0:4:4,1:3:3", num_classes=NUM_CLASSES, hidden_dims=[7])
    with pytest.warns(UserWarning, match="ignores .* columns"):
        wide = build_model(odd, 5, NUM_CLASSES)
    with pytest.raises(ValueError, match="multiples of the 3 classes"):
        ProximalLasso(wide, 0.1)
