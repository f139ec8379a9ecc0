"""Writes the last hidden layer of every node as a table."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

import datasets
from datasets.atomic import replacing
from mixhop_tf import SettingError
from trainers.runs.prediction import inert

SUFFIXES = (".csv", ".parquet")


def check_path(path: Path) -> None:
    """Raises a `SettingError` unless the file's name ends in a known way."""
    if path.suffix not in SUFFIXES or path.is_dir():
        rule = f"must be a file that ends in {' or '.join(SUFFIXES)}"
        raise SettingError("embeddings", rule, str(path))


def write(path: Path, graph: datasets.Graph, embeddings: np.ndarray) -> None:
    """Writes a row for each node: its id, and a column for each dimension, `e0`, `e1` and so on.

    Args:
        path: The file, `.csv` or `.parquet`.
        graph: The graph.
        embeddings: `[n, d]`.
    """
    ids = range(graph.num_nodes) if graph.node_ids is None else graph.node_ids
    nodes = [str(each) for each in ids]
    names = [f"e{i}" for i in range(embeddings.shape[1])]
    with replacing(path) as temporary:
        if path.suffix == ".parquet":
            _write_parquet(temporary, nodes, names, embeddings)
        else:
            _write_csv(temporary, nodes, names, embeddings)


def _write_csv(path: Path, nodes: list[str], names: list[str], embeddings: np.ndarray) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["node", *names])
        for node, row in zip(nodes, embeddings, strict=True):
            # Nine digits tell any two float32 numbers apart.
            writer.writerow([inert(node), *(f"{value:.9g}" for value in row.tolist())])


def _write_parquet(path: Path, nodes: list[str], names: list[str], embeddings: np.ndarray) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"node": pa.array(nodes)}
    columns |= {
        name: pa.array(np.ascontiguousarray(embeddings[:, i])) for i, name in enumerate(names)
    }
    pq.write_table(pa.table(columns), path)
