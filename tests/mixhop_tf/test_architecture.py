"""Architectures and their notations."""

import json
import math

import pytest
from small_models import LEARNED, THREE_LAYERS

from mixhop_tf import Architecture, LayerSpec, build_model


def widths(architecture):
    return [layer.dims for layer in architecture.layers]


@pytest.mark.parametrize(
    ("notation", "hidden", "classes", "expected"),
    [
        ("0:24:0,1:18:7,2:18:7", [60], 7, [(24, 18, 18), (0, 7, 7)]),
        ("0,1,2", [60], 7, [(20, 20, 20), (7, 7, 7)]),
        ("1", [60], 3, [(60,), (3,)]),
        ("0,1,2", [64], 3, [(21, 21, 22), (3, 3, 3)]),
        ("0:1:3,1:1:3", [5], 3, [(2, 3), (3, 3)]),  # 2.5 rounds to even
        ("0:1:1:2,1:3:1:2", [8, 7], 2, [(2, 6), (4, 3), (2, 2)]),
        ("0,2", [], 4, [(4, 4)]),
    ],
)
def test_notation(notation, hidden, classes, expected):
    architecture = Architecture.from_notation(notation, hidden_dims=hidden, num_classes=classes)
    assert widths(architecture) == expected
    assert architecture.layers[0].dropout == 0.5
    assert architecture.layers[-1].activation is None
    assert not architecture.layers[-1].batch_norm


@pytest.mark.parametrize(
    "notation", ["", "a", "0:1", "0:24:0,1:18", "0:24:0:3,1:18:7:3", "0:0:7,1:0:7", "0:-1:7,1:2:7"]
)
def test_bad_notation_is_refused_with_what_was_received(notation):
    with pytest.raises(ValueError, match="Received: "):
        Architecture.from_notation(notation, num_classes=7)


def test_the_default_and_the_baseline_share_columns_evenly():
    assert widths(Architecture.default(6)) == [(20, 20, 20), (6, 6, 6)]
    assert widths(Architecture.default(3, powers=(0, 1, 2, 3))) == [(15,) * 4, (3,) * 4]
    assert widths(Architecture.baseline(7)) == [(60,), (7,)]


def test_unit_sizes_are_columns_and_groups_before_a_psum():
    assert LEARNED.unit_sizes(7) == (1, 7)
    assert THREE_LAYERS.unit_sizes(3) == (1, 1, 1)


@pytest.mark.parametrize("architecture", [LEARNED, THREE_LAYERS, Architecture.baseline(4)])
def test_json_brings_every_architecture_back(architecture):
    text = architecture.to_json()
    assert Architecture.from_json(text) == architecture
    assert json.loads(text)["version"] == 1
    assert Architecture.from_json(text).to_json() == text


def test_layer_list_of_the_original():
    def entry(fn, *args):
        return {"module": "any", "fn": fn, "args": list(args), "kwargs": {}}

    powers = [0, 1, 2]
    definitions = [
        entry("sparse_dropout", 0.3, 988031),
        entry("sparse_tensor_to_dense"),
        entry("l2_normalize"),
        entry("mixhop_layer", powers, [17, 22, 21]),
        entry("batch_norm"),
        entry("tanh"),
        entry("dropout", 0.7),
        entry("mixhop_layer", powers, [3, 1, 6]),
        entry("dropout", 0.7),
        entry("mixhop_layer", powers, [2, 4, 4]),
        entry("batch_norm"),
        entry("tanh"),
        entry("dropout", 0.7),
        entry("dense", 3),
    ]
    assert Architecture.from_json(json.dumps(definitions)) == THREE_LAYERS
    for wrong in (
        [entry("conv")],
        [entry("mixhop_layer", [0], [3]), entry("tanh"), entry("batch_norm")],
        [entry("mixhop_layer", [0], [3]), entry("tanh"), entry("relu")],
        [entry("mixhop_layer", [0], [3]), entry("dropout", 0.5), entry("tanh")],
        [entry("dropout", 0.5), entry("dropout", 0.5), entry("mixhop_layer", [0], [3])],
        [entry("mixhop_layer", [0], [3]), entry("l2_normalize")],
    ):
        with pytest.raises(ValueError, match="The list must be dropout, mixhop_layer"):
            Architecture.from_layer_list(wrong)
    with pytest.raises(ValueError, match="An activation must be an entry of its own"):
        Architecture.from_layer_list(
            [entry("mixhop_layer", [0], [3]) | {"kwargs": {"activation": "relu"}}]
        )
    with pytest.raises(ValueError, match="A psum output has no dropout"):
        Architecture.from_layer_list(
            [entry("mixhop_layer", [0], [3]), entry("dropout", 0.5), entry("psum_output")]
        )
    with pytest.raises(ValueError, match="Nothing may follow the output"):
        Architecture.from_layer_list([*definitions, entry("tanh")])


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}",
        "3",
        '{"version": 9}',
        '{"version": 1, "layers": 3}',
        "[{}]",
        '[{"fn": "dropout"}]',
    ],
)
def test_bad_json_is_refused(text):
    with pytest.raises(ValueError, match=r"Received|not the JSON"):
        Architecture.from_json(text)


def test_parameters_are_those_of_the_model():
    for architecture in (LEARNED, THREE_LAYERS, Architecture.baseline(3)):
        classes = 7 if architecture is LEARNED else 3
        model = build_model(architecture, 11, classes)
        expected = sum(math.prod(weight.shape) for weight in model.trainable_weights)
        assert architecture.num_parameters(11, classes) == expected


def test_multiply_adds_by_hand():
    spec = LayerSpec(powers=(0, 2), dims=(3, 4))
    architecture = Architecture(layers=(spec,))
    sizes = {"num_nodes": 10, "adjacency_non_zeros": 30}
    # 10·5·7 for the kernels, 30·min(2·4, 2·5) for the propagation, 10·7 for psum
    assert architecture.num_multiply_adds(5, 7, **sizes) == 350 + 240 + 70
    assert architecture.num_multiply_adds(5, 7, **sizes, feature_non_zeros=20) == 140 + 240 + 70
    # with 3 features they are propagated first: 30·2·3, and sparse ones are made dense
    assert architecture.num_multiply_adds(3, 7, **sizes, feature_non_zeros=9) == 210 + 180 + 70
    # a power without columns is not propagated
    unused = Architecture(layers=(LayerSpec(powers=(0, 1, 9), dims=(3, 4, 0)),))
    assert unused.num_multiply_adds(2, 7, **sizes) == 140 + 60 + 70


@pytest.mark.parametrize(
    "make",
    [
        lambda: LayerSpec(powers=(0, 0), dims=(1, 1)),
        lambda: LayerSpec(powers=(0,), dims=(1, 1)),
        lambda: LayerSpec(powers=(0,), dims=(0,)),
        lambda: LayerSpec(powers=(0,), dims=(1,), dropout=1.0),
        lambda: LayerSpec(powers=(0.5,), dims=(1,)),
        lambda: LayerSpec(powers=(0,), dims=(1,), batch_norm="no"),
        lambda: Architecture(layers=()),
        lambda: Architecture(layers=({"powers": (0,), "dims": (1,)},)),
        lambda: Architecture(layers=(LayerSpec(powers=(0,), dims=(1,)),), output="mean"),
    ],
)
def test_bad_specifications_are_refused(make):
    with pytest.raises(ValueError, match="Received: "):
        make()
