"""Models that read directions and weights, have jumping connections, or have attention."""

import dataclasses

import keras
import numpy as np
import pytest
import reference
import tensorflow as tf
from small_models import DENSE, NUM_CLASSES, NUM_FEATURES, random_model

import mixhop_tf
from mixhop_tf import AdjacencySpec, Architecture, build_model

N = 12
RNG = np.random.default_rng(0)
EDGES = RNG.integers(N, size=(30, 2))
WEIGHTS = RNG.uniform(0.2, 4.0, len(EDGES))
FEATURES = RNG.standard_normal((N, NUM_FEATURES)).astype("float32")
BOTH = AdjacencySpec(direction="both", normalization="row", self_loops=False)


def made(**options):
    return Architecture.default(NUM_CLASSES, hidden_dims=[10, 8], **options)


SPECIAL = {
    "both": made(adjacency=BOTH),
    "in": made(adjacency=AdjacencySpec(direction="in")),
    "jumping": made(jumping=True),
    "jumping dense": dataclasses.replace(DENSE, jumping=True),
    "attention": made(heads=2, attention_dropout=0.3),
    "all": made(adjacency=BOTH, jumping=True, heads=3),
    "wide": Architecture.from_notation(
        "0:4:9,1:4:9,-1:4:9", num_classes=NUM_CLASSES, hidden_dims=[12], adjacency=BOTH
    ),
}


def special(name):
    """A model with random weights, and its inputs."""
    model = random_model(SPECIAL[name])
    return model, (tf.constant(FEATURES), model.operator(EDGES, N, WEIGHTS))


@pytest.mark.parametrize("name", SPECIAL)
def test_json_brings_the_architecture_back(name):
    text = SPECIAL[name].to_json()
    assert Architecture.from_json(text) == SPECIAL[name]


def test_older_architectures_have_the_same_json_as_before():
    content = made().to_dict()
    assert set(content) == {"version", "layers", "output", "output_dropout"}
    fields = {"powers", "dims", "activation", "batch_norm", "dropout"}
    assert all(set(layer) == fields for layer in content["layers"])


@pytest.mark.parametrize("name", SPECIAL)
def test_parameters_are_counted_exactly(name):
    model = random_model(SPECIAL[name])
    trainable = sum(int(np.prod(weight.shape)) for weight in model.trainable_weights)
    assert SPECIAL[name].num_parameters(NUM_FEATURES, NUM_CLASSES) == trainable


@pytest.mark.parametrize("name", SPECIAL)
def test_a_keras_file_brings_the_model_back(name, tmp_path):
    model, inputs = special(name)
    model.save(tmp_path / "model.keras")
    copy = mixhop_tf.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(copy(inputs), model(inputs))


@pytest.mark.parametrize("name", SPECIAL)
@pytest.mark.parametrize("weighted", [True, False])
def test_a_saved_model_answers_as_the_model(name, weighted, tmp_path):
    model = build_model(SPECIAL[name], NUM_FEATURES, NUM_CLASSES, seed=0, weighted=weighted)
    weights = WEIGHTS if weighted else None
    inputs = tf.constant(FEATURES), model.operator(EDGES, N, weights)
    mixhop_tf.export_saved_model(model, tmp_path / "served", inputs)
    served = mixhop_tf.load_saved_model(tmp_path / "served")
    assert served.weighted is weighted
    assert served.directed is SPECIAL[name].adjacency.is_directed
    answer = served.predict(FEATURES, EDGES, weights)
    np.testing.assert_allclose(answer["logits"], model(inputs), atol=1e-5)
    embedded = served.embed(FEATURES, EDGES, weights)
    np.testing.assert_allclose(embedded, model.embed(inputs), atol=1e-5)


def test_a_weighted_model_wants_weights_and_another_takes_none(tmp_path):
    for weighted, given, culprit in (
        (True, None, "needs the weights"),
        (False, WEIGHTS, "takes no weights"),
        (True, WEIGHTS[1:], "one for each edge"),
        (True, -WEIGHTS, "must be positive"),
    ):
        model = build_model(made(), NUM_FEATURES, NUM_CLASSES, seed=0, weighted=weighted)
        inputs = tf.constant(FEATURES), model.operator(EDGES, N)
        mixhop_tf.export_saved_model(model, tmp_path / "served", inputs)
        with pytest.raises(mixhop_tf.SettingError, match=culprit):
            mixhop_tf.load_saved_model(tmp_path / "served").predict(FEATURES, EDGES, given)


