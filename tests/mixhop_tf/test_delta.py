"""Counting delta operators, on kernels where the count is known."""

import numpy as np
import pytest

from mixhop_tf import Architecture, MixHopLayer, build_model
from mixhop_tf.delta import DeltaCount, count_deltas, opposite_signs


def plain_count(kernel, num_powers):
    """Counts as the paper's sentence says, with plain loops."""
    num_features = len(kernel) // num_powers
    count = 0
    for column in range(kernel.shape[1]):
        median = np.median(np.abs(kernel[:, column]))
        for feature in range(num_features):
            weights = [
                kernel[power * num_features + feature, column] for power in range(num_powers)
            ]
            large = [weight for weight in weights if abs(weight) > median]
            count += any(weight > 0 for weight in large) and any(weight < 0 for weight in large)
    return count


@pytest.mark.parametrize("num_powers", [1, 2, 3, 5])
def test_the_count_is_that_of_the_sentence_in_the_paper(num_powers):
    kernel = np.random.default_rng(num_powers).standard_normal((num_powers * 7, 4))
    found = opposite_signs(kernel, num_powers)
    assert found.shape == (7, 4)
    assert found.sum() == plain_count(kernel, num_powers)
    assert (found.sum() > 0) == (num_powers > 1)


def test_small_weights_and_equal_signs_do_not_count():
    large = np.array([[5.0], [0.1], [-5.0], [-0.1]])  # two features, two powers
    assert opposite_signs(large, 2).tolist() == [[True], [False]]
    assert not opposite_signs(np.abs(large), 2).any()
    assert not opposite_signs(np.zeros((4, 2)), 2).any()


def test_the_weights_of_the_theorem_are_all_delta_operators():
    architecture = Architecture.default(3, hidden_dims=[9], input_dropout=0.0)
    model = build_model(architecture, 5, 3, shared_first_kernel=True, seed=0)
    eye = np.eye(3)
    _, second = (step for step in model.steps if isinstance(step, MixHopLayer))
    for kernel in second.kernels:
        kernel.assign(np.concatenate([0 * eye, eye, -eye]))
    counted = count_deltas(model)
    assert counted == DeltaCount(count=9, total=27)  # the diagonal of each of three kernels
    assert counted.share == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    "make",
    [
        lambda: build_model(Architecture.default(3), 5, 3),
        lambda: build_model(
            Architecture.default(3, hidden_dims=[]), 5, 3, shared_first_kernel=True
        ),
    ],
)
def test_a_model_without_a_shared_kernel_or_second_layer_is_refused(make):
    with pytest.raises(ValueError, match="shared_first_kernel=True"):
        count_deltas(make())


def test_rows_that_do_not_fit_the_powers_are_refused():
    with pytest.raises(ValueError, match="one row for each power and feature"):
        opposite_signs(np.zeros((7, 2)), 2)
