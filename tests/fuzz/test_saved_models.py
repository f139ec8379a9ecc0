"""Tests of incomplete and damaged SavedModels: one sentence names the culprit."""

import json
import shutil

import numpy as np
import pytest
import tensorflow as tf

import datasets
import mixhop_tf as m
from trainers.runs import prediction
from trainers.sweeps.errors import RunError


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    architecture = m.Architecture.from_notation("0,1", num_classes=2, hidden_dims=[4])
    model = m.build_model(architecture, 3, 2, seed=0)
    inputs = tf.eye(4, 3), m.normalized_adjacency([[0, 1], [1, 2]], 4)
    return m.export_saved_model(
        model,
        tmp_path_factory.mktemp("model") / "saved_model",
        inputs,
        class_names=["a", "b"],
        feature_names=list("xyz"),
        node_ids=list("abcd"),
    )


@pytest.fixture
def copy(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "saved_model")


def refused(folder, culprit):
    with pytest.raises(ValueError, match="cannot be read as a SavedModel of this") as error:
        m.load_saved_model(folder)
    assert type(error.value) is ValueError
    assert culprit in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1000
    if (folder / "saved_model.pb").is_file():
        with pytest.raises(RunError, match="; export it again") as error:
            prediction.load_model(folder)
        assert culprit in str(error.value)


def test_a_whole_model_is_read(copy):
    served = m.load_saved_model(copy)
    assert served.predict(np.eye(4, 3), [[0, 1]])["labels"].shape == (4,)
    assert served.feature_names == tuple("xyz")
    assert served.new_nodes(["a", "e"]) == ["e"]


@pytest.mark.parametrize(
    ("name", "culprit"),
    [
        ("saved_model.pb", "saved_model.pb is missing"),
        ("assets/architecture.json", "assets/architecture.json is missing"),
        ("assets/class_names.json", "assets/class_names.json is missing"),
        ("assets/inputs.json", "assets/inputs.json is missing"),
        ("variables/variables.index", ""),
        ("variables/variables.data-00000-of-00001", "TensorFlow says"),
    ],
)
def test_a_missing_file(copy, name, culprit):
    (copy / name).unlink()
    refused(copy, culprit)


@pytest.mark.parametrize("missing", ["fingerprint.pb", "assets/known_nodes.json"])
def test_what_is_not_needed_may_be_missing(copy, missing):
    (copy / missing).unlink()
    assert m.load_saved_model(copy).num_features == 3


@pytest.mark.parametrize(
    "name",
    ["saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"],
)
@pytest.mark.parametrize("keep_fingerprint", [True, False])
def test_a_truncated_file(copy, name, keep_fingerprint):
    content = (copy / name).read_bytes()
    (copy / name).write_bytes(content[: len(content) // 2])
    if not keep_fingerprint:
        (copy / "fingerprint.pb").unlink()
    refused(copy, "")


def test_a_flipped_bit_that_tensorflow_does_not_see(copy):
    content = bytearray((copy / "saved_model.pb").read_bytes())
    where = content.index(b"an end is no node")
    content[where] ^= 1
    (copy / "saved_model.pb").write_bytes(content)
    refused(copy, "its files have changed since they were written: fingerprint.pb does not match")


@pytest.mark.parametrize("content", [b"", b"\xff" * 20, b"garbage"])
@pytest.mark.parametrize("name", ["saved_model.pb", "fingerprint.pb"])
def test_garbage(copy, name, content):
    (copy / name).write_bytes(content)
    refused(copy, "")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("inputs.json", "[]"), ("inputs.json", "{}"), ("inputs.json", '{"num_features": "3"}'),
        ("inputs.json", '{"num_features": true}'), ("inputs.json", '{"num_features": 0}'),
        ("inputs.json", '{"num_features": %s}' % ("9" * 4000)),
        ("inputs.json", '{"num_features": 3, "max_nodes": "5"}'),
        ("inputs.json", '{"num_features": 3, "max_nodes": 0}'),
        ("inputs.json", '{"num_features": 3, "max_nodes": %s}' % ("9" * 4000)),
        ("inputs.json", '{"num_features": 3, "feature_names": "xyz"}'),
        ("inputs.json", '{"num_features": 3, "feature_names": ["x", "y"]}'),
        ("inputs.json", '{"num_features": 3, "feature_names": ["x", "y", 5]}'),
        ("inputs.json", '{"num_features": 3, "feature_names": ["x", "y", "y"]}'),
        ("inputs.json", "[" * 100_000), ("inputs.json", "{"), ("inputs.json", "9" * 5000),
        ("class_names.json", "{}"), ("class_names.json", '"ab"'), ("class_names.json", "[]"),
        ("class_names.json", "[1, 2]"), ("class_names.json", '["a", "a"]'),
        ("class_names.json", '["a", "\\ud800"]'), ("class_names.json", '["a", "\\u0000"]'),
        ("class_names.json", '["a", "b", "c"]'), ("class_names.json", '["a"]'),
        ("class_names.json", "[" * 100_000), ("architecture.json", "[" * 100_000),
        ("architecture.json", "{}"), ("architecture.json", "5"), ("known_nodes.json", "5"),
        ("known_nodes.json", "{}"), ("known_nodes.json", '{"salt": 5, "hashes": []}'),
        ("known_nodes.json", '{"salt": "xy", "hashes": []}'),
        ("known_nodes.json", '{"salt": "%s", "hashes": []}' % ("ab" * 100)),
        ("known_nodes.json", '{"salt": "ab", "hashes": 5}'), ("node_ids.json", "{}"),
        ("node_ids.json", "[5]"), ("node_ids.json", "["),
    ],
)  # fmt: skip
def test_assets_of_odd_types(copy, name, text):
    (copy / "assets" / name).write_text(text)
    refused(copy, name)