def test_the_operator_is_that_of_the_architecture():
    model = random_model(SPECIAL["both"])
    for matrix, direction in zip(model.operator(EDGES, N, WEIGHTS), ("in", "out"), strict=True):
        expected = reference.general_adjacency(EDGES, N, WEIGHTS, direction, "row", False)
        np.testing.assert_allclose(tf.sparse.to_dense(matrix), expected, atol=1e-6)


def test_jumping_connections_join_the_hidden_layers():
    model, inputs = special("jumping")
    hidden, h = [], inputs[0]
    steps = {step.name: step for step in model.steps}
    for i in range(2):
        h = model.normalize(h) if i == 0 else h
        h = steps[f"activation_{i}"](steps[f"norm_{i}"](steps[f"mixhop_{i}"]((h, inputs[1]))))
        hidden.append(h)
    joined = tf.concat(hidden, axis=1)
    expected = steps["psum"](steps["mixhop_2"]((joined, inputs[1])))
    np.testing.assert_allclose(model(inputs), expected, atol=1e-4)
    np.testing.assert_allclose(model.embed(inputs), joined, atol=1e-4)


def test_a_collapsed_output_reads_both_directions():
    model, inputs = special("wide")
    assert model._collapses
    expected = model.walk(inputs[0], inputs[1])
    np.testing.assert_allclose(model(inputs), expected, rtol=1e-4, atol=1e-4)


def test_even_attention_is_row_normalised_mixhop():
    attentive, plain = made(heads=2), made(adjacency=AdjacencySpec(normalization="row"))
    unscaled = {"scaling": "none"}  # attention scales rows in another way
    first = build_model(attentive, NUM_FEATURES, NUM_CLASSES, seed=0, **unscaled)
    second = build_model(plain, NUM_FEATURES, NUM_CLASSES, seed=1, **unscaled)
    for step in first.steps:
        for vector in [*getattr(step, "own", ()), *getattr(step, "neighbour", ())]:
            vector.assign(tf.zeros_like(vector))
    kept = {w.path: w for w in first.weights}
    for weight in second.weights:
        weight.assign(kept[weight.path.replace(second.name, first.name)])
    inputs = tf.constant(FEATURES), first.operator(EDGES, N, WEIGHTS)
    np.testing.assert_allclose(first(inputs), second(inputs), atol=1e-5)


def test_dropout_of_attention_is_that_of_training_alone():
    model, inputs = special("attention")
    np.testing.assert_array_equal(model(inputs), model(inputs))
    keras.utils.set_random_seed(0)
    assert not np.allclose(model(inputs, training=True), model(inputs))


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"adjacency": AdjacencySpec(), "powers": (0, -1)}, "need the direction `both`"),
        ({"jumping": 1}, "`jumping` a bool"),
        ({"heads": -1}, "`heads` must be"),
        ({"attention_dropout": 0.5}, "needs `heads`"),
    ],
)
def test_bad_architectures_are_refused(options, culprit):
    with pytest.raises(ValueError, match=culprit):
        made(**options)


def test_an_adjacency_is_a_specification():
    with pytest.raises(ValueError, match="must be an `AdjacencySpec`"):
        Architecture(layers=DENSE.layers, output="dense", adjacency="both")


@pytest.mark.parametrize(
    "options", [{"direction": "up"}, {"normalization": "column"}, {"self_loops": 1}]
)
def test_bad_adjacencies_are_refused(options):
    with pytest.raises(ValueError, match="must be"):
        AdjacencySpec(**options)


def test_self_loops_are_left_out_where_both_directions_are_read():
    both = AdjacencySpec(direction="both")
    assert not both.self_loops
    assert AdjacencySpec(direction="in").self_loops
    assert AdjacencySpec().turned("both") == both
    assert both.turned("out") == AdjacencySpec(direction="out")
    with_loops = AdjacencySpec(direction="both", self_loops=True)
    assert str(with_loops) == "direction both, self-loops"
    assert with_loops.turned("in").self_loops
    assert not AdjacencySpec(self_loops=False).turned("in").self_loops
    assert AdjacencySpec(normalization="row").turned("in").normalization == "row"


def test_a_shared_kernel_does_not_go_with_attention():
    with pytest.raises(ValueError, match="needs no attention"):
        build_model(
            made(heads=2, powers=(0, 1)), NUM_FEATURES, NUM_CLASSES, shared_first_kernel=True
        )
