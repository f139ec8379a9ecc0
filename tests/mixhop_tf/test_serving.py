import json
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import scipy.sparse as sp
import tensorflow as tf
from small_models import LEARNED

import datasets
import mixhop_tf as m

RNG = np.random.default_rng(0)
EDGES = np.unique(np.sort(RNG.integers(0, 30, (60, 2)), axis=1), axis=0)
EDGES = EDGES[EDGES[:, 0] != EDGES[:, 1]]
FEATURES = (RNG.random((30, 8)) < 0.4).astype(np.float32)
INPUTS = tf.constant(FEATURES), m.normalized_adjacency(EDGES, 30)


@pytest.fixture(scope="module")
def model():
    return m.build_model(LEARNED, 8, 7, seed=0)


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "deep" / "served"
    return m.export_saved_model(model, path, INPUTS, class_names=list("abcdefg"))


@pytest.fixture(scope="module")
def served(folder):
    return m.load_saved_model(folder)


def test_answers_are_the_models(served, model):
    answer = served.predict(FEATURES, EDGES)
    logits = model(INPUTS).numpy()
    np.testing.assert_allclose(answer["logits"], logits, atol=1e-5)
    np.testing.assert_allclose(answer["probabilities"].sum(axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(answer["labels"], logits.argmax(axis=1))


def test_sparse_features_give_the_same_in_any_order(served):
    expected = served.predict(FEATURES, EDGES)["logits"]
    np.testing.assert_allclose(
        served.predict(sp.csr_array(FEATURES), EDGES)["logits"], expected, atol=1e-5
    )
    rows, columns = np.nonzero(FEATURES)
    order = RNG.permutation(len(rows))
    answer = served.signatures["sparse_features"](
        indices=tf.constant(np.stack([rows, columns], axis=1)[order]),
        values=tf.constant(FEATURES[rows, columns][order]),
        num_nodes=tf.constant(30, tf.int64),
        edges=tf.constant(EDGES),
    )
    np.testing.assert_allclose(answer["logits"], expected, atol=1e-5)


def test_edges_may_be_shuffled_doubled_reversed_and_loop(served):
    expected = served.predict(FEATURES, EDGES)["logits"]
    loops = np.stack([np.arange(30)] * 2, axis=1)
    for edges in (
        RNG.permutation(EDGES),
        EDGES[:, ::-1],
        np.concatenate([EDGES, EDGES[::-1, ::-1], EDGES]),
        np.concatenate([EDGES, loops]),
    ):
        np.testing.assert_array_equal(served.predict(FEATURES, edges)["logits"], expected)


def test_a_new_node_gets_an_answer_and_far_nodes_keep_theirs(served):
    grown = np.concatenate([FEATURES, np.ones((1, 8), np.float32)])
    alone = served.predict(grown, EDGES)["logits"]
    np.testing.assert_allclose(alone[:30], served.predict(FEATURES, EDGES)["logits"], atol=1e-5)
    linked = served.predict(grown, np.concatenate([EDGES, [[0, 30]]]))["logits"]
    assert np.isfinite(linked).all()
    assert np.abs(linked[30] - alone[30]).max() > 1e-4


def test_graph_without_edges(served):
    assert served.predict(FEATURES, np.empty((0, 2)))["labels"].shape == (30,)


def dense_request(features, edges):
    return {"features": tf.constant(features, tf.float32), "edges": tf.constant(edges, tf.int64)}


def sparse_request(indices, values, num_nodes, edges=((0, 1),)):
    return {
        "indices": tf.reshape(tf.constant(indices, tf.int64), [-1, 2]),
        "values": tf.constant(values, tf.float32),
        "num_nodes": tf.constant(num_nodes, tf.int64),
        "edges": tf.reshape(tf.constant(edges, tf.int64), [-1, 2]),
    }


@pytest.mark.parametrize(
    ("request_", "culprit"),
    [
        (dense_request(FEATURES[:, :5], EDGES), "the model takes 8 columns"),
        (dense_request(FEATURES * np.nan, EDGES), "features: not finite"),
        (dense_request(FEATURES, [[0, 30]]), "edges: an end is no node: too large"),
        (dense_request(FEATURES, [[-1, 3]]), "edges: an end is no node: negative"),
        (sparse_request([[0, 8]], [1.0], 30), "indices: the model takes 8 columns"),
        (sparse_request([[30, 0]], [1.0], 30), "indices: a row is no node"),
        (sparse_request([[1, 2], [1, 2]], [1.0, 1.0], 30), "an entry is given twice"),
        (sparse_request([[1, 2]], [np.inf], 30), "values: not finite"),
        (sparse_request([[1, 2]], [1.0], 30, [[0, 30]]), "edges: an end is no node"),
        (sparse_request([], [], -1, []), "nodes at most: negative"),
        (sparse_request([], [], 2**40, []), "nodes at most: too large"),
    ],
)
def test_bad_requests_are_refused_in_clear_words(served, request_, culprit):
    name = "serving_default" if "features" in request_ else "sparse_features"
    with pytest.raises(tf.errors.InvalidArgumentError, match=culprit):
        served.signatures[name](**request_)


@pytest.mark.parametrize("features", [FEATURES[:, :5], sp.csr_array(FEATURES[:, :5]), FEATURES[0]])
def test_another_number_of_features_is_refused(served, features):
    with pytest.raises(ValueError, match=r"must have the shape \[n, 8\]"):
        served.predict(features, EDGES)


def test_edges_in_columns_are_refused_not_bent(served):
    with pytest.raises(ValueError, match=r"integers of shape \[m, 2\]"):
        served.predict(FEATURES, EDGES.T)


def test_entries_stored_in_parts_are_summed(served):
    rows, columns = np.nonzero(FEATURES)
    halves = sp.coo_array(
        (np.full(2 * len(rows), 0.5), (np.tile(rows, 2), np.tile(columns, 2))), shape=(30, 8)
    )
    expected = served.predict(FEATURES, EDGES)["logits"]
    np.testing.assert_allclose(served.predict(halves, EDGES)["logits"], expected, atol=1e-5)


def test_every_choice_of_the_model_is_exported(tmp_path):
    model = m.build_model(
        m.Architecture.default(3), 8, 3, scaling="none", shared_first_kernel=True, seed=0
    )
    inputs = tf.constant(3 * FEATURES), INPUTS[1]
    served = m.load_saved_model(m.export_saved_model(model, tmp_path / "served", inputs))
    expected = model(inputs)
    answer = served.predict(3 * FEATURES, EDGES)["logits"]
    np.testing.assert_allclose(answer, expected, atol=1e-5)


def test_what_is_no_saved_model_is_not_replaced(model, tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("precious")
    for path in (tmp_path / "thesis", tmp_path / "thesis" / "chapter.txt"):
        with pytest.raises(ValueError, match="something else than a SavedModel"):
            m.export_saved_model(model, path, INPUTS)
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "precious"


def test_architecture_and_class_names_travel_along(served, folder):
    assert served.architecture == LEARNED
    assert served.class_names == tuple("abcdefg")
    assert json.loads((folder / "assets" / "class_names.json").read_text()) == list("abcdefg")


def test_exporting_again_replaces_and_a_failure_keeps_what_was_there(model, tmp_path):
    path = tmp_path / "served"
    m.export_saved_model(model, path, INPUTS)
    m.export_saved_model(model, path, INPUTS)
    assert [each.name for each in tmp_path.iterdir()] == ["served"]
    with pytest.raises(ValueError, match="`class_names` must hold 7 names"):
        m.export_saved_model(model, path, INPUTS, class_names=["a"])
    assert m.load_saved_model(path).class_names == tuple("0123456")


def serve_with_tensorflow_alone(folder, features, edges, scratch):
    """Returns the logits from a new process that does not import this project."""
    np.savez(scratch / "inputs.npz", features=features, edges=edges)
    script = f"""
        import sys
        import numpy as np, tensorflow as tf
        data = np.load({str(scratch / "inputs.npz")!r})
        serve = tf.saved_model.load({str(folder)!r}).signatures["serving_default"]
        answer = serve(features=tf.constant(data["features"]), edges=tf.constant(data["edges"]))
        np.save({str(scratch / "logits.npy")!r}, answer["logits"])
        assert not any(name.startswith(("mixhop_tf", "datasets")) for name in sys.modules)
    """
    answer = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=scratch,
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    return np.load(scratch / "logits.npy")


def test_tensorflow_alone_can_serve_it(folder, model, tmp_path):
    logits = serve_with_tensorflow_alone(folder, FEATURES, EDGES, tmp_path)
    np.testing.assert_allclose(logits, model(INPUTS), atol=1e-5)


@pytest.mark.network
def test_cora_served_by_tensorflow_alone_gives_the_trainers_logits(tmp_path):
    graph = datasets.load("cora")
    inputs = (
        m.sparse_tensor(graph.features),
        m.normalized_adjacency(graph.edges, graph.num_nodes),
    )
    model = m.build_model(LEARNED, graph.num_features, graph.num_classes, seed=3)
    path = m.export_saved_model(model, tmp_path / "served", inputs, graph.class_names)
    served = m.load_saved_model(path)
    logits = model(inputs).numpy()
    messy = np.concatenate([graph.edges[::-1, ::-1], graph.edges])
    np.testing.assert_allclose(served.predict(graph.features, messy)["logits"], logits, atol=1e-5)
    alone = serve_with_tensorflow_alone(path, graph.features.toarray(), graph.edges, tmp_path)
    np.testing.assert_allclose(alone, logits, atol=1e-5)
    assert served.class_names[0] == "Theory"


def test_a_recipe_travels_along_and_a_damaged_one_is_refused(model, tmp_path):
    recipe = {"version": 1, "columns": [{"name": "Größe"}]}
    path = m.export_saved_model(model, tmp_path / "served", INPUTS, recipe=recipe)
    assert m.load_saved_model(path).recipe == recipe
    (path / "assets" / "recipe.json").write_text("[1]")
    with pytest.raises(ValueError, match=r"recipe\.json must hold an object, but holds \[1\]"):
        m.load_saved_model(path)


def test_the_keras_model_comes_back(served):
    expected = served.predict(FEATURES, EDGES)["logits"]
    np.testing.assert_allclose(served.model(INPUTS), expected, atol=1e-6)
    assert served.model.frozen


def test_a_model_of_an_earlier_version_serves_without_a_keras_model(folder, tmp_path):
    copy = tmp_path / "served"
    shutil.copytree(folder, copy)
    inputs = json.loads((copy / "assets" / "inputs.json").read_text())
    for name in ("scaling", "shared_first_kernel"):
        del inputs[name]
    (copy / "assets" / "inputs.json").write_text(json.dumps(inputs))
    served = m.load_saved_model(copy)
    assert served.model is None
    assert served.predict(FEATURES, EDGES)["labels"].shape == (30,)


@pytest.mark.parametrize("scaling", [5, "sideways"])
def test_an_unknown_scaling_is_refused(folder, tmp_path, scaling):
    copy = tmp_path / "served"
    shutil.copytree(folder, copy)
    inputs = json.loads((copy / "assets" / "inputs.json").read_text())
    (copy / "assets" / "inputs.json").write_text(json.dumps(inputs | {"scaling": scaling}))
    with pytest.raises(ValueError, match="scaling"):
        m.load_saved_model(copy)
