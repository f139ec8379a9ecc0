"""The server answers what `trainers.predict` answers, also on a changed graph."""

import json
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from trainers.runs import prediction, trained
from trainers.sweeps.data_config import DataConfig

pytest.importorskip("fastapi", reason="the server needs requirements-serve.lock")
pytest.importorskip("uvicorn", reason="the server needs requirements-serve.lock")

DORA = {"id": "dora", "columns": {"age": 31, "job": "smith", "owner": True}}


def whole(served):
    """What the model answers for the whole graph as it is now."""
    now = served._live.snapshot()
    return served.model.predict(now.features.toarray(), now.edges)["logits"]


def test_many_clients_get_the_answers_of_predict(client, expected, loaded):
    def ask(number):
        status, node = client.ask("GET", f"/nodes/p{number}")
        return status == 200 and node["id"] == f"p{number}" and node

    with ThreadPoolExecutor(16) as pool:
        nodes = list(pool.map(ask, range(loaded.graph.num_nodes)))
    np.testing.assert_allclose([node["logits"] for node in nodes], expected["logits"], atol=1e-6)
    names = loaded.model.class_names
    assert [node["label"] for node in nodes] == [names[label] for label in expected["labels"]]
    found = [[node["probabilities"][name] for name in names] for node in nodes]
    np.testing.assert_allclose(found, expected["probabilities"], atol=1e-6)
    assert max(node["field_size"] for node in nodes) <= loaded.graph.num_nodes


def test_a_new_node_is_answered_as_predict_answers_the_changed_tables(client, town, tmp_path):
    status, found = client.ask(
        "POST", "/nodes", DORA | {"neighbors": [{"id": "p3"}, {"id": "p50"}]}
    )
    assert (status, found["created"]) == (201, True)
    tables = tmp_path / "town"
    shutil.copytree(town[0], tables)
    with open(tables / "features.csv", "a") as file:
        file.write("dora,31,smith,yes\n")
    with open(tables / "edges.csv", "a") as file:
        file.write("dora,p3\np50,dora\n")
    changed = trained.load(town[1], DataConfig(dataset=str(tables)))
    answer = prediction.predict(changed.graph, changed.features, changed.model)
    logits = dict(zip(changed.graph.node_ids.tolist(), answer["logits"].tolist(), strict=True))
    np.testing.assert_allclose(found["logits"], logits["dora"], atol=1e-6)
    for name in ("p3", "p50", "p0"):
        status, node = client.ask("GET", f"/nodes/{name}")
        np.testing.assert_allclose(node["logits"], logits[name], atol=1e-6)


def test_changes_of_every_kind(client, served):
    assert client.ask("POST", "/nodes", DORA)[0] == 201
    edges = [{"source": "dora", "target": f"p{i}"} for i in (1, 2, 3)]
    status, answer = client.ask("POST", "/edges", {"edges": edges})
    assert status == 200
    assert [node["id"] for node in answer["nodes"]] == ["dora", "p1", "p2", "p3"]
    status, node = client.ask(
        "POST", "/nodes", {"id": "p1", "columns": DORA["columns"] | {"age": None}}
    )
    assert (status, node["created"]) == (200, False)
    assert client.ask("DELETE", "/edges?source=p2&target=dora") == (200, {"removed": True})
    assert client.ask("DELETE", "/edges?source=p2&target=dora") == (200, {"removed": False})
    assert client.ask("DELETE", "/nodes/p50") == (200, {"removed": True})
    status, node = client.ask("GET", "/nodes/dora")
    assert (node["degree"], node["neighbors"]) == (2, ["p1", "p3"])
    logits = whole(served)
    np.testing.assert_allclose(node["logits"], logits[60], atol=1e-6)
    for i in (1, 2, 3, 10):
        status, node = client.ask("GET", f"/nodes/p{i}")
        np.testing.assert_allclose(node["logits"], logits[i], atol=1e-6)
    assert client.ask("GET", "/nodes/p50")[0] == 404
    # The id is free again.
    assert client.ask("POST", "/nodes", DORA | {"id": "p50"})[1]["created"] is True


def test_an_explanation_adds_up_on_the_changed_graph(client):
    client.ask("POST", "/nodes", DORA | {"neighbors": [{"id": "p3"}]})
    status, found = client.ask("GET", "/nodes/dora/explanation?top=5")
    assert (status, found["id"]) == (200, "dora")
    total = sum(each["contribution"] for each in found["by_distance"]) + found["constant"]
    assert total == pytest.approx(found["logit"], abs=1e-4)
    logits = client.ask("GET", "/nodes/dora")[1]["logits"]
    np.testing.assert_allclose(found["logits"], logits, atol=1e-4)
    assert {each["id"] for each in found["by_node"]} >= {"dora"}
    assert client.ask("GET", "/nodes/nobody/explanation")[0] == 404