def test_assets_that_are_not_text(copy):
    (copy / "assets" / "inputs.json").write_bytes(b"\xff\xfe\0")
    refused(copy, "inputs.json is not UTF-8 text")
    (copy / "assets" / "inputs.json").unlink()
    (copy / "assets" / "inputs.json").mkdir()
    refused(copy, "inputs.json is missing")


def test_another_model(tmp_path, whole):
    module = tf.Module()
    tf.saved_model.save(module, str(tmp_path / "other"))
    shutil.copytree(whole / "assets", tmp_path / "other" / "assets", dirs_exist_ok=True)
    refused(tmp_path / "other", "it lacks the signature serving_default(edges, features)")


def test_no_folder_at_all(tmp_path):
    refused(tmp_path / "none", "saved_model.pb is missing")


@pytest.mark.parametrize(
    "config",
    [
        "[" * 100_000, "[]", '{"data": 5, "digest": "x"}',
        '{"data": {"dataset": 5}, "digest": "x"}',
        '{"data": {"dataset": "a", "seed": "x"}, "digest": "x"}',
        '{"data": {"dataset": "a"}, "digest": 5}',
    ],
)  # fmt: skip
def test_a_damaged_config_of_the_run_counts_as_none(tmp_path, config):
    (tmp_path / "config.json").write_text(config)
    assert prediction.training_data(tmp_path) is None


@pytest.mark.parametrize(
    ("features", "edges"),
    [
        ([[1, 2, 3], [4]], [[0, 1]]), ([["a", "b", "c"]], [[0, 0]]), (None, [[0, 0]]),
        (5, [[0, 0]]),
        (np.ones((2, 3), complex), [[0, 1]]), (np.ones((2, 3), object), [[0, 1]]),
        (np.ones((2, 3)), [[0, 1], [2]]), (np.ones((2, 3)), None), (np.ones((2, 3)), [["a", "b"]]),
        (np.ones((2, 3)), [[10**400, 0]]), (np.ones((2, 3)), [[0.5, 1]]),
        ([[10**400] * 3], [[0, 0]]),
    ],
)  # fmt: skip
def test_odd_requests_are_refused_by_value(whole, features, edges):
    with pytest.raises(ValueError, match=r"Received") as error:
        m.load_saved_model(whole).predict(features, edges)
    assert type(error.value) is ValueError


def test_a_graph_that_the_model_refuses(whole):
    graph = datasets.Graph(
        name="loud", num_nodes=4, num_classes=2, features=np.full((4, 3), 1e30), edges=[[0, 1]],
        labels=[0, 1, 0, 1], train=[], val=[], test=[],
    )  # fmt: skip
    with pytest.raises(RunError, match="The model rejects loud: `features` must be finite"):
        prediction.predict(graph, graph.features, m.load_saved_model(whole))


def test_a_list_is_as_good_as_an_array(whole):
    served = m.load_saved_model(whole)
    rows = np.eye(4, 3)
    for edges in ([[0, 1]], [], np.empty((0, 2))):
        expected = served.predict(rows, edges)["logits"]
        np.testing.assert_array_equal(served.predict(rows.tolist(), edges)["logits"], expected)
    assert json.loads((whole / "assets" / "class_names.json").read_text()) == ["a", "b"]
