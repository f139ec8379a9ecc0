"""Computes what graphs up to a billion nodes cost on many workers, from measured points.

    python -m benchmarks.scale --out results/benchmarks/scale.md

The model has four numbers, fitted to the first two rows of `results/benchmarks/workers.json`, which
`benchmarks.workers` measures. With `n` nodes on `k` workers:

- a worker holds `base + n·(shared + own/k)` bytes: `shared` is for the gathered columns, which
  every worker has in full, `own` for its rows of everything else
- a step takes `n·(work/k + message·(k-1)/k)` CPU seconds: what is computed is divided, what is
  received is not
- a worker receives `4·columns·n·(k-1)/k` bytes in a step; if it received the rows of its
  neighbours alone (a halo), and the graph were random with `d` neighbours per node, it would be the
  share `1 - exp(-d/k)` of that
"""

import dataclasses
import json
import math
from pathlib import Path

from absl import flags

from datasets.atomic import replacing
from trainers.cli import app
from trainers.text.markdown import markdown_table

ROOT = Path(__file__).parents[1]
_GRAPHS = (1_000_000, 10_000_000, 100_000_000, 1_000_000_000)
_NETWORK = 1.25e9  # bytes per second: 10 Gbit/s


@dataclasses.dataclass(frozen=True)
class CostModel:
    """The cost of a step; see the module.

    Args:
        nodes: Number of nodes `n`.
        columns: Columns that a worker gathers in a step.
        base: Bytes of a process without a graph.
        shared, own: Bytes per node.
        work, message: CPU seconds per node.
    """

    nodes: int
    columns: int
    base: float
    shared: float
    own: float
    work: float
    message: float

    @classmethod
    def fitted(cls, nodes, base_gb, one, two):
        """Fits the model to the results of one process and of two workers."""
        base = base_gb * 1e9
        first, second = ((each["gb"] * 1e9 - base) / nodes for each in (one, two))
        own = max(2 * (first - second), 0.0)
        work = one["cpu"] / nodes
        message = max(2 * two["cpu"] / nodes - work, 0.0)
        return cls(nodes, two["columns"], base, first - own, own, work, message)

    def of(self, nodes):
        """The same for a graph of another size."""
        return dataclasses.replace(self, nodes=nodes)

    def gigabytes(self, workers):
        """Memory of a worker."""
        return (self.base + self.nodes * (self.shared + self.own / workers)) / 1e9

    def cpu_seconds(self, workers):
        """CPU seconds of a step, for each worker."""
        received = self.message * (workers - 1) / workers
        return self.nodes * (self.work / workers + received)

    def workers_worthwhile(self, bytes_per_second):
        """From so many workers on, a step waits longer for the network than it computes."""
        return self.work * bytes_per_second / (4 * self.columns) + 1

    def gigabytes_received(self, workers):
        """What a worker receives in a step."""
        return 4 * self.columns * self.nodes * (workers - 1) / workers / 1e9


def halo_share(degree, workers):
    """Share of all rows that the rows of one worker have as neighbours, in a random graph."""
    return 1 - math.exp(-degree / workers)


def define_flags():
    """Defines the flags of this command."""
    default = str(ROOT / "results/benchmarks/workers.json")
    flags.DEFINE_string("measured", default, "File with the measured points.")
    flags.DEFINE_list("workers", ["1", "4", "16", "64"], "Numbers of workers.")
    flags.DEFINE_integer("edges_per_node", 10, "Edges per node, for the halo.", 1)
    flags.DEFINE_string("out", None, "File to write the table to.")


def rows(model, sizes, degree):
    """Yields a row for each graph and number of workers."""
    for nodes in _GRAPHS:
        for size in sizes:
            each = model.of(nodes)
            received = each.gigabytes_received(size)
            yield [
                f"{nodes:,}",
                f"{size}",
                f"{each.gigabytes(size):,.1f}",
                f"{nodes * model.shared / 1e9:,.1f}",
                f"{received:,.1f}",
                f"{received * 1e9 / _NETWORK:,.1f}",
                f"{received * halo_share(degree, size):,.1f}",
                f"{each.cpu_seconds(size):,.1f}",
            ]


def main():
    """Prints the table."""
    values = flags.FLAGS
    content = json.loads(Path(values.measured).read_text(encoding="utf-8"))
    one, two = content["results"][:2]
    model = CostModel.fitted(content["nodes"], content["base_gb"], one, two)
    header = [
        "nodes", "workers", "GB a worker", "of it gathered", "GB received a step",
        "seconds at 10 Gbit/s", "GB with a halo", "CPU s a step",
    ]  # fmt: skip
    sizes = list(map(int, values.workers))
    table = markdown_table(header, list(rows(model, sizes, 2 * values.edges_per_node)))
    print(table)
    limit = model.workers_worthwhile(_NETWORK)
    print(f"network and computation of one core take equally long with {limit:.0f} workers")
    if values.out:
        with replacing(Path(values.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
