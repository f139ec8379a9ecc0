"""A request that is wrong gets one sentence, never an error of the server, and changes nothing."""

import asyncio
import socket
import time

import pytest
from small_server import make_request, make_served, running

pytest.importorskip("fastapi", reason="the server needs requirements-serve.lock")
pytest.importorskip("uvicorn", reason="the server needs requirements-serve.lock")

COLUMNS = {"age": 31, "job": "smith", "owner": True}
HUGE = b"9" * 400
PREDICT = "/v1/models/town:predict"

NODES = {
    "no JSON": (b"{", 422, "JSON"),
    "not an object": ([], 422, "fit"),
    "no id": ({"columns": COLUMNS}, 422, "id"),
    "an empty id": ({"id": "", "columns": COLUMNS}, 422, "id"),
    "a long id": ({"id": "x" * 2000, "columns": COLUMNS}, 422, "id"),
    "an id of control characters": ({"id": "a\u0000b", "columns": COLUMNS}, 422, "printable"),
    "half a surrogate": (b'{"id": "\\ud800", "columns": {}}', 422, "id"),
    "an address as id": ({"id": "x/explanation", "columns": COLUMNS}, 422, "explanation"),
    "nothing to go by": ({"id": "x"}, 422, "columns"),
    "both": ({"id": "x", "columns": COLUMNS, "features": [1]}, 422, "not both"),
    "a column is missing": ({"id": "x", "columns": {"age": 1}}, 422, "job"),
    "text for a number": ({"id": "x", "columns": COLUMNS | {"age": "old"}}, 422, "'old'"),
    "NaN": (b'{"id": "x", "columns": {"age": NaN}}', 422, "finite"),
    "infinite": (b'{"id": "x", "columns": {"age": 1e999}}', 422, "finite"),
    "too large for float32": ({"id": "x", "columns": COLUMNS | {"age": 1e300}}, 422, "float32"),
    "400 digits": (b'{"id": "x", "columns": {"age": %s}}' % HUGE, 422, "finite"),
    "5,000 digits": (b'{"id": "x", "columns": {"age": %s}}' % (b"9" * 5000), 400, "pars"),
    "a list as a cell": ({"id": "x", "columns": COLUMNS | {"age": [1]}}, 422, "finite"),
    "too few features": ({"id": "x", "features": [1, 2]}, 422, "numbers"),
    "large features": ({"id": "x", "features": [1e30] * 6}, 422, "1e"),
    "an unknown feature": ({"id": "x", "features": {"height": 1}}, 422, "height"),
    "an unknown neighbour": (
        {"id": "x", "columns": COLUMNS, "neighbors": [{"id": "nobody"}]}, 404, "nobody",
    ),
    "itself": ({"id": "x", "columns": COLUMNS, "neighbors": [{"id": "x"}]}, 422, "itself"),
    "a weight": (
        {"id": "x", "columns": COLUMNS, "neighbors": [{"id": "p1", "weight": 2}]},
        422,
        "no weights",
    ),
    "a mistyped field": ({"id": "x", "column": COLUMNS}, 422, "column"),
    "deep": (b"[" * 50_000, 400, "pars"),
    "not UTF-8": (b'{"id": "\xff"}', 400, "pars"),
}  # fmt: skip

PREDICTIONS = {
    "no JSON": (b"{", "JSON"),
    "nothing": (b"", "JSON"),
    "a number": (1, "instances"),
    "both": ({"instances": ["p1"], "inputs": {}}, "one of"),
    "no instances": ({"instances": []}, "at least one"),
    "deep": (b"[" * 50_000, "deep"),
    "NaN": (b'{"inputs": {"features": [[NaN]], "edges": []}}', "NaN"),
    "a signature": ({"signature_name": "x", "instances": ["p1"]}, "signatures are"),
    "a signature of another type": ({"signature_name": [1], "instances": ["p1"]}, "signatures are"),
    "a list of lists": ({"signature_name": "nodes", "instances": [["p1"]]}, "list of ids"),
    "an input is missing": ({"inputs": {"features": [[1.0]]}}, "edges"),
    "ragged": ({"inputs": {"features": [[1.0], [1, 2]], "edges": []}}, "equal lengths"),
    "text": ({"inputs": {"features": [["a"]], "edges": []}}, "numbers"),
    "fractions as ends": ({"inputs": {"features": [[1.0]], "edges": [[0.5, 1]]}}, "whole"),
    "too few columns": ({"inputs": {"features": [[1.0]], "edges": []}}, "columns"),
    "an end outside": ({"inputs": {"features": [[1.0] * 6], "edges": [[0, 9]]}}, "no node"),
    "2^63": ({"inputs": {"features": [[1.0] * 6], "edges": [[2**63, 2**63]]}}, "whole"),
    "2^64": ({"inputs": {"features": [[1.0] * 6], "edges": [[0, 2**64]]}}, "whole"),
    "large": ({"inputs": {"features": [[1e30] * 6], "edges": []}}, "too large"),
    "no rows": ({"inputs": {"features": [], "edges": []}}, "from 1"),
    "many rows": (
        {
            "signature_name": "sparse_features",
            "inputs": {"indices": [], "values": [], "num_nodes": 10**9, "edges": []},
        },
        "100,000",
    ),
    "rows without edges": ({"instances": [{"features": [1.0]}]}, "edges"),
}


@pytest.fixture(scope="module")
def served(loaded):
    return make_served(loaded)


