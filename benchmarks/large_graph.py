"""Measures seconds and memory of training and prediction on large graphs.

    python -m benchmarks.large_graph --out results/benchmarks/large_graph.md

Each row is one graph with ten edges per node, saved as `.npz`. The commands are the ones that a
user runs; the times include start-up and reading. The cost of the products is linear in the number
of edges, so seconds and memory should be, too.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from absl import flags

from datasets.atomic import replacing
from trainers.cli import app
from trainers.text.markdown import markdown_table

ROOT = Path(__file__).parents[1]
NUM_CLASSES = 5


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_list("nodes", ["250000", "500000", "1000000"], "Nodes of each graph.")
    flags.DEFINE_integer("edges_per_node", 10, "Edges per node.", 1)
    flags.DEFINE_integer("features", 20, "Feature columns of each graph.", NUM_CLASSES)
    flags.DEFINE_integer("steps", 3, "Training steps.", 1)
    flags.DEFINE_string("out", None, "File to write the table to.")


def write_graph(path, num_nodes, num_edges, num_features):
    """Writes a graph; most edges join nodes of one class, and a third of the nodes is labelled."""
    rng = np.random.default_rng(0)
    labels = np.sort(rng.integers(NUM_CLASSES, size=num_nodes))
    features = rng.standard_normal((num_nodes, num_features), np.float32)
    features[np.arange(num_nodes), labels] += 1
    edges = rng.integers(num_nodes, size=(num_edges, 2))
    starts = np.searchsorted(labels, np.arange(NUM_CLASSES + 1))
    first, sizes = starts[labels[edges[:, 0]]], np.diff(starts)[labels[edges[:, 0]]]
    alike = rng.random(num_edges) < 0.5
    edges[alike, 1] = (first + edges[:, 1] % sizes)[alike]
    known = np.where(rng.random(num_nodes) < 1 / 3, labels, -1)
    np.savez(path, edges=edges, features=features, labels=known)


def measured(*arguments):
    """Measures seconds and peak GB of a command, which runs as the only child of a process."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    start = time.perf_counter()
    answer = subprocess.run(
        [sys.executable, "-c", code, sys.executable, "-m", *map(str, arguments)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    # Linux counts in KB.
    return time.perf_counter() - start, int(answer.stdout) * 1024 / 1e9


def row(num_nodes):
    """Measures one row of the table."""
    values = flags.FLAGS
    num_edges = num_nodes * values.edges_per_node
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/graph.npz"
        write_graph(path, num_nodes, num_edges, values.features)
        train = measured(
            *("trainers.train", "--dataset", path, "--max_steps", values.steps),
            *("--out", f"{folder}/run"),
        )
        predict = measured(
            *("trainers.predict", "--model", f"{folder}/run", "--dataset", path),
            *("--out", f"{folder}/predictions.csv"),
        )
    cells = [f"{number:.1f}" for number in (*train, *predict)]
    return [f"{num_nodes:,}", f"{num_edges:,}", *cells]


def main():
    """Prints the table."""
    values = flags.FLAGS
    header = ["nodes", "edges", f"train, {values.steps} steps, s", "train, GB"]
    header += ["predict, s", "predict, GB"]
    table = markdown_table(header, [row(int(nodes)) for nodes in values.nodes])
    print(table)
    if values.out:
        with replacing(Path(values.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
