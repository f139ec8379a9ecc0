"""Trains a graph that does not fit the memory limit of one process on several workers.

    python -m benchmarks.memory_limit --out results/benchmarks/memory_limit.md

The graph is generated, with ten edges per node, and converted to a store. One process without a
limit says what it needs. With `ulimit -v` below that, it must fail for want of memory, and each of
the workers, with the same limit, must not. The limit counts addresses, also those that are never
used: each thread of TensorFlow reserves some. Memory is what was used.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from absl import flags

from benchmarks.workers import ROOT, make_store
from datasets.atomic import replacing
from trainers.cli import app
from trainers.cluster.local import train_on_this_machine
from trainers.text.markdown import markdown_table

_HEADER = ("workers", "limit GB", "outcome", "addresses GB each", "memory GB each", "last loss")
_WANT = ("memory", "alloc", "exhausted", "resource")  # words of messages about memory


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_integer("nodes", 1_000_000, "Nodes of the graph.", 1)
    flags.DEFINE_integer("edges_per_node", 10, "Edges per node.", 1)
    flags.DEFINE_integer("features", 20, "Feature columns.", 5)
    flags.DEFINE_integer("workers", 4, "Number of workers.", 2)
    flags.DEFINE_float("limit_gb", 3.9, "Limit of each process.", 1.0)
    flags.DEFINE_integer("steps", 4, "Steps of each training.", 3)
    flags.DEFINE_string("graph", None, "A store to use, in place of a generated graph.")
    flags.DEFINE_string("out", None, "File to write the table to.")


def command(graph, folder, limit_gb):
    """The command of one process, under a limit if there is one."""
    module = "benchmarks.workers_task"
    words = [sys.executable, "-m", module, graph, str(flags.FLAGS.steps), folder]
    if limit_gb is None:
        return words
    limited = f'ulimit -v {int(limit_gb * 1e6)} && exec "$@"'
    return ["bash", "-c", limited, "bash", *words]


def attempt(graph, size, limit_gb):
    """Trains with so many workers; returns a row of the table, and whether it worked."""
    limit = "none" if limit_gb is None else f"{limit_gb:.1f}"
    with tempfile.TemporaryDirectory() as folder:
        words = command(graph, folder, limit_gb)
        if size == 1:
            done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
            if done.returncode:
                return [f"{size}", limit, reason(done), "", "", ""], False
        else:
            train_on_this_machine(words, size)
        found = [json.loads(Path(folder, f"{rank}.json").read_text()) for rank in range(size)]
    most = [max(each[name] for each in found) for name in ("virtual_gb", "gb")]
    loss = f"{found[0]['losses'][-1]:.6f}"
    return [f"{size}", limit, "trained", *(f"{each:.2f}" for each in most), loss], True


def reason(done):
    """Returns the line that says that memory is short; anything else is an error here."""
    lines = [line.strip() for line in done.stderr.splitlines()]
    told = [line for line in lines if any(word in line.lower() for word in _WANT)]
    if not told:
        raise RuntimeError(f"It failed, but not for want of memory: {done.stderr[-500:]}")
    return f"failed: {told[0].replace('|', ' ')[:80]}"


def main():
    """Prints the table."""
    values = flags.FLAGS
    with tempfile.TemporaryDirectory() as folder:
        graph = values.graph or make_store(folder, values.nodes)
        plan = [(1, None), (1, values.limit_gb), (values.workers, values.limit_gb)]
        rows, worked = zip(*(attempt(graph, *each) for each in plan), strict=True)
    table = markdown_table(list(_HEADER), list(rows))
    print(table)
    if worked != (True, False, True):
        sys.exit("The limit must be too small for one process, and large enough for a worker.")
    if values.out:
        with replacing(Path(values.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
