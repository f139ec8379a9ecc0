"""A small model and graph, made from tables, and a server for them on a free port."""

import contextlib
import http.client
import json
import socket
import threading
import time

import numpy as np

import mixhop_tf
from trainers.serving.request import ServeRequest

CLASSES = ("bus", "car", "train")


def write_town(folder, num_nodes=60):
    """Writes tables with numbers, gaps, words and true/false."""
    rng = np.random.default_rng(0)
    folder.mkdir()
    jobs = rng.choice(["baker", "smith", "clerk"], num_nodes)
    rows = [
        f"p{i},{'' if i == 7 else rng.integers(18, 80)},{jobs[i]},{'yes' if i % 3 else 'no'}"
        for i in range(num_nodes)
    ]
    (folder / "features.csv").write_text("\n".join(["node,age,job,owner", *rows]) + "\n")
    labels = [f"p{i},{CLASSES[i % 3]}" for i in range(num_nodes)]
    (folder / "labels.csv").write_text("\n".join(["node,label", *labels]) + "\n")
    pairs = rng.integers(num_nodes, size=(50, 2))
    edges = [f"p{a},p{b}" for a, b in pairs if a != b]
    (folder / "edges.csv").write_text("\n".join(["source,target", *edges]) + "\n")
    return folder


def export_model(graph, folder):
    """Exports a model with random weights, as training would."""
    architecture = mixhop_tf.Architecture.default(len(CLASSES), hidden_dims=(6,))
    model = mixhop_tf.build_model(
        architecture, graph.num_features, len(CLASSES), scaling="standardize", seed=0
    )
    model.adapt(graph.features)
    inputs = graph.features.toarray(), model.operator(graph.edges, graph.num_nodes)
    return mixhop_tf.export_saved_model(
        model,
        folder,
        inputs,
        graph.class_names,
        feature_names=graph.feature_names,
        node_ids=graph.node_ids,
        recipe=graph.recipe.to_dict(),
    )


def make_request(model, **changes):
    fields = {
        "model": model, "name": "town", "host": "127.0.0.1", "port": 0, "journal": None,
        "max_bytes": 100_000, "max_concurrent": 50, "max_seconds": 20.0, "max_field": 1_000,
        "max_changes": 10_000,
    }  # fmt: skip
    return ServeRequest(**fields | changes)


def make_served(loaded, **options):
    from trainers.serving.served_graph import ServedGraph

    return ServedGraph(
        loaded.graph,
        loaded.features,
        loaded.model,
        **{"max_field": 1_000, "max_changes": 10_000} | options,
    )


class Client:
    """Asks a server, each time on a new connection."""

    def __init__(self, port):
        self.port = port

    def ask(self, method, path, body=None, **headers):
        """Returns the status and what the JSON holds; `body` may be plain containers."""
        status, text, _ = self.raw(method, path, body, **headers)
        return status, json.loads(text)

    def raw(self, method, path, body=None, **headers):
        """Returns the status, the bytes of the answer and its headers."""
        if isinstance(body, (dict, list, int)):
            body = json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with contextlib.closing(connection):
            headers = {"content-type": "application/json"} | headers
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            names = {name.lower() for name in answer.headers}  # repeated headers are joined
            found = {name: answer.getheader(name) for name in names}
            return answer.status, answer.read(), found


@contextlib.contextmanager
def running(served, request, wrap=lambda application: application):
    """Runs a server in a thread."""
    import uvicorn

    from trainers.serving import server

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        application = wrap(server.make_application(served, request))
        config = uvicorn.Config(application, log_level="error", lifespan="on")
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, args=([listening],))
        thread.start()
        try:
            deadline = time.monotonic() + 30
            while not running.started and time.monotonic() < deadline:
                time.sleep(0.01)
            yield Client(listening.getsockname()[1])
        finally:
            running.should_exit = True
            thread.join()
