"""Measures seconds and memory of the way of a large graph, against its size.

    python -m benchmarks.large_graph --out results/benchmarks/large_graph.md

Each row is a generated graph with ten edges per node, as CSV files: reading it, converting it to a
store, then, from the store, a step of training on the whole graph, an epoch on batches, and exact
prediction. The commands are the ones that a user runs, each in a process of its own; the times
include start-up. The time of a step is the difference between four steps and one, divided by three.
The last row has the exponents `e` of `cost ~ size^e`, fitted by least squares to graphs of a
million edges and more. CPU seconds count both cores, and vary less than seconds on a busy machine.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from absl import flags

from datasets.atomic import replacing
from trainers.cli import app
from trainers.text.markdown import markdown_table

ROOT = Path(__file__).parents[1]
_FITTED_FROM = 1_000_000  # edges; smaller graphs cost little but start-up
_RUN = (
    "import resource, subprocess, sys\n"
    "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
    "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
    "print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
)
_READ = "import sys, datasets; datasets.load(sys.argv[1])"


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_list("edges", ["100000", "1000000", "10000000"], "Edges of each graph.")
    flags.DEFINE_integer("edges_per_node", 10, "Edges per node.", 1)
    flags.DEFINE_integer("features", 20, "Feature columns of each graph.", 5)
    flags.DEFINE_integer("whole_up_to", 10_000_000, "Most edges of a training on the whole graph.")
    flags.DEFINE_string("folder", None, "Folder for the graphs; by default a temporary one.")
    flags.DEFINE_string("out", None, "File to write the table to.")


def measured(*arguments):
    """Measures CPU seconds and peak GB of a Python command."""
    answer = subprocess.run(
        [sys.executable, "-c", _RUN, sys.executable, *map(str, arguments)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    cpu, kilobytes = map(float, answer.stdout.split())
    return cpu, kilobytes * 1024 / 1e9


def tasks(folder, num_edges):
    """Yields the name and the command of each task, in their order."""
    train = ("-m", "trainers.train", "--dataset", f"{folder}/graph.store", "--preset", "general")
    yield "read", ("-c", _READ, f"{folder}/csv")
    convert = ("--dataset", f"{folder}/csv", "--out", f"{folder}/graph.store")
    yield "convert", ("-m", "trainers.convert", *convert)
    if num_edges <= flags.FLAGS.whole_up_to:
        for steps in (1, 4):
            out = ("--batches", "none", "--max_steps", steps, "--out", f"{folder}/whole-{steps}")
            yield f"{steps} steps", (*train, *out, "--nosave_model")
    batches = "clusters:size=28000"
    yield "batches", (*train, "--batches", batches, "--max_steps", 1, "--out", f"{folder}/run")
    predict = ("--model", f"{folder}/run", "--dataset", f"{folder}/graph.store")
    yield "predict", ("-m", "trainers.predict", *predict, "--out", f"{folder}/predictions.csv")


def measure(folder, num_edges):
    """Measures every task on one graph; `{task: (CPU seconds, GB)}`."""
    values = flags.FLAGS
    shutil.rmtree(folder, ignore_errors=True)
    sizes = ("--nodes", num_edges // values.edges_per_node, "--edges", num_edges)
    measured("-m", "benchmarks.large_csv", *sizes, "--features", values.features,
             "--out", f"{folder}/csv")  # fmt: skip
    found = {}
    for name, command in tasks(folder, num_edges):
        found[name] = measured(*command)
        print(f"{num_edges:,} edges, {name}: {found[name]}", file=sys.stderr, flush=True)
    if "4 steps" in found:
        one, four = found.pop("1 steps"), found.pop("4 steps")
        # Evaluation and start-up are in both, so the difference is three steps.
        found["step"] = (four[0] - one[0]) / 3, four[1]
    shutil.rmtree(folder)
    return found


def exponents(sizes, results, name):
    """Fits the exponents of CPU seconds and memory of a task."""
    points = [
        (size, *found[name])
        for size, found in zip(sizes, results, strict=True)
        if name in found and size >= _FITTED_FROM
    ]
    if len(points) < 2:
        return "–"
    size, cpu, memory = np.log(np.array(points)).T
    return ", ".join(f"{np.polyfit(size, each, 1)[0]:.2f}" for each in (cpu, memory))


def main():
    """Prints the table."""
    values = flags.FLAGS
    sizes = sorted(map(int, values.edges))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(values.folder or temporary)
        results = [measure(folder / str(size), size) for size in sizes]
    names = ["read", "convert", "step", "batches", "predict"]
    header = ["edges", *(f"{name}: CPU s, GB" for name in names)]
    rows = []
    for size, found in zip(sizes, results, strict=True):
        cells = [", ".join(f"{number:.1f}" for number in found[name]) if name in found else "–"
                 for name in names]  # fmt: skip
        rows.append([f"{size:,}", *cells])
    fitted = [exponents(sizes, results, name) for name in names]
    rows.append(["exponents of CPU s, GB", *fitted])
    table = markdown_table(header, rows)
    print(table)
    if values.out:
        with replacing(Path(values.out)) as temporary_file:
            temporary_file.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
