"""Measures time and memory of loading and generating graphs.

    python -m benchmarks.data        (only on Linux: it reads /proc)

Each line runs in its own process. The memory of the imports is subtracted. Times depend on the
machine. The last column, seconds per million edges, shows that time grows linearly.
"""

import multiprocessing
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
from trainers.text.markdown import markdown_table

GENERATED_NODES = (10_000, 100_000, 1_000_000)


def _peak_megabytes() -> float:
    # The peak that getrusage reports survives exec, so it could be the parent's.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) / 1024


def _measure(make: Callable[[Any], datasets.Graph], argument: Any, results: Any) -> None:
    before = _peak_megabytes()
    start = time.perf_counter()
    graph = make(argument)
    seconds = time.perf_counter() - start
    megabytes = _peak_megabytes() - before
    results.put((graph.num_edges, seconds, megabytes))


def _load(name: str) -> datasets.Graph:
    return datasets.load(name)


def _generate(num_nodes: int) -> datasets.Graph:
    return datasets.generate(0.5, num_nodes=num_nodes)


def main() -> None:
    """Prints the table."""
    context = multiprocessing.get_context("spawn")
    datasets.load("cora")  # downloads all three graphs if needed, before the clock starts
    tasks = [(f"load {name}", _load, name) for name in datasets.NAMES[:3]]
    tasks += [(f"generate {nodes:,} nodes", _generate, nodes) for nodes in GENERATED_NODES]
    rows = []
    for label, function, argument in tasks:
        results = context.SimpleQueue()
        process = context.Process(target=_measure, args=(function, argument, results))
        process.start()
        edges, seconds, megabytes = results.get()
        process.join()
        rows.append(
            [
                label,
                f"{edges:,}",
                f"{seconds:.2f}",
                f"{megabytes:.0f}",
                f"{seconds / edges * 1e6:.2f}",
            ]
        )
    print(markdown_table(["task", "edges", "seconds", "MB", "s / M edges"], rows))


if __name__ == "__main__":
    main()
