"""A served model refuses bad requests and keeps the node ids private."""

import numpy as np
import pytest
import tensorflow as tf

import mixhop_tf as m

RNG = np.random.default_rng(0)
EDGES = np.unique(np.sort(RNG.integers(0, 30, (60, 2)), axis=1), axis=0)
EDGES = EDGES[EDGES[:, 0] != EDGES[:, 1]]
FEATURES = (RNG.random((30, 8)) < 0.4).astype(np.float32)
INPUTS = tf.constant(FEATURES), m.normalized_adjacency(EDGES, 30)


@pytest.fixture(scope="module")
def small_path(tmp_path_factory):
    model = m.build_model(m.Architecture.default(2), 3, 2, seed=0)
    inputs = tf.eye(4, 3), m.normalized_adjacency([[0, 1], [1, 2]], 4)
    path = tmp_path_factory.mktemp("served") / "model"
    return m.export_saved_model(model, path, inputs, max_nodes=50)


@pytest.fixture(scope="module")
def small_served(small_path):
    return m.load_saved_model(small_path).signatures


def sparse_request(num_nodes, edges=((0, 1),), indices=((0, 0),)):
    return {
        "indices": tf.constant(indices, tf.int64),
        "values": tf.ones([len(indices)]),
        "num_nodes": tf.constant(num_nodes, tf.int64),
        "edges": tf.constant(edges, tf.int64),
    }


def test_a_short_request_cannot_ask_for_many_nodes(small_served):
    served = small_served["sparse_features"]
    assert served(**sparse_request(50))["labels"].shape == 50
    with pytest.raises(tf.errors.InvalidArgumentError, match="the model serves 50 nodes at most"):
        served(**sparse_request(51))
    with pytest.raises(tf.errors.InvalidArgumentError, match="nodes at most"):
        served(**sparse_request(10**12))


def test_the_limit_is_generous_for_the_training_graph(tmp_path):
    model = m.build_model(m.Architecture.default(2), 3, 2, seed=0)
    inputs = tf.eye(4, 3), m.normalized_adjacency([[0, 1]], 4)
    served = m.load_saved_model(m.export_saved_model(model, tmp_path / "model", inputs)).signatures
    assert served["sparse_features"](**sparse_request(100_000))["labels"].shape == 100_000
    with pytest.raises(tf.errors.InvalidArgumentError, match="100,000 nodes at most"):
        served["sparse_features"](**sparse_request(100_001))


def test_a_third_column_is_refused_not_ignored(small_served):
    wide = tf.constant([[0, 1, 1]], tf.int64)
    with pytest.raises(tf.errors.InvalidArgumentError, match="edges: two columns are needed"):
        small_served["serving_default"](features=tf.eye(4, 3), edges=wide)
    for name in ("edges", "indices"):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"{name}: two columns"):
            small_served["sparse_features"](**sparse_request(4) | {name: wide})


@pytest.mark.parametrize("size", [3e38, -3e38])
def test_features_that_overflow_are_refused_not_answered(small_served, size):
    edges = tf.constant([[0, 1]], tf.int64)
    with pytest.raises(tf.errors.InvalidArgumentError, match="too large"):
        small_served["serving_default"](features=tf.fill([4, 3], size), edges=edges)


def export_with_ids(path, **options):
    model = m.build_model(m.Architecture.default(2), 3, 2, seed=0)
    inputs = tf.eye(2, 3), m.normalized_adjacency([[0, 1]], 2)
    ids = ["customer 17", "customer 4"]
    return m.export_saved_model(model, path, inputs, node_ids=ids, **options)


def test_node_ids_stay_private_and_new_nodes_are_still_told(tmp_path):
    path = export_with_ids(tmp_path / "model")
    for file in path.rglob("*"):
        if file.is_file():
            assert b"customer" not in file.read_bytes(), file
    served = m.load_saved_model(path)
    assert served.node_ids is None
    assert served.new_nodes(["customer 4", "customer 5"]) == ["customer 5"]


def test_node_ids_are_kept_if_asked_for(tmp_path):
    path = export_with_ids(tmp_path / "model", keep_node_ids=True)
    served = m.load_saved_model(path)
    assert served.node_ids == ("customer 17", "customer 4")
    (path / "assets" / "known_nodes.json").unlink()  # earlier versions did not write it
    assert m.load_saved_model(path).new_nodes(["customer 4", "x"]) == ["x"]


def test_a_model_without_node_ids_cannot_tell_new_ones(small_path):
    assert m.load_saved_model(small_path).new_nodes(["x"]) is None


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8, np.bool_])
def test_features_of_any_number_type_are_served(small_path, dtype):
    served = m.load_saved_model(small_path)
    features = np.eye(4, 3)
    expected = served.predict(features, [[0, 1]])["logits"]
    np.testing.assert_array_equal(
        served.predict(features.astype(dtype), [[0, 1]])["logits"], expected
    )
