"""Compares one step (train, evaluate all nodes) of MixHop and each baseline with PyG.

    python3 -m venv .venv-pyg
    .venv-pyg/bin/python -m pip install -r benchmarks/requirements-pyg.txt
    python -m benchmarks.step --pyg_python=.venv-pyg/bin/python

Each contender runs in its own process. They take turns in several rounds, so that a slow minute of
the machine affects all of them. The table shows the median step over all rounds, without start-up.
Our models use the whole graph, as PyG's do. The column `as trained` uses only the part that
training and validation nodes see, if that part is small.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from absl import flags

import datasets
from datasets.atomic import replacing
from trainers.cli import app
from trainers.sweeps.errors import RunError
from trainers.text.markdown import markdown_table

WARM_UP = 4
GRAPHS = "cora", "citeseer", "pubmed"
MODELS = "mixhop", "mlp", "gcn", "chebyshev", "gat"
NEAR = "mlp", "gcn", "gat"  # the trainer calls these with a part of the graph
# The forms of adjacency that PyG's layers accept; the others accept only an edge index.
FORMS = {"mixhop": ("csr", "edge_index"), "gcn": ("csr", "edge_index")}
ROOT = Path(__file__).parents[1]


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_string(
        "pyg_python", None, "Python that has PyG; without it, only our models are measured."
    )
    flags.DEFINE_list("models", list(MODELS), "Models to compare.")
    flags.DEFINE_integer("rounds", 3, "Rounds over all contenders.", 1)
    flags.DEFINE_integer(
        "steps", 40, "Steps of our models in a round; PyG runs a quarter as many.", 8
    )
    flags.DEFINE_string(
        "out", None, "File to write the table to, such as results/benchmarks/step.md."
    )


def run(command, num_steps):
    """Runs a contender; returns its seconds per step, without the first steps, and its peak MB."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    answer = subprocess.run(
        [*command, str(num_steps + WARM_UP)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode:
        reason = (answer.stderr.strip() or f"exit code {answer.returncode}").splitlines()[-1]
        sys.exit(f"error: {' '.join(command)} failed: {reason}")
    result = json.loads(answer.stdout.splitlines()[-1])
    return result["seconds"][WARM_UP:], result["megabytes"]


def commands(dataset, path, model):
    """Lists the command of each contender."""
    ours = [sys.executable, "-m", "benchmarks.our_step", dataset, path, model]
    found = {"ours": [*ours, "whole"]}
    if model in NEAR:
        found["part"] = [*ours, "part"]
    if model == "mixhop":
        found["bound"] = [sys.executable, "-m", "benchmarks.bound_step", path]
    if flags.FLAGS.pyg_python:
        script = str(ROOT / "benchmarks" / "pyg_step.py")
        for form in FORMS.get(model, ("edge_index",)):
            found[form] = [flags.FLAGS.pyg_python, script, path, model, form]
    return found


def compare(dataset, model):
    """Measures one row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(datasets.load(dataset).save(Path(folder) / f"{dataset}.npz"))
        contenders = commands(dataset, path, model)
        seconds = {contender: [] for contender in contenders}
        memory = dict.fromkeys(contenders, 0.0)
        for _ in range(flags.FLAGS.rounds):
            for contender, command in contenders.items():
                quarter = contender in ("csr", "edge_index")
                times, megabytes = run(command, flags.FLAGS.steps // (4 if quarter else 1))
                seconds[contender] += times
                memory[contender] = max(memory[contender], megabytes)
    medians = {contender: np.median(times) * 1e3 for contender, times in seconds.items()}
    ours = medians["ours"]

    def shown(contender, text):
        return text(medians[contender]) if contender in medians else "–"

    cells = [dataset, model, f"{ours:.1f}", shown("bound", lambda time: f"{ours / time:.1f}")]
    cells.append(shown("part", lambda time: f"{time:.1f}"))
    for form in ("csr", "edge_index"):
        cells.append(shown(form, lambda time: f"{time:.0f}"))
        cells.append(shown(form, lambda time: f"{time / ours:.1f}"))
    peaks = [memory.get(contender) for contender in ("ours", "csr", "edge_index")]
    return [*cells, " / ".join("–" if peak is None else f"{peak:.0f}" for peak in peaks)]


def main():
    """Prints the table."""
    for model in flags.FLAGS.models:
        if model not in MODELS:
            raise RunError(f"--models takes {', '.join(MODELS)}, not {model!r}.")
    header = ["graph", "model", "ours, ms", "ours / bare products", "as trained, ms"]
    header += ["PyG CSR, ms", "PyG CSR / ours", "PyG edges, ms", "PyG edges / ours"]
    header.append("peak MB: ours / CSR / edges")
    rows = [compare(graph, model) for model in flags.FLAGS.models for graph in GRAPHS]
    table = markdown_table(header, rows)
    print(table)
    if flags.FLAGS.out:
        with replacing(Path(flags.FLAGS.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
