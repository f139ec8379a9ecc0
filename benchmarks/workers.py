"""Measures several workers that train one model together, beside one process.

    python -m benchmarks.workers --out results/benchmarks/workers.md

The graph is generated, with ten edges per node, and converted to a store. Every row is a number of
workers on this machine; the first one is the training of one process. All make the same steps
without dropout: the losses must agree. Seconds are the median of a step, CPU seconds and peak
memory those of the worker that uses most. Its own memory is that without files, such as the code of
TensorFlow, which all processes of a machine share. The columns `predicted` come from
`benchmarks.scale`: the model is fitted to one and two workers, so the other rows test it.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from absl import flags

from benchmarks.scale import CostModel
from datasets.atomic import replacing
from trainers.cli import app
from trainers.cluster.local import train_on_this_machine
from trainers.text.markdown import markdown_table

ROOT = Path(__file__).parents[1]
_HEADER = (
    "workers", "seconds a step", "times as fast", "CPU s each", "predicted CPU s", "GB each",
    "share of memory", "predicted GB", "GB of its own", "share of it", "columns gathered",
    "largest difference of losses",
)  # fmt: skip
_LARGEST = ("seconds", "cpu", "gb", "own_gb")


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_integer("nodes", 1_000_000, "Nodes of the graph.", 1)
    flags.DEFINE_integer("edges_per_node", 10, "Edges per node.", 1)
    flags.DEFINE_integer("features", 20, "Feature columns.", 5)
    flags.DEFINE_list("workers", ["2", "4"], "Numbers of workers, beside one process.")
    flags.DEFINE_integer("steps", 10, "Steps of each training.", 3)
    flags.DEFINE_string("graph", None, "A store to use, in place of a generated graph.")
    flags.DEFINE_string("out", None, "File to write the table to; a .json with the numbers, too.")


def make_store(folder, num_nodes):
    """Generates a graph and converts it."""
    values = flags.FLAGS
    sizes = ["--nodes", num_nodes, "--edges", num_nodes * values.edges_per_node]
    _run("benchmarks.large_csv", *sizes, "--features", values.features, "--out", f"{folder}/csv")
    _run("trainers.convert", "--dataset", f"{folder}/csv", "--out", f"{folder}/graph.store")
    shutil.rmtree(f"{folder}/csv")
    return f"{folder}/graph.store"


def _run(module, *arguments):
    command = [sys.executable, "-m", module, *map(str, arguments)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def measure(graph, size):
    """Trains with so many workers; returns what the worker that uses most needs, and the losses."""
    with tempfile.TemporaryDirectory() as folder:
        module = "benchmarks.workers_task"
        command = [sys.executable, "-m", module, graph, str(flags.FLAGS.steps), folder]
        if size == 1:
            subprocess.run(command, check=True, cwd=ROOT)
        else:
            train_on_this_machine(command, size)
        found = [json.loads(Path(folder, f"{rank}.json").read_text()) for rank in range(size)]
    result = {name: max(each[name] for each in found) for name in _LARGEST}
    result |= {"losses": found[0]["losses"], "columns": found[0]["columns"], "workers": size}
    print(f"{size} workers: {result}", file=sys.stderr, flush=True)
    return result


def rows(results, model):
    """Yields the rows of the table."""
    one = results[0]
    for each in results:
        pairs = zip(each["losses"], one["losses"], strict=True)
        apart = max(abs(mine / yours - 1) for mine, yours in pairs)
        size = each["workers"]
        yield [
            f"{size}",
            f"{each['seconds']:.1f}",
            f"{one['seconds'] / each['seconds']:.2f}",
            f"{each['cpu']:.1f}",
            f"{model.cpu_seconds(size):.1f}",
            f"{each['gb']:.2f}",
            f"{100 * each['gb'] / one['gb']:.0f} %",
            f"{model.gigabytes(size):.2f}",
            f"{each['own_gb']:.2f}",
            f"{100 * each['own_gb'] / one['own_gb']:.0f} %",
            f"{each['columns']}",
            f"{apart:.0e}",
        ]


def main():
    """Prints the table."""
    values = flags.FLAGS
    with tempfile.TemporaryDirectory() as folder:
        graph = values.graph or make_store(folder, values.nodes)
        tiny = make_store(f"{folder}/tiny", 1_000)
        base = measure(tiny, 1)["gb"]
        results = [measure(graph, size) for size in (1, *map(int, values.workers))]
    model = CostModel.fitted(values.nodes, base, results[0], results[1])
    table = markdown_table(list(_HEADER), list(rows(results, model)))
    print(table)
    if values.out:
        with replacing(Path(values.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")
        content = {"nodes": values.nodes, "base_gb": base, "results": results}
        with replacing(Path(values.out).with_suffix(".json")) as temporary:
            temporary.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
