"""Tests of architectures that are too large to train or whose JSON has wrong types."""

import json

import pytest

from mixhop_tf import Architecture, LayerSpec, SettingError
from mixhop_tf.architecture_json import architecture_from_dict, architecture_from_json
from mixhop_tf.baselines import GAT, GCN, NGCN, Chebyshev
from mixhop_tf.notation import MAX_POWER, MAX_WIDTH
from trainers.paper import architectures, presets
from trainers.paper.architectures import ArchitectureRequest, check_memory

LAYER = {"powers": [0, 1], "dims": [2, 2]}
PRESET = presets.preset("l2", "cora", "mixhop")


def content(**changes):
    return {"version": 1, "layers": [LAYER | changes]}


def resolve(**fields):
    return ArchitectureRequest(**fields).resolve("cora", 7, PRESET, lambda: 2.0)


def test_the_bounds_themselves_are_welcome():
    LayerSpec(powers=(0, MAX_POWER), dims=(1, MAX_WIDTH - 1))
    GCN(hidden_width=MAX_WIDTH)
    Architecture.default(7, hidden_dims=[MAX_WIDTH])


@pytest.mark.parametrize(
    "make",
    [
        lambda: LayerSpec(powers=(0, 101), dims=(1, 1)),
        lambda: LayerSpec(powers=(0, 1), dims=(1, MAX_WIDTH)),
        lambda: LayerSpec(powers=(10**400,), dims=(1,)),
        lambda: Architecture.default(7, hidden_dims=[10**9]),
        lambda: Architecture.default(7, hidden_dims=[10**400]),
        lambda: Architecture.default(7, hidden_dims=[1] * 100),
        lambda: Architecture.from_notation("0:1:3,200000:1:3", num_classes=3),
        lambda: Architecture.from_notation(f"0:{'9' * 400}:3,1:1:3", num_classes=3),
        lambda: Architecture.from_notation("9" * 5000, num_classes=3),
        lambda: Architecture(layers=[LayerSpec(powers=(1,), dims=(7,))] * 101),
        lambda: GCN(hidden_width=10**9),
        lambda: Chebyshev(hidden_width=4, order=101),
        lambda: NGCN(hidden_width=4, powers=(0, 200_000)),
        lambda: NGCN(hidden_width=4, replicas=10**6),
        lambda: GAT(hidden_width=8, heads=8, output_heads=10**9),
    ],
)
def test_powers_and_widths_have_bounds(make):
    with pytest.raises(ValueError, match=r"at most|each from 1 to 1,000,000|A notation") as error:
        make()
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    "changes",
    [
        {"dims": "22"}, {"dims": [2.0, 2.0]}, {"dims": None}, {"dims": [True, True]},
        {"dims": [None, 1]}, {"dims": [[2], [2]]}, {"dims": {"0": 2}}, {"dims": [10**400, 1]},
        {"powers": [False, True]}, {"powers": ["0", "1"]}, {"powers": [0.0, 1.0]}, {"powers": 3},
        {"dropout": "0.5"}, {"dropout": None}, {"dropout": True}, {"dropout": [0.5]},
        {"dropout": float("nan")}, {"dropout": 10**400}, {"batch_norm": 1}, {"batch_norm": "yes"},
        {"activation": 3}, {"activation": ["relu"]}, {"odd": 1},
    ],
)  # fmt: skip
def test_layers_of_odd_types(changes):
    for read in (architecture_from_dict, Architecture.from_dict):
        with pytest.raises(ValueError, match=r"Received|not the JSON") as error:
            read(content(**changes))
        assert type(error.value) is ValueError


@pytest.mark.parametrize(
    "odd",
    [
        None, 5, "text", [], {}, {"version": True}, {"version": 1}, {"version": 1, "layers": None},
        {"version": 1, "layers": 5}, {"version": 1, "layers": [None]}, {"version": 1, "layers": []},
        {"version": 1, "layers": {"a": 1}}, content() | {"odd": 1},
        content() | {"output": ["psum"]},
        content() | {"output_dropout": "0"}, {"model": ["gcn"]}, {"model": {}}, {"model": None},
        {"model": "gcn", "version": True, "hidden_width": 4},
        {"model": "gcn", "version": 1, "hidden_width": 4.0},
        {"model": "gcn", "version": 1, "hidden_width": "4"},
        {"model": "gcn", "version": 1, "hidden_width": 4, "penalize_output": "no"},
        {"model": "gat", "version": 1, "hidden_width": 8, "drop_values": 1},
        {"model": "ngcn", "version": 1, "hidden_width": 8, "powers": None},
        {"model": "ngcn", "version": 1, "hidden_width": 8, "powers": [True]},
        {"model": "chebyshev", "version": 1, "hidden_width": 8, "largest_eigenvalue": True},
        {"model": "gcn", "version": 1, "hidden_width": 4, "input_dropout": False},
        [{"fn": "mixhop_layer"}], [{"fn": "mixhop_layer", "args": [[1]]}], [{"fn": []}], [5],
        [{"fn": "dropout", "args": ["x"]}], [{"fn": "dropout", "args": [10**400]}],
        [{"fn": "mixhop_layer", "args": 5}],
        [{"fn": "mixhop_layer", "args": [[1], [7]], "kwargs": 5}],
    ],
)  # fmt: skip
def test_json_of_odd_types(odd):
    with pytest.raises(ValueError, match=r"\w") as error:
        architecture_from_json(json.dumps(odd))
    assert type(error.value) is ValueError
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000, '{"a":' * 100_000, "9" * 5000, "[1e999", "NaN", "", "\0",
        '{"model": "\\ud800"}',
    ],
)  # fmt: skip
def test_text_that_is_no_architecture(tmp_path, text):
    for read in (architecture_from_json, Architecture.from_json):
        with pytest.raises(ValueError, match=r"not the JSON|`model` must be|Only version"):
            read(text)
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(SettingError, match="`architecture` must fit cora"):
        resolve(name=str(path))


def test_widths_of_a_request_are_named():
    with pytest.raises(SettingError, match="`hidden_dims` must be fewer than 100 widths, each"):
        resolve(hidden_dims=(10**9,))
    with pytest.raises(SettingError, match="`hidden_dims` must be"):
        resolve(model="gcn", hidden_dims=(2_000_000,))
    with pytest.raises(SettingError, match="`powers` must be at most 100"):
        resolve(name="0:1:7,200000:1:7")


@pytest.mark.parametrize("name", ["x" * 5000, "~no-such-user/a.json", "a\0b", "a\0b.json"])
def test_a_name_that_is_no_file(name):
    with pytest.raises(ValueError, match=r"architecture|home of a user") as error:
        resolve(name=name)
    assert len(str(error.value)) < 800


def test_training_must_fit_into_memory(monkeypatch):
    with pytest.raises(SettingError, match=r"must fit into memory: .* weights"):
        resolve(name="0:1:1:1,1:1:1:6", hidden_dims=(10**6, 10**6))
    small = Architecture.default(7)
    check_memory(small, 7, 1433, 2708)
    monkeypatch.setattr(architectures, "free_memory", lambda: 1_000_000)
    with pytest.raises(SettingError, match=r"the 0\.0 GB that are free; choose smaller widths"):
        check_memory(small, 7, 1433, 2708)
    check_memory(small, 7)