def test_rows_and_columns_of_tensorflow_serving(client, expected, loaded):
    url = "/v1/models/town:predict"
    status, answer = client.ask("POST", url, {"instances": ["p1", {"nodes": "p2"}]})
    assert status == 200
    rows = answer["predictions"]
    np.testing.assert_allclose([row["logits"] for row in rows], expected["logits"][1:3], atol=1e-6)
    assert [row["labels"] for row in rows] == expected["labels"][1:3].tolist()
    features = loaded.graph.features.toarray().tolist()
    inputs = {"features": features, "edges": loaded.graph.edges.tolist()}
    status, answer = client.ask("POST", url, {"inputs": inputs})
    assert status == 200
    for name in ("logits", "probabilities", "labels"):  # to the bit
        np.testing.assert_array_equal(
            np.asarray(answer["outputs"][name], expected[name].dtype), expected[name]
        )
    pairs = np.argwhere(np.array(features))
    sparse = {
        "indices": pairs.tolist(),
        "values": [features[i][j] for i, j in pairs],
        "num_nodes": len(features),
        "edges": inputs["edges"],
    }
    status, answer = client.ask(
        "POST",
        "/v1/models/town/versions/1:predict",
        {"signature_name": "sparse_features", "inputs": sparse},
    )
    np.testing.assert_allclose(answer["outputs"]["logits"], expected["logits"], atol=1e-5)
    two = {"features": features[:1], "edges": []}
    status, answer = client.ask("POST", url, {"signature_name": "embeddings", "inputs": two})
    assert status == 200
    assert np.shape(answer["outputs"]) == (1, 6)
    rows = [{"features": row, "edges": [0, 1]} for row in features[:2]]
    status, answer = client.ask("POST", url, {"instances": rows})
    assert status == 200
    assert len(answer["predictions"]) == 2


def test_status_and_metadata_of_tensorflow_serving(client, town):
    answer = client.ask("GET", "/v1/models/town")[1]
    assert answer["model_version_status"][0]["state"] == "AVAILABLE"
    found = [
        client.ask("GET", path)
        for path in (
            "/v1/models/town/metadata",
            "/v1/models/town:metadata",
            "/v1/models/town/versions/1/metadata",
        )
    ]
    assert found[0] == found[1] == found[2]
    signatures = found[0][1]["metadata"]["signature_def"]["signature_def"]
    assert {"serving_default", "sparse_features", "embeddings", "nodes"} <= set(signatures)
    features = signatures["serving_default"]["inputs"]["features"]
    assert features["dtype"] == "DT_FLOAT"
    assert [dim["size"] for dim in features["tensor_shape"]["dim"]] == ["-1", "-1"]


def test_readers_are_not_disturbed_by_writers(client, served):
    """While edges of one node change, a node of another component keeps its answer."""
    client.ask("POST", "/nodes", DORA)
    client.ask("POST", "/nodes", DORA | {"id": "emil", "neighbors": [{"id": "p9"}]})
    without = client.ask("GET", "/nodes/dora")[1]["logits"]
    edges = {"edges": [{"source": "dora", "target": name} for name in ("p1", "p2")]}
    with_both = client.ask("POST", "/edges", edges)[1]["nodes"][0]["logits"]
    stop = threading.Event()

    def write():
        while not stop.is_set():
            client.ask("DELETE", "/nodes/dora")
            client.ask("POST", "/nodes", DORA | {"neighbors": [{"id": "p1"}, {"id": "p2"}]})

    writer = threading.Thread(target=write)
    writer.start()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: client.ask("GET", "/nodes/dora"), range(60)))
    stop.set()
    writer.join()
    assert {status for status, _ in answers} <= {200, 404}
    for status, node in answers:
        if status == 200:
            close = [np.allclose(node["logits"], each, atol=1e-5) for each in (without, with_both)]
            assert close == [False, True]


def test_the_description_names_every_address(client):
    status, found = client.ask("GET", "/openapi.json")
    assert status == 200
    paths = {"/nodes", "/nodes/{node}", "/nodes/{node}/explanation", "/edges", "/healthz"}
    assert paths | {"/readyz", "/metrics", "/v1/models/town:predict"} <= set(found["paths"])
    assert "HTTPValidationError" not in json.dumps(found["paths"])


def test_figures_for_those_who_run_it(client):
    assert client.ask("GET", "/healthz") == (200, {"status": "ok"})
    assert client.ask("GET", "/readyz")[1]["nodes"] == 60
    client.ask("GET", "/nodes/p1")
    client.ask("GET", "/nodes/nobody")
    client.ask("POST", "/nodes", DORA)
    _, text, headers = client.raw("GET", "/metrics")
    assert headers["content-type"].startswith("text/plain")
    lines = text.decode().splitlines()
    assert (
        'mixhop_requests_total{method="GET",route="/nodes/{node:path}",status="200"} 1.0' in lines
    )
    assert (
        'mixhop_requests_total{method="GET",route="/nodes/{node:path}",status="404"} 1.0' in lines
    )
    assert "mixhop_nodes 61.0" in lines
