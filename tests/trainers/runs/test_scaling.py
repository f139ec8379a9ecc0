"""Features of any scale, from the flag to the served model."""

import dataclasses
import functools
import json

import numpy as np
import pytest
import scipy.sparse as sp
import tensorflow as tf
from commands import assert_one_clear_sentence, run_with_fewer_pictures

import mixhop_tf

run = functools.partial(run_with_fewer_pictures, "train")


def with_features(graph, features):
    return dataclasses.replace(graph, features=sp.csr_array(features))


@pytest.fixture(scope="module")
def in_strange_units(small_graph, tmp_path_factory):
    """One feature in millions and far from zero, the other in millionths."""
    path = tmp_path_factory.mktemp("strange") / "graph.npz"
    graph = with_features(small_graph, small_graph.features.toarray() * [1e6, 1e-6] + [1e9, 0])
    graph.save(path)
    return graph, path


def test_units_play_no_part_and_the_served_model_knows_them(in_strange_units, tmp_path):
    graph, path = in_strange_units
    flags = ("--max_steps", 60, "--learning_rate", 1, "--hidden_dropout", 0.3)
    answer = run("--dataset", path, *flags, "--input_dropout", 0, "--out", "own", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    record = json.loads((tmp_path / "own" / "record.json").read_text())
    assert record["val_accuracy"] > 0.35  # of six classes
    model = mixhop_tf.load_model(tmp_path / "own" / "model.keras")
    features = tf.constant(graph.features.toarray())
    logits = model((features, model.operator(graph.edges, graph.num_nodes))).numpy()
    served = tf.saved_model.load(str(tmp_path / "own" / "saved_model"))
    found = served.signatures["serving_default"](features=features, edges=tf.constant(graph.edges))
    np.testing.assert_allclose(found["logits"], logits, atol=1e-4)
    predicted = logits.argmax(1)[graph.val]
    assert np.mean(predicted == graph.labels[graph.val]) == record["val_accuracy"]


def test_an_architecture_is_learned_on_them_and_may_start_from_what_survived(
    in_strange_units, tmp_path
):
    _, path = in_strange_units
    answer = run_with_fewer_pictures(
        "learn_arch",
        *("--dataset", path, "--width", 12, "--retrain_max_steps", 20, "--wide_max_steps", 20),
        *("--budget", "columns=9,6", "--runs", 1, "--restart", "surviving", "--out", "own"),
        *("--lasso", "1e-3", "--importance", "loss"),
        cwd=tmp_path,
    )
    assert answer.returncode == 0, answer.stderr
    assert (tmp_path / "own" / "saved_model").is_dir()


def test_a_scaling_that_is_none_is_refused(in_strange_units, tmp_path):
    answer = run("--dataset", in_strange_units[1], "--scaling", "minmax", cwd=tmp_path)
    assert_one_clear_sentence(answer, "scaling", "auto")
