"""Measures the server on this machine: many clients at once, and the time that a new node takes.

    python -m benchmarks.serving --dataset pubmed --out results/benchmarks/serving.md

A server is started on a free port of the loopback interface, with a model that is not trained: its
answers cost the same. Clients ask for random nodes, and every answer is compared with the whole
model. Then new nodes are added, one after the other, and each answer is compared with the whole
model on the changed graph at the end. `CPU ms` is the time that the server computes for an answer,
which does not grow if the machine is busy with something else.
"""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote

import numpy as np
from absl import flags

from datasets.atomic import replacing
from mixhop_tf.cores import num_cores
from trainers.cli import app
from trainers.sweeps import extras
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table

ROOT = Path(__file__).parents[1]
_JSON = {"content-type": "application/json"}


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_string("dataset", "pubmed", "A citation graph.")
    flags.DEFINE_integer("clients", 32, "Clients at once.", 1)
    flags.DEFINE_float("seconds", 60.0, "How long they ask.", 0.1, 600.0)
    flags.DEFINE_integer("added", 100, "New nodes to add.", 1)
    flags.DEFINE_integer("edges", 4, "Edges of each new node.", 0)
    flags.DEFINE_string("out", None, "File to write the table to.")


def make_model(folder):
    """Exports an untrained model for the graph; returns the graph and the model's answers."""
    import datasets
    import mixhop_tf
    from trainers.runs import prediction

    graph = datasets.load(flags.FLAGS.dataset)
    architecture = mixhop_tf.Architecture.default(graph.num_classes)
    model = mixhop_tf.build_model(architecture, graph.num_features, graph.num_classes, seed=0)
    inputs = mixhop_tf.sparse_tensor(graph.features), model.operator(graph.edges, graph.num_nodes)
    mixhop_tf.export_saved_model(model, folder, inputs, graph.class_names)
    loaded = mixhop_tf.load_saved_model(folder)
    return graph, loaded, prediction.predict(graph, graph.features, loaded)["logits"]


class Asking(threading.Thread):
    """A client that asks for random nodes on one connection, until the time is over."""

    def __init__(self, port, seed, num_nodes, deadline):
        super().__init__()
        self.rng, self.num_nodes, self.deadline = np.random.default_rng(seed), num_nodes, deadline
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.answers, self.seconds, self.failures = [], [], []

    def run(self):
        """Asks."""
        while time.monotonic() < self.deadline:
            node = int(self.rng.integers(self.num_nodes))
            start = time.perf_counter()
            status, content = ask(self.connection, "GET", f"/nodes/{quote(str(node))}")
            self.seconds.append(time.perf_counter() - start)
            if status == 200:
                self.answers.append((node, content["logits"]))
            else:
                self.failures.append((status, content))


def cpu_seconds(process):
    """The processor time of a process so far; None where the system does not tell."""
    path = Path(f"/proc/{process.pid}/stat")
    if not path.exists():
        return None
    user, system = path.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def with_cost(server, measure, *arguments):
    """Measures a row, and adds the server's processor time per answer."""
    before = cpu_seconds(server)
    found, count = measure(*arguments)
    after = cpu_seconds(server)
    return [*found, "–" if before is None else f"{1000 * (after - before) / max(1, count):.1f}"]


def ask(connection, method, path, body=None):
    """Sends a request; returns the status and the JSON of the answer."""
    connection.request(method, path, None if body is None else json.dumps(body), _JSON)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def many_clients(port, expected):
    """Lets the clients ask; returns a row of the table, and the number of answers."""
    values = flags.FLAGS
    deadline = time.monotonic() + values.seconds
    clients = [Asking(port, seed, len(expected), deadline) for seed in range(values.clients)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    failures = [each for client in clients for each in client.failures]
    pairs = [pair for client in clients for pair in client.answers]
    nodes = np.array([node for node, _ in pairs])
    worst = np.abs(np.array([logits for _, logits in pairs], np.float32) - expected[nodes]).max()
    times = [each for client in clients for each in client.seconds]
    what = f"{values.clients} clients, {values.seconds:g} s: ask for a node"
    return row(what, times, len(pairs), len(failures), worst), len(times)


def new_nodes(port, graph, model):
    """Adds nodes with features and edges drawn from the graph; returns as `many_clients` does."""
    import scipy.sparse as sp

    values, rng = flags.FLAGS, np.random.default_rng(0)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    times, failures, answers, rows, edges = [], 0, [], [], []
    for number in range(values.added):
        node = graph.num_nodes + number
        features = graph.features[[int(rng.integers(graph.num_nodes))]]
        others = rng.choice(graph.num_nodes, values.edges, replace=False)
        body = {
            "id": f"new {number}",
            "features": {
                str(i): float(v) for i, v in zip(features.indices, features.data, strict=True)
            },
            "neighbors": [{"id": str(other)} for other in others],
        }
        start = time.perf_counter()
        status, content = ask(connection, "POST", "/nodes", body)
        times.append(time.perf_counter() - start)
        failures += status != 201
        rows.append(features)
        edges += [(node, other) for other in others]
        answers.append((len(edges), content.get("logits")))
    # The last node's answer saw the whole changed graph; earlier ones saw it without later nodes.
    whole = np.concatenate([graph.edges, np.array(edges).reshape(-1, 2)])
    final = model.predict(sp.vstack([graph.features, *rows], format="csr"), whole)["logits"]
    worst = np.abs(np.array(answers[-1][1], np.float32) - final[-1]).max()
    return row("add a node and answer", times, len(answers), failures, worst), len(times)


def row(what, times, count, failures, worst):
    """Makes a row of the table."""
    times = 1000 * np.array(times)
    return [
        what,
        f"{count:,}",
        f"{failures:,}",
        f"{np.median(times):.1f}",
        f"{np.percentile(times, 99):.1f}",
        f"{worst:.1e}",
    ]


def main():
    """Starts the server, measures, and prints the table."""
    extras.require("serve", "fastapi", "uvicorn")
    values = flags.FLAGS
    start_tensorflow(num_cores())
    with tempfile.TemporaryDirectory() as folder:
        graph, model, expected = make_model(Path(folder) / "model")
        command = [sys.executable, "-m", "trainers.serve", "--model", f"{folder}/model"]
        command += ["--dataset", values.dataset, "--port", "0"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
            try:
                while not (found := re.search(r":(\d+); Ctrl-C", server.stdout.readline())):
                    if server.poll() is not None:
                        raise SystemExit("error: the server did not start; see its message above")
                port = int(found[1])
                rows = [with_cost(server, many_clients, port, expected)]
                rows.append(with_cost(server, new_nodes, port, graph, model))
            finally:
                server.terminate()
    header = [values.dataset, "answers", "refused", "median ms", "99 % ms", "largest difference"]
    header.append("CPU ms")
    table = markdown_table(header, rows)
    print(f"{table}\n\n{num_cores()} cores, which the clients share with the server.")
    if values.out:
        with replacing(Path(values.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