@pytest.fixture(scope="module")
def client(served, town):
    with running(served, make_request(town[1])) as client:
        yield client


def assert_refused(answer, status, says):
    assert answer[0] == status, answer
    assert says in answer[1]["error"]
    assert "\n" not in answer[1]["error"]
    assert len(answer[1]["error"]) < 700


@pytest.mark.parametrize("case", NODES)
def test_a_wrong_node_changes_nothing(client, served, case):
    body, status, says = NODES[case]
    before = served.num_changes
    assert_refused(client.ask("POST", "/nodes", body), status, says)
    assert served.num_changes == before
    assert client.ask("GET", "/readyz")[1]["nodes"] == 60


@pytest.mark.parametrize("case", PREDICTIONS)
def test_a_wrong_prediction(client, case):
    body, says = PREDICTIONS[case]
    assert_refused(client.ask("POST", PREDICT, body), 400, says)


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "says"),
    [
        ("GET", "/nodes/nobody", None, 404, "nobody"),
        ("GET", f"/nodes/{'x' * 3000}", None, 422, "1000"),
        ("GET", "/nodes/%00%ff%2F", None, 404, "no node"),
        ("GET", "/nodes/p1/explanation?top=0", None, 422, "top"),
        ("GET", "/nodes/p1/explanation?top=9999999999999999999999", None, 422, "top"),
        ("GET", "/nowhere", None, 404, "/openapi.json"),
        ("GET", "/v1/models/other", None, 404, "/openapi.json"),
        ("PUT", "/edges", {}, 405, "DELETE, POST"),
        ("POST", "/edges", {"edges": []}, 422, "edges"),
        ("POST", "/edges", {"edges": [{"source": "p1", "target": "p1"}]}, 422, "itself"),
        ("POST", "/edges", {"edges": [{"source": "p1", "target": "nobody"}]}, 404, "nobody"),
        ("POST", "/edges", {"edges": [{"source": "p1", "target": "p2"}] * 1001}, 422, "1000"),
        ("DELETE", "/edges?source=p1", None, 422, "target"),
        ("DELETE", "/nodes/nobody", None, 404, "nobody"),
    ],
)  # fmt: skip
def test_other_wrong_requests(client, method, path, body, status, says):
    assert_refused(client.ask(method, path, body), status, says)


def test_a_wrong_method_gets_one_list_of_the_right_ones(client):
    status, _, headers = client.raw("PUT", "/edges")
    assert (status, headers["allow"]) == (405, "DELETE, POST")


def test_a_form_that_is_null_counts_as_missing(client):
    body = {"instances": ["p1"], "inputs": None, "signature_name": None}
    assert client.ask("POST", PREDICT, body)[0] == 200


def test_a_body_that_is_too_large(client):
    for body in (b"x" * 200_000, iter([b"x" * 20_000] * 10)):  # the second is sent in chunks
        try:
            answer = client.ask("POST", "/nodes", body)
        except (BrokenPipeError, ConnectionResetError):
            continue  # the server closed the connection while the body was sent
        assert_refused(answer, 413, "100,000 bytes")


def test_a_limit_of_changes_and_of_the_field(loaded, town):
    served = make_served(loaded, max_changes=2, max_field=2)
    with running(served, make_request(town[1])) as client:
        assert client.ask("POST", "/nodes", {"id": "x", "columns": COLUMNS})[0] == 201
        edge = {"source": "x", "target": "p1"}
        assert_refused(client.ask("POST", "/edges", {"edges": [edge]}), 409, "--max_changes")
        busiest = max(range(60), key=lambda i: len(served.neighbors(f"p{i}")))
        answer = client.ask("GET", f"/nodes/p{busiest}")
        assert_refused(answer, 503, "--max_field")
        assert client.ask("GET", f"/nodes/p{busiest}/explanation")[0] == 503


def test_limits_of_time_and_of_requests_at_once(loaded, town):
    served = make_served(loaded)
    slow = served.nodes

    def wait(names):
        time.sleep(0.8)
        return slow(names)

    served.nodes = wait
    request = make_request(town[1], max_seconds=0.4, max_concurrent=1)
    with running(served, request) as client:
        assert_refused(client.ask("GET", "/nodes/p1"), 503, "0.4 seconds")
        with socket.create_connection(("127.0.0.1", client.port)) as stalled:
            stalled.sendall(b"POST /nodes HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{")
            time.sleep(0.1)
            status, answer, headers = client.raw("GET", "/nodes/p1")
            assert (status, headers["retry-after"]) == (503, "1")
            assert b"busy with 1 requests" in answer
            assert client.ask("GET", "/healthz")[0] == 200
            assert b"408" in stalled.recv(1000)


def test_a_bug_is_logged_and_told_in_one_sentence(loaded, town, caplog):
    served = make_served(loaded)
    served.nodes = lambda names: 1 / 0

    def quiet(application):
        """Starlette raises the error again for the server's log."""

        async def wrapped(scope, receive, send):
            try:
                await application(scope, receive, send)
            except ZeroDivisionError:
                await asyncio.sleep(0)

        return wrapped

    with running(served, make_request(town[1]), wrap=quiet) as client:
        status, answer = client.ask("GET", "/nodes/p1")
    assert (status, answer) == (500, {"error": "The server has a bug; its log has the details."})
    assert "ZeroDivisionError" in caplog.text
