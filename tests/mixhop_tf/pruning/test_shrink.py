"""A shrunk model equals the wide model with the removed units muted."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st
from small_models import DENSE, NUM_CLASSES, NUM_FEATURES, random_inputs, random_model

import mixhop_tf
from mixhop_tf import Architecture, LayerSpec, build_model
from mixhop_tf.models.weights import load_weights, weights_of
from mixhop_tf.pruning import importance
from mixhop_tf.pruning.shrink import keep_best, shrink, unit_norms

PSUM = Architecture.from_notation("0:4:6,1:3:3,2:2:6", num_classes=NUM_CLASSES, hidden_dims=[9])


@pytest.fixture
def inputs():
    return random_inputs()


def shrunk_model(architecture, weights):
    model = build_model(architecture, NUM_FEATURES, NUM_CLASSES, seed=9)
    load_weights(model, weights)
    return model


def _widths(layer):
    return layer.powers, layer.dims


def muted(model, kept):
    """Mutes the units of the wide model that are not kept."""
    weights = {name: value.copy() for name, value in weights_of(model).items()}
    architecture = model.architecture
    if architecture.output == "psum":
        last = len(architecture.layers) - 1
        for power, dim in zip(*_widths(architecture.layers[-1]), strict=True):
            gone = np.setdiff1d(np.arange(dim // NUM_CLASSES), kept[-1].get(power, ()))
            for group in gone:
                columns = slice(group * NUM_CLASSES, (group + 1) * NUM_CLASSES)
                weights[f"mixhop_{last}/kernel_{power}"][:, columns] = 0
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
    wide = random_model(architecture)
    small, weights = shrink(architecture, weights_of(wide), kept, NUM_CLASSES)
    assert [layer.dims for layer in small.layers] == widths
    model = shrunk_model(small, weights)
    reference = shrunk_model(architecture, muted(wide, kept))
    np.testing.assert_allclose(model(inputs), reference(inputs), atol=1e-5)
    assert np.ptp(model(inputs).numpy()) > 0.1


def test_columns_of_the_last_layer_before_a_dense_output_go_with_their_rows(inputs):
    wide = random_model(DENSE)
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
    weights = weights_of(random_model(PSUM))
    norms = unit_norms(PSUM, weights, NUM_CLASSES)
    assert PSUM.unit_sizes(NUM_CLASSES) == (1, 3)
    assert DENSE.unit_sizes(NUM_CLASSES) == (1, 1, 1)
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
        with pytest.raises(ValueError, match="must keep 1 to 6"):
            keep_best(scores, count)


def test_what_cannot_be_is_refused():
    weights = weights_of(random_model(PSUM))
    full = [{0: range(4), 1: range(3), 2: range(2)}, {0: range(2), 1: range(1), 2: range(2)}]
    with pytest.raises(ValueError, match="Layer 1 must keep at least one unit"):
        shrink(PSUM, weights, [full[0], {}], NUM_CLASSES)
    with pytest.raises(ValueError, match="Power 1 of layer 1 has no such unit"):
        shrink(PSUM, weights, [full[0], {1: [1]}], NUM_CLASSES)
    with pytest.raises(ValueError, match="multiples of the 4 classes"):
        shrink(PSUM, weights, full, 4)
    with pytest.raises(ValueError, match="must have the names of the model's weights"):
        load_weights(random_model(DENSE), weights)


@st.composite
def architectures(draw):
    """Draws up to three layers of any powers and widths, with either output."""
    psum = draw(st.booleans())
    count = draw(st.integers(1, 3))
    layers = []
    for i in range(count):
        powers = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3, unique=True))
        size = NUM_CLASSES if psum and i + 1 == count else 1
        dims = draw(st.lists(st.integers(0, 3), min_size=len(powers), max_size=len(powers)))
        dims = [size * dim for dim in (dims if any(dims) else [1] * len(powers))]
        hidden = i + 1 < count
        layers.append(
            LayerSpec(
                powers=powers, dims=dims, activation="relu" if hidden else None, batch_norm=hidden
            )
        )
    return Architecture(layers=layers, output="psum" if psum else "dense")


def everything(architecture):
    sizes = architecture.unit_sizes(NUM_CLASSES)
    return [
        {power: np.arange(dim // size) for power, dim in zip(*_widths(layer), strict=True)}
        for layer, size in zip(architecture.layers, sizes, strict=True)
    ]


@given(architecture=architectures())
@settings(max_examples=25)
def test_keeping_everything_changes_nothing(architecture):
    weights = weights_of(random_model(architecture))
    same, left = shrink(architecture, weights, everything(architecture), NUM_CLASSES)
    assert same == architecture
    assert set(left) == set(weights)
    for name in weights:
        np.testing.assert_array_equal(left[name], weights[name])


@given(architecture=architectures(), data=st.data())
@settings(max_examples=25)
def test_removing_what_is_zero_changes_no_output(architecture, data):
    """Sets columns, and even whole powers, to zero, but keeps a unit of each layer."""
    wide = random_model(architecture)
    weights, kept, num_gone = weights_of(wide), [], 0
    for i, (layer, size) in enumerate(
        zip(everything(architecture), architecture.unit_sizes(NUM_CLASSES), strict=True)
    ):
        units = [(power, int(unit)) for power, values in layer.items() for unit in values]
        stays = data.draw(st.lists(st.sampled_from(units), min_size=1, unique=True))
        kept.append({power: sorted(unit for p, unit in stays if p == power) for power in layer})
        for column, (power, unit) in enumerate(units):
            if (power, unit) not in stays:
                weights[f"mixhop_{i}/kernel_{power}"][:, unit * size : (unit + 1) * size] = 0
                if architecture.layers[i].batch_norm:  # its offset would reach the next layer
                    weights[f"norm_{i}/beta"][column] = 0
                num_gone += 1
    load_weights(wide, weights)
    small = shrunk_model(*shrink(architecture, weights, kept, NUM_CLASSES))
    inputs = random_inputs()
    np.testing.assert_allclose(small(inputs), wide(inputs), rtol=1e-5, atol=1e-6)
    assert sum(layer.width for layer in small.architecture.layers) <= sum(
        layer.width for layer in architecture.layers
    ) - (num_gone > 0)


@pytest.mark.parametrize("changes", [{"batch_norm": True}, {"activation": "tanh"}])
def test_kernels_stay_as_they_are_where_scaling_would_not_pass(changes):
    layers = (LayerSpec(powers=(0, 1), dims=(6, 3), **changes),)
    architecture = Architecture(layers=layers)
    weights = weights_of(random_model(architecture))
    _, left = shrink(architecture, weights, [{0: [1], 1: [0]}], NUM_CLASSES)
    np.testing.assert_array_equal(
        left["mixhop_0/kernel_0"], weights["mixhop_0/kernel_0"][:, NUM_CLASSES:]
    )


def test_removing_a_zero_group_of_a_psum_output_changes_no_output(inputs):
    wide = random_model(PSUM)
    weights = weights_of(wide)
    weights["mixhop_1/kernel_2"][:, NUM_CLASSES:] = 0
    load_weights(wide, weights)
    kept = [everything(PSUM)[0], {0: [0, 1], 1: [0], 2: [0]}]
    small = shrunk_model(*shrink(PSUM, weights, kept, NUM_CLASSES))
    np.testing.assert_allclose(small(inputs), wide(inputs), rtol=1e-5, atol=1e-6)


def test_a_model_whose_power_vanished_trains_saves_and_is_served(tmp_path, inputs):
    wide = random_model(PSUM)
    kept = [{0: [0, 1], 1: [1], 2: []}, {0: [], 1: [0], 2: [1]}]
    model = shrunk_model(*shrink(PSUM, weights_of(wide), kept, NUM_CLASSES))
    assert [layer.dims for layer in model.architecture.layers] == [(2, 1, 0), (0, 3, 3)]
    labels = np.arange(12) % NUM_CLASSES
    model.compile(
        keras.optimizers.SGD(0.1), keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    )
    data = tf.data.Dataset.from_tensors((inputs, labels))
    losses = model.fit(data, epochs=5, shuffle=False, verbose=0).history["loss"]
    assert losses[-1] < losses[0]
    model.save(tmp_path / "model.keras")
    again = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(again(inputs), model(inputs))
    mixhop_tf.export_saved_model(model, tmp_path / "served", inputs)
    edges = tf.gather(
        inputs[1].indices, np.flatnonzero(inputs[1].indices[:, 0] < inputs[1].indices[:, 1])
    )
    served = tf.saved_model.load(str(tmp_path / "served")).signatures["serving_default"]
    answer = served(features=inputs[0], edges=edges)["logits"]
    np.testing.assert_allclose(answer, model(inputs), atol=1e-5)


BOTH_WAYS = mixhop_tf.AdjacencySpec(direction="both")


@pytest.mark.parametrize(
    "architecture",
    [
        Architecture.from_notation(
            "0:2:2:3,1:2:2:6,-1:2:2:3",
            num_classes=NUM_CLASSES,
            hidden_dims=[6, 6],
            adjacency=BOTH_WAYS,
            jumping=True,
        ),
        mixhop_tf.Architecture(layers=DENSE.layers, output="dense", jumping=True),
    ],
    ids=["both directions, jumping", "jumping, dense"],
)
def test_shrinking_follows_jumping_connections_and_directions(architecture):
    wide = random_model(architecture)
    rng = np.random.default_rng(3)
    features = tf.constant(rng.standard_normal((12, NUM_FEATURES)), tf.float32)
    inputs = features, wide.operator(rng.integers(12, size=(30, 2)), 12)
    sizes = architecture.unit_sizes(NUM_CLASSES)
    kept = [
        {
            power: np.arange(max(1, dim // size - 1))
            for power, dim in zip(*_widths(layer), strict=True)
        }
        for layer, size in zip(architecture.layers, sizes, strict=True)
    ]
    gates = []
    for layer, size, stays in zip(architecture.layers, sizes, kept, strict=True):
        parts = [
            np.isin(np.arange(dim // size), stays[power])
            for power, dim in zip(*_widths(layer), strict=True)
        ]
        gates.append(tf.constant(np.concatenate(parts), tf.float32))
    small = shrunk_model(*shrink(architecture, weights_of(wide), kept, NUM_CLASSES))
    assert small.count_params() < wide.count_params()
    expected = importance._gated_logits(wide, (wide.normalize(features), inputs[1]), gates)
    # Batch norm makes no difference between columns that stay and columns that go.
    np.testing.assert_allclose(small(inputs), expected, rtol=1e-4, atol=1e-4)


def test_attention_cannot_be_shrunk():
    architecture = Architecture.default(NUM_CLASSES, hidden_dims=[6], heads=2)
    weights = weights_of(random_model(architecture))
    with pytest.raises(ValueError, match="attention cannot be shrunk"):
        shrink(architecture, weights, [{0: [0]}, {0: [0]}], NUM_CLASSES)
