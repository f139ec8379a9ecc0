"""What is left of a wide model when units go: against the wide model with the same units muted."""

import numpy as np
import pytest
import tensorflow as tf

import mixhop_tf
from mixhop_tf import Architecture, LayerSpec, build_model
from mixhop_tf.shrink import (
    keep_best,
    load_weights,
    shrink,
    unit_norms,
    unit_sizes,
    weights_of,
)

NUM_CLASSES, NUM_FEATURES = 3, 5
PSUM = Architecture.from_notation("0:4:6,1:3:3,2:2:6", num_classes=NUM_CLASSES, hidden_dims=[9])
DENSE = Architecture(
    layers=(
        LayerSpec(powers=(0, 2), dims=(4, 3), activation="tanh", batch_norm=True, dropout=0.1),
        LayerSpec(powers=(1, 0), dims=(2, 3)),
        LayerSpec(powers=(0, 1), dims=(3, 3), activation="relu", batch_norm=True),
    ),
    output="dense",
)


@pytest.fixture
def inputs():
    rng = np.random.default_rng(0)
    edges = rng.integers(12, size=(20, 2))
    features = rng.standard_normal((12, NUM_FEATURES)).astype("float32")
    return tf.constant(features), mixhop_tf.normalized_adjacency(
        edges[edges[:, 0] != edges[:, 1]], 12
    )


def wide_model(architecture):
    model = build_model(architecture, NUM_FEATURES, NUM_CLASSES, seed=0)
    rng = np.random.default_rng(1)
    for weight in model.weights:  # offsets and output weights start equal: tell them apart
        weight.assign(rng.standard_normal(weight.shape) + 0.5)
    return model


def shrunk_model(architecture, weights):
    model = build_model(architecture, NUM_FEATURES, NUM_CLASSES, seed=9)
    load_weights(model, weights)
    return model


def muted(model, kept):
    """The wide model where units that are not kept are read by nobody."""
    weights = {name: value.copy() for name, value in weights_of(model).items()}
    architecture = model.architecture
    for i, layer in enumerate(architecture.layers[:-1]):
        stays, start = np.zeros(layer.width, bool), 0
        for power, dim in zip(layer.powers, layer.dims, strict=True):
            stays[start + np.asarray(kept[i].get(power, ()), int)] = True
            start += dim
        for name in weights:
            if name.startswith(f"mixhop_{i + 1}/"):
                weights[name][~stays] = 0
    return weights


@pytest.mark.parametrize(
    ("architecture", "kept", "widths"),
    [
        (
            PSUM,
            [{0: [1, 3], 1: [], 2: [0]}, {0: [0, 1], 1: [0], 2: [0, 1]}],
            [(2, 0, 1), (6, 3, 6)],
        ),
        (PSUM, [{0: [0, 1, 2, 3], 1: [2], 2: [1]}, {0: [1], 2: [0]}], [(4, 1, 1), (3, 0, 3)]),
        (
            DENSE,
            [{0: [3], 2: [0, 2]}, {1: [1], 0: [0, 2]}, {0: [0, 1, 2], 1: [0, 1, 2]}],
            [(1, 2), (1, 2), (3, 3)],
        ),
    ],
)
def test_a_shrunk_model_is_the_wide_one_without_what_went(inputs, architecture, kept, widths):
    wide = wide_model(architecture)
    small, weights = shrink(architecture, weights_of(wide), kept, NUM_CLASSES)
    assert [layer.dims for layer in small.layers] == widths
    model = shrunk_model(small, weights)
    reference = shrunk_model(architecture, muted(wide, kept))
    if architecture.output == "psum":
        # Groups that went: their share is spread over the others.
        groups, start = [], 0
        last = architecture.layers[-1]
        for power, dim in zip(last.powers, last.dims, strict=True):
            groups += [start + unit for unit in kept[-1].get(power, ())]
            start += dim // NUM_CLASSES
        q = np.full(start, -1e9, "float32")
        q[groups] = weights_of(wide)["psum/q"][groups]
        reference.steps[-1].q.assign(q)
    np.testing.assert_allclose(model(inputs), reference(inputs), atol=1e-5)
    assert np.ptp(model(inputs).numpy()) > 0.1


def test_columns_of_the_last_layer_before_a_dense_output_go_with_their_rows(inputs):
    wide = wide_model(DENSE)
    kept = [{0: range(4), 2: range(3)}, {1: range(2), 0: range(3)}, {0: [2], 1: []}]
    small, weights = shrink(DENSE, weights_of(wide), kept, NUM_CLASSES)
    assert small.layers[-1].dims == (1, 0)
    silent = weights_of(wide)
    silent["dense/kernel"] = silent["dense/kernel"].copy()
    silent["dense/kernel"][[0, 1, 3, 4, 5]] = 0
    np.testing.assert_allclose(
        shrunk_model(small, weights)(inputs), shrunk_model(DENSE, silent)(inputs), atol=1e-5
    )


def test_norms_are_of_columns_and_of_whole_groups_before_psum():
    weights = weights_of(wide_model(PSUM))
    norms = unit_norms(PSUM, weights, NUM_CLASSES)
    assert unit_sizes(PSUM, NUM_CLASSES) == (1, 3)
    assert unit_sizes(DENSE, NUM_CLASSES) == (1, 1, 1)
    np.testing.assert_allclose(
        norms[0][1], np.linalg.norm(weights["mixhop_0/kernel_1"], axis=0), rtol=1e-6
    )
    kernel = weights["mixhop_1/kernel_2"]
    expected = [np.linalg.norm(kernel[:, :3]), np.linalg.norm(kernel[:, 3:])]
    np.testing.assert_allclose(norms[1][2], expected, rtol=1e-6)


def test_the_best_units_stay_whatever_their_power():
    scores = {0: np.array([0.1, 5.0]), 1: np.array([3.0, 0.2, 4.0]), 2: np.array([0.0])}
    kept = keep_best(scores, 3)
    assert {power: units.tolist() for power, units in kept.items()} == {0: [1], 1: [0, 2], 2: []}
    equal = {power: np.ones(2) for power in (0, 1)}
    assert keep_best(equal, 3)[0].tolist() == [0, 1]
    for count in (0, 7):
        with pytest.raises(ValueError, match="can keep 1 to 6"):
            keep_best(scores, count)


def test_what_cannot_be_is_refused():
    weights = weights_of(wide_model(PSUM))
    full = [{0: range(4), 1: range(3), 2: range(2)}, {0: range(2), 1: range(1), 2: range(2)}]
    with pytest.raises(ValueError, match="Layer 1 would vanish"):
        shrink(PSUM, weights, [full[0], {}], NUM_CLASSES)
    with pytest.raises(ValueError, match="Power 1 of layer 1 has no such unit"):
        shrink(PSUM, weights, [full[0], {1: [1]}], NUM_CLASSES)
    with pytest.raises(ValueError, match="multiples of the 4 classes"):
        shrink(PSUM, weights, full, 4)
    with pytest.raises(ValueError, match="must be those of the model's architecture"):
        load_weights(wide_model(DENSE), weights)


def test_keeping_everything_changes_nothing():
    weights = weights_of(wide_model(PSUM))
    full = [{0: range(4), 1: range(3), 2: range(2)}, {0: range(2), 1: range(1), 2: range(2)}]
    same, left = shrink(PSUM, weights, full, NUM_CLASSES)
    assert same == PSUM
    assert set(left) == set(weights)
    for name in weights:
        np.testing.assert_array_equal(left[name], weights[name])
