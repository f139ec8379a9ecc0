"""Measures seconds and memory of large graphs against their size, beside PyG's loaders.

    python3 -m venv .venv-pyg
    .venv-pyg/bin/python -m pip install -r benchmarks/requirements-pyg.txt
    .venv-pyg/bin/python -m pip install --no-build-isolation torch-scatter torch-sparse
    python -m benchmarks.large_graph --pyg_python .venv-pyg/bin/python --out results/benchmarks

Each graph is generated as CSV files with ten edges per node. The tasks are: reading it, converting
it to a store, and from the store a step of training on the whole graph, an epoch on batches, and
exact prediction in blocks. Each runs in a process of its own, which measures itself after its
imports (`large_task.py`, `pyg_epoch.py`), so start-up is in none of the seconds. A measurement is
kept in `large_graph.jsonl`, and only missing ones are made. With a new `--session` all are made
again; the tables have the last ones. The tables and the picture are made from that file. `epoch`
and `PyG` train on the same batches; see `pyg_epoch.py`.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from absl import flags

import datasets
from benchmarks import large_figures
from datasets.atomic import replacing
from trainers.cli import app

ROOT = Path(__file__).parents[1]
CLUSTER_NODES = 28_000
FIELD_TARGETS = 1_000
FIELD_NODES = 111  # 1 + 10 + 100
CLUSTERS = f"clusters:size={CLUSTER_NODES},partition=grown"
FIELDS = f"fields:size={FIELD_TARGETS * FIELD_NODES}"
# Tasks that need the whole graph in memory end at these sizes.
LARGEST = {"read": 30_000_000, "step": 30_000_000}
LARGEST |= dict.fromkeys(("PyG clusters", "PyG fields"), 10_000_000)


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_list("edges", ["100000", "1000000", "10000000", "100000000"], "Edges of graphs.")
    flags.DEFINE_list("tasks", list(large_figures.TASKS), "Tasks to measure.")
    flags.DEFINE_integer("edges_per_node", 10, "Edges per node.", 1)
    flags.DEFINE_integer("features", 20, "Feature columns of each graph.", 5)
    flags.DEFINE_string("pyg_python", None, "Python that has PyG; without it, PyG is left out.")
    flags.DEFINE_string("session", None, "Name of the measurements, if those of others stay.")
    flags.DEFINE_string("folder", None, "Folder for the graphs, which stay there; by default none.")
    flags.DEFINE_string("out", None, "Folder of the measurements, tables and pictures.")


def run(command):
    """Runs a task; returns its cost, or None if it failed, with the reason on the screen."""
    # Threads that wait must not count as work on a busy machine.
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "OMP_WAIT_POLICY": "PASSIVE"}
    environment = os.environ | quiet | {"PYTHONPATH": str(ROOT)}
    answer = subprocess.run(
        list(map(str, command)), cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if answer.returncode:
        reason = (answer.stderr.strip() or f"exit code {answer.returncode}").splitlines()[-1]
        print(f"failed: {reason}", file=sys.stderr, flush=True)
        return None
    return json.loads(answer.stdout.splitlines()[-1])


def csv_of(folder, num_edges):
    """Generates the CSV files of a graph, if they are missing."""
    if not (folder / "csv").exists():
        sizes = ("--nodes", num_edges // flags.FLAGS.edges_per_node, "--edges", num_edges)
        more = ("--features", flags.FLAGS.features, "--out", folder / "new")
        command = [sys.executable, "-m", "benchmarks.large_csv", *sizes, *more]
        subprocess.run(list(map(str, command)), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        (folder / "new").rename(folder / "csv")
    return folder / "csv"


def store_of(folder, num_edges):
    """Converts a graph, if its store is missing."""
    if not (folder / "graph.store").exists():
        path = csv_of(folder, num_edges)
        run(
            [sys.executable, "-m", "benchmarks.large_task", "convert", path, folder / "graph.store"]
        )
    return folder / "graph.store"


def command_of(task, folder, num_edges):
    """Returns the command of a task, after making the files that it needs."""
    ours = [sys.executable, "-m", "benchmarks.large_task"]
    if task == "read":
        return [*ours, "read", csv_of(folder, num_edges)]
    if task == "convert":
        shutil.rmtree(folder / "again.store", ignore_errors=True)
        return [*ours, "convert", csv_of(folder, num_edges), folder / "again.store"]
    store = store_of(folder, num_edges)
    if task in ("step", "predict"):
        return [*ours, task, store]
    train, parts = folder / "train.npy", folder / "parts.npy"
    if not train.exists():
        np.save(train, datasets.load(store).train)
    num_train, num_nodes = len(np.load(train)), num_edges // flags.FLAGS.edges_per_node
    if task == "epoch on clusters":
        return [*ours, "epoch", store, CLUSTERS, -(-num_nodes // CLUSTER_NODES), parts]
    if task == "epoch on fields":
        return [*ours, "epoch", store, FIELDS, -(-num_train // FIELD_TARGETS)]
    theirs = [flags.FLAGS.pyg_python, ROOT / "benchmarks" / "pyg_epoch.py", store, train]
    if task == "PyG clusters":
        return [*theirs, "clusters", CLUSTER_NODES, parts]
    return [*theirs, "fields", FIELD_TARGETS]


def measure(folder, num_edges, known, path):
    """Makes the missing measurements of a graph, and keeps each in the file."""
    for task in flags.FLAGS.tasks:
        sought = {"edges": num_edges, "task": task}
        if flags.FLAGS.session:
            sought["session"] = flags.FLAGS.session
        is_known = any(sought.items() <= each.items() for each in known)
        is_out = task.startswith("PyG") and not flags.FLAGS.pyg_python
        if is_known or is_out or num_edges > LARGEST.get(task, num_edges):
            continue
        cost = run(command_of(task, folder, num_edges))
        if cost is None:
            continue
        rounded = {name: float(f"{number:.4g}") for name, number in cost.items()}
        line = sought | rounded
        print(json.dumps(line), file=sys.stderr, flush=True)
        known.append(line)
        if path:
            with replacing(path) as temporary:
                temporary.write_text("".join(f"{json.dumps(each)}\n" for each in known))


def main():
    """Makes the missing measurements; prints the tables and draws the picture."""
    values = flags.FLAGS
    out = Path(values.out) if values.out else None
    path = out / "large_graph.jsonl" if out else None
    known = [json.loads(line) for line in path.read_text().splitlines()] if _exists(path) else []
    for num_edges in sorted(map(int, values.edges)):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(values.folder or temporary) / str(num_edges)
            folder.mkdir(parents=True, exist_ok=True)
            measure(folder, num_edges, known, path)
    for name, table in large_figures.tables(known).items():
        print(f"{table}\n")
        if out:
            with replacing(out / f"{name}.md") as temporary_file:
                temporary_file.write_text(f"{table}\n", encoding="utf-8")
    if out:
        large_figures.draw(known, out)


def _exists(path):
    return path is not None and path.exists()


if __name__ == "__main__":
    app.run(main, define_flags)
