"""Writes a large graph as CSV files, for measurements of `trainers.convert`.

    python -m benchmarks.large_csv --nodes 1000000 --edges 10000000 --out /tmp/town

The folder gets `nodes.csv` (`node,label,f0,…`) and `edges.csv` (`source,target`). Most edges join
nodes of one class, a third of the nodes is labelled, and ids are whole numbers. Rows are made and
written in blocks, so memory does not grow with the graph.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
from absl import flags
from tqdm import tqdm

from trainers.cli import app

NUM_CLASSES = 5
_ROWS = 1_000_000  # written at once
_DECIMALS = 4


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_integer("nodes", 1_000_000, "Number of nodes.", NUM_CLASSES)
    flags.DEFINE_integer("edges", 10_000_000, "Number of lines in edges.csv.", 1)
    flags.DEFINE_integer("features", 20, "Feature columns.", NUM_CLASSES)
    flags.DEFINE_integer("seed", 0, "Seed of the graph.", 0)
    flags.DEFINE_string("prefix", "", "Text before the number in an id; empty for whole numbers.")
    flags.DEFINE_string("out", None, "Folder to write.", required=True)


def write_nodes(path, starts, num_features, rng, prefix=""):
    """Writes the nodes; those from `starts[c]` to `starts[c + 1]` are of class `c`."""
    kind = pa.string() if prefix else pa.int64()
    fields = [("node", kind), ("label", pa.string())]
    fields += [(f"f{i}", pa.float64()) for i in range(num_features)]
    with _writer(path, pa.schema(fields)) as write:
        for first, last in _blocks(starts[-1], path.name):
            nodes = np.arange(first, last)
            labels = np.searchsorted(starts, nodes, side="right") - 1
            features = rng.standard_normal((len(nodes), num_features), np.float32).astype(float)
            features[np.arange(len(nodes)), labels] += 1
            known = rng.random(len(nodes)) < 1 / 3
            words = [str(each) if yes else "" for each, yes in zip(labels, known, strict=True)]
            write([_ids(nodes, prefix), pa.array(words), *np.round(features, _DECIMALS).T])


def write_edges(path, starts, num_edges, rng, prefix=""):
    """Writes the edges; half of them join nodes of one class."""
    kind = pa.string() if prefix else pa.int64()
    with _writer(path, pa.schema([("source", kind), ("target", kind)])) as write:
        for first, last in _blocks(num_edges, path.name):
            source, target = rng.integers(starts[-1], size=(2, last - first))
            labels = np.searchsorted(starts, source, side="right") - 1
            alike = rng.random(last - first) < 0.5
            inside = starts[labels] + target % np.diff(starts)[labels]
            write([_ids(source, prefix), _ids(np.where(alike, inside, target), prefix)])


def _ids(numbers, prefix):
    if not prefix:
        return numbers
    return pa.compute.binary_join_element_wise(prefix, pa.array(numbers).cast(pa.string()), "")


def _blocks(total, name):
    for first in tqdm(range(0, int(total), _ROWS), desc=name, disable=None):
        yield first, min(first + _ROWS, int(total))


class _writer:  # noqa: N801 - a context manager that is called like a function
    def __init__(self, path, schema):
        # Arrow would put quotes around the names of the columns.
        options = pyarrow.csv.WriteOptions(quoting_style="none", include_header=False)
        self.sink = open(path, "wb")  # noqa: SIM115 - closed in __exit__
        self.sink.write(f"{','.join(schema.names)}\n".encode())
        self.file = pyarrow.csv.CSVWriter(self.sink, schema, write_options=options)
        self.schema = schema

    def __enter__(self):
        return self.write

    def write(self, columns):
        arrays = [pa.array(column) for column in columns]
        self.file.write_batch(pa.record_batch(arrays, schema=self.schema))

    def __exit__(self, *_error):
        self.file.close()
        self.sink.close()


def main():
    """Writes the two files."""
    values = flags.FLAGS
    folder = Path(values.out).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(values.seed)
    sizes = rng.multinomial(values.nodes, [1 / NUM_CLASSES] * NUM_CLASSES)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    write_nodes(folder / "nodes.csv", starts, values.features, rng, values.prefix)
    write_edges(folder / "edges.csv", starts, values.edges, rng, values.prefix)
    print(f"wrote {folder}: {values.nodes:,} nodes, {values.edges:,} lines of edges")


if __name__ == "__main__":
    app.run(main, define_flags)
