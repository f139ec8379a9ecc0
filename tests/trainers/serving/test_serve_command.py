"""`python -m trainers.serve` and `python -m trainers.export`."""

import json
import os
import re
import signal
import socket
import subprocess
import sys

import pytest
import tensorflow as tf
from commands import ROOT, assert_one_clear_sentence, run_command
from small_server import Client, make_served

import datasets
from trainers.runs import trained
from trainers.serving.errors import RequestError
from trainers.serving.node_features import NodeFeatures
from trainers.sweeps import extras
from trainers.sweeps.errors import RunError

COLUMNS = {"age": 31, "job": "smith", "owner": True}


def test_it_serves_until_it_is_asked_to_stop(town, tmp_path):
    pytest.importorskip("uvicorn", reason="the server needs requirements-serve.lock")
    flags = ["--model", town[1], "--dataset", town[0], "--port", "0", "--journal", "journal.jsonl"]
    with subprocess.Popen(
        [sys.executable, "-m", "trainers.serve", *map(str, flags)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            lines = ""
            while not (found := re.search(r"serving model at http://127.0.0.1:(\d+)", lines)):
                line = process.stdout.readline()
                assert line, process.stderr.read()
                lines += line
            client = Client(int(found[1]))
            assert client.ask("POST", "/nodes", {"id": "dora", "columns": COLUMNS})[0] == 201
            process.send_signal(signal.SIGTERM)
            printed, complaints = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, printed, complaints) == (0, "stopped\n", "")
    last = json.loads((tmp_path / "journal.jsonl").read_text().splitlines()[-1])
    assert (last["do"], last["id"]) == ("node", "dora")


def test_the_body_of_an_answer_does_not_wait_for_the_client():
    pytest.importorskip("uvicorn", reason="the server needs requirements-serve.lock")
    from trainers.serving import server

    with server._listening("127.0.0.1", 0) as listening:
        # asyncio turns Nagle's algorithm off for such sockets alone.
        assert listening.proto == socket.IPPROTO_TCP


def test_wrong_flags_get_one_sentence(town):
    pytest.importorskip("uvicorn", reason="the server needs requirements-serve.lock")
    flags = ["--model", town[1], "--dataset", town[0]]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = run_command("serve", *flags, "--port", port)
        assert_one_clear_sentence(answer, f"cannot listen on 127.0.0.1:{port}", "--port")
    answer = run_command("serve", *flags, "--name", "a b")
    assert_one_clear_sentence(answer, "--name must be made of letters")
    assert_one_clear_sentence(run_command("serve", "--dataset", town[0]), "--model must be given")


def test_a_missing_package_is_named_with_the_command_that_installs_it():
    with pytest.raises(RunError, match=r"no_such_package; install .* -r requirements-serve.lock"):
        extras.require("serve", "json", "no_such_package")


def test_the_folder_of_tensorflow_serving_warms_up(town, loaded, tmp_path):
    pytest.importorskip("tensorflow_serving", reason="needs requirements-serve.lock")
    from tensorflow_serving.apis import prediction_log_pb2

    from trainers.serving import tf_folder

    folder = tf_folder.write(loaded, town[1], tmp_path / "town", 3, "town")
    assert folder == tmp_path / "town" / "3"
    signatures = tf.saved_model.load(str(folder)).signatures
    records = tf.data.TFRecordDataset(str(folder / tf_folder.WARM_UP)).as_numpy_iterator()
    names = []
    for record in records:
        request = prediction_log_pb2.PredictionLog.FromString(record).predict_log.request
        names.append(request.model_spec.signature_name)
        assert request.model_spec.name == "town"
        inputs = {key: tf.make_ndarray(value) for key, value in request.inputs.items()}
        answer = signatures[names[-1]](**{key: tf.constant(each) for key, each in inputs.items()})
        assert {each.shape[0] for each in answer.values()} == {loaded.graph.num_nodes}
    assert names == sorted(signatures)
    with pytest.raises(ValueError, match="must be new"):
        tf_folder.write(loaded, town[1], tmp_path / "town", 3, "town")


def test_features_that_are_computed_from_the_edges_cannot_change(loaded):
    recipe = datasets.recipes.recipe.Recipe(stand_ins="spectral").to_dict()
    model = trained.dataclasses.replace(loaded.model, recipe=recipe)
    served = make_served(trained.dataclasses.replace(loaded, model=model))
    with pytest.raises(RequestError, match="computed from the edges"):
        served.change({"do": "edges", "edges": [{"source": "p1", "target": "p2"}]})
    assert served.nodes(["p1"])[0]["id"] == "p1"


def test_features_by_name_number_or_all(loaded):
    names = loaded.model.feature_names
    features = NodeFeatures(loaded.model)
    row = features.row(COLUMNS, None)
    by_name = {name: float(value) for name, value in zip(names, row, strict=True) if value}
    assert (features.row(None, by_name) == row).all()
    assert (features.row(None, row.tolist()) == row).all()
    unnamed = NodeFeatures(trained.dataclasses.replace(loaded.model, feature_names=None))
    assert unnamed.row(None, {"2": 1.5}).tolist() == [0, 0, 1.5, *[0] * (len(names) - 3)]
    with pytest.raises(RequestError, match="no feature 99"):
        unnamed.row(None, {"99": 1})
    with pytest.raises(RequestError, match="no recipe"):
        unnamed.row(COLUMNS, None)
