"""A psum of summed kernels equals the psum of the columns."""

import numpy as np
import pytest
import tensorflow as tf
from small_models import NUM_CLASSES, random_inputs, random_model

from mixhop_tf import Architecture, LayerSpec, MixHopLayer, PsumOutput, build_model
from mixhop_tf.layers import AttentiveMixHopLayer
from mixhop_tf.models.apply_step import apply_step
from mixhop_tf.models.collapsed_output import can_collapse


def model_of(notation, hidden_dims=(9,)):
    return random_model(
        Architecture.from_notation(notation, num_classes=NUM_CLASSES, hidden_dims=hidden_dims)
    )


@pytest.fixture
def inputs():
    return random_inputs()


def step_by_step(model, inputs):
    h, adjacency = model.normalize(inputs[0]), inputs[1]
    for step in model.steps:
        h = apply_step(step, h, adjacency, unit_rows=True)
    return h


@pytest.mark.parametrize(
    "notation", ["0:4:6,1:3:6,2:2:9", "0:4:0,1:3:3,2:2:6", "2:3:6,0:3:6,4:3:3", "1:9:12"]
)
def test_logits_and_gradients_are_those_of_the_layers_one_by_one(inputs, notation):
    model = model_of(notation)
    assert model._collapses
    variables = model.trainable_variables
    found = {}
    for name, logits in (("collapsed", model), ("plain", lambda x: step_by_step(model, x))):
        with tf.GradientTape() as tape:
            values = logits(inputs)
            loss = tf.reduce_sum(tf.sin(values))
        found[name] = values, tape.gradient(loss, variables)
    np.testing.assert_allclose(found["collapsed"][0], found["plain"][0], rtol=1e-4, atol=1e-5)
    for one, other in zip(found["collapsed"][1], found["plain"][1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    ("notation", "hidden_dims"),
    [("0:3:3,1:3:3,2:3:3", [9]), ("0:3:3,1:3:6,2:3:3", [9]), ("0:3:4,1:3:5", [6]), ("0:6", [])],
)
@pytest.mark.filterwarnings("ignore:.*ignores")
def test_what_gains_nothing_or_straddles_powers_is_left_alone(inputs, notation, hidden_dims):
    model = model_of(notation, hidden_dims)
    assert not model._collapses
    np.testing.assert_array_equal(model(inputs), step_by_step(model, inputs))


def test_an_activation_before_the_psum_keeps_its_place(inputs):
    layers = (
        LayerSpec(powers=(0, 1), dims=(4, 4), activation="relu", batch_norm=True),
        LayerSpec(powers=(0, 1), dims=(6, 6), activation="tanh"),
    )
    model = build_model(Architecture(layers=layers), 5, NUM_CLASSES, seed=0)
    assert not model._collapses
    np.testing.assert_array_equal(model(inputs), step_by_step(model, inputs))


@pytest.mark.parametrize(("kind", "expected"), [(MixHopLayer, True), (AttentiveMixHopLayer, False)])
def test_attention_is_never_collapsed(kind, expected):
    layer, psum = kind((1, 2), (6, 6)), PsumOutput(3)
    layer.build([(None, 4), (None, None)])
    psum.build((None, 12))
    assert can_collapse(layer, psum) == expected
