"""The importance of a unit equals what happens when the unit is weakened."""

import numpy as np
import pytest
import tensorflow as tf
from small_models import DENSE, NUM_CLASSES, random_inputs, random_model

from mixhop_tf import Architecture, build_model
from mixhop_tf.models.weights import load_weights, weights_of
from mixhop_tf.pruning.importance import MEASURES, _shared_out
from mixhop_tf.pruning.settings import IMPORTANCES
from mixhop_tf.pruning.shrink import shrink, unit_norms
from mixhop_tf.training.lasso import power_scales

PSUM = Architecture.from_notation("0:4:6,1:3:3,2:2:0", num_classes=NUM_CLASSES, hidden_dims=[9])
NODES = np.array([1, 4, 5, 9])
LABELS = np.array([0, 2, 1, 1])


@pytest.fixture
def inputs():
    return random_inputs()


def loss(model, inputs):
    logits = tf.gather(model(inputs), NODES)
    return float(tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(LABELS, logits)))


def test_the_names_are_those_of_the_setting():
    assert tuple(MEASURES) == IMPORTANCES


def test_norm_is_the_norm_and_effect_times_what_the_power_lets_through(inputs):
    model = random_model(PSUM)
    norms = unit_norms(PSUM, weights_of(model), NUM_CLASSES)
    scales = power_scales(model, inputs)
    for layer, norm in zip(MEASURES["norm"](model, inputs), norms, strict=True):
        for power in layer:
            np.testing.assert_array_equal(layer[power], norm[power])
    hidden = MEASURES["effect"](model, inputs)[0]
    assert set(hidden) == {0, 1, 2}
    for power, values in hidden.items():
        np.testing.assert_allclose(values, norms[0][power] * scales[0][power], rtol=1e-6)


def test_effect_divides_output_groups_by_what_their_power_lets_through(inputs):
    model = random_model(PSUM)
    weights = weights_of(model)
    share = np.exp(weights["psum/q"]) / np.exp(weights["psum/q"]).sum()
    kernel = weights["mixhop_1/kernel_0"]
    summed = share[0] * kernel[:, :3] + share[1] * kernel[:, 3:]
    scale = power_scales(model, inputs)[1]
    scores = MEASURES["effect"](model, inputs)[1]
    assert set(scores) == {0, 1}  # power 2 has no columns
    total = scale[0] * np.linalg.norm(summed)
    norms = unit_norms(PSUM, weights, NUM_CLASSES)[1][0]
    expected = [total, total / 2] if norms[0] > norms[1] else [total / 2, total]
    np.testing.assert_allclose(scores[0], expected, rtol=1e-5)
    alone = scale[1] * share[2] * np.linalg.norm(weights["mixhop_1/kernel_1"])
    np.testing.assert_allclose(scores[1], [alone], rtol=1e-5)


def turned_down(architecture, weights, layer, column, step):
    """Returns the weights with a slightly weaker hidden column."""
    weights = {name: value.astype("float64") for name, value in weights.items()}
    for name in weights:
        if name.startswith(f"mixhop_{layer + 1}/") or (
            name == "dense/kernel" and layer + 1 == len(architecture.layers)
        ):
            weights[name][column] *= 1 - step
    return weights


@pytest.mark.parametrize("architecture", [PSUM, DENSE])
def test_loss_is_the_slope_when_a_hidden_column_is_turned_down(inputs, architecture):
    model = random_model(architecture)
    weights, step = weights_of(model), 1e-2
    scores = MEASURES["loss"](model, inputs, NODES, LABELS)
    num_hidden = len(architecture.layers) - (architecture.output == "psum")
    for i in range(num_hidden):
        values = np.concatenate(list(scores[i].values()))
        assert len(values) == architecture.layers[i].width
        for column, value in enumerate(values):
            found = []
            for sign in (1, -1):
                load_weights(model, turned_down(architecture, weights, i, column, sign * step))
                found.append(loss(model, inputs))
            assert (found[0] - found[1]) / (2 * step) == pytest.approx(value, rel=0.05, abs=2e-3)
    assert max(abs(np.concatenate(list(scores[0].values())))) > 0.02


def test_loss_of_output_groups_is_that_of_their_power_shared_out(inputs):
    """Shrinking keeps the other groups, so the rise is the slope when all groups of a power
    weaken."""
    model = random_model(PSUM)
    weights, step = weights_of(model), 1e-2
    score = MEASURES["loss"](model, inputs, NODES, LABELS)[-1]
    assert {power: len(values) for power, values in score.items()} == {0: 2, 1: 1}
    for power, values in score.items():
        found = []
        for sign in (1, -1):
            name = f"mixhop_1/kernel_{power}"
            load_weights(model, weights | {name: weights[name] * (1 - sign * step)})
            found.append(loss(model, inputs))
        slope = (found[0] - found[1]) / (2 * step)
        assert slope == pytest.approx(max(values), rel=0.05, abs=2e-3)
    ratio = score[0][0] / score[0][1]
    assert ratio in (pytest.approx(2.0), pytest.approx(0.5))


@pytest.mark.parametrize(("total", "expected"), [(6.0, [3, 6, 2]), (-1.0, [-2, -1, -3])])
def test_the_best_group_of_a_power_scores_highest_also_where_the_power_does_harm(total, expected):
    own = {0: np.array([0.5, 0.9, 0.0])}
    assert _shared_out(own, {0: total})[0].tolist() == expected


def test_whole_numbers_are_features_too(inputs):
    model = random_model(PSUM)
    features = tf.cast(10 * inputs[0], tf.int32)
    for measure in MEASURES.values():
        whole = measure(model, (features, inputs[1]), NODES, LABELS)
        same = measure(model, (tf.cast(features, tf.float32), inputs[1]), NODES, LABELS)
        np.testing.assert_allclose(whole[0][1], same[0][1])


def test_the_least_important_unit_is_the_one_to_lose(inputs):
    """Removing the unit of the lowest score hurts less than removing that of the highest."""
    model = random_model(DENSE)
    weights = weights_of(model)
    scores = MEASURES["loss"](model, inputs, NODES, LABELS)
    everything = [
        {power: list(range(len(values))) for power, values in layer.items()} for layer in scores
    ]
    first = scores[-1]
    flat = [(values[unit], power, unit) for power, values in first.items() for unit in range(3)]
    losses = []
    for _, power, unit in (min(flat), max(flat)):
        kept = [
            *everything[:-1],
            {p: [u for u in range(3) if (p, u) != (power, unit)] for p in first},
        ]
        small, left = shrink(DENSE, weights, kept, NUM_CLASSES)
        shrunk = build_model(small, 5, NUM_CLASSES, seed=0)
        load_weights(shrunk, left)
        losses.append(loss(shrunk, inputs))
    assert losses[0] < losses[1]
