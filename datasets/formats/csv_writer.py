"""Writes a graph as a folder of CSV files, which `table_folder` reads."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from datasets.atomic import replacing
from datasets.checks import SPLITS
from datasets.class_index import LabelCheck
from datasets.errors import DataError
from datasets.formats.table_folder import EDGES, FEATURES, LABELS, SPLIT
from datasets.graph import Graph
from datasets.tables.sources import TRIPLETS

_SPARSE_BELOW = 1 / 3  # density below which features are written as triplets


def write(graph: Graph, folder: Path) -> Path:
    """Writes `graph` to a new folder.

    When the folder is read back, the classes are sorted by name, and so are sparse features. CSV
    files do not say whether edges have directions: whoever reads them does.

    Args:
        graph: The graph to write.
        folder: A folder that does not exist or is empty.

    Returns:
        The folder.

    Raises:
        DataError: CSV files cannot hold this graph, or the folder is not empty.
    """
    check = LabelCheck()
    for name in graph.class_names:
        if check.complaint(name):
            raise DataError(
                f"{graph.name}: CSV files cannot hold a class called {name!r}; save to a name that "
                "ends in .npz."
            )
    unused = np.setdiff1d(np.arange(graph.num_classes), graph.labels)
    if len(unused):
        raise DataError(
            f"{graph.name}: CSV files cannot hold the class {graph.class_names[unused[0]]!r}, "
            "which has no nodes; save to a name that ends in .npz."
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DataError(f"{folder} already exists; name a new folder, or a file that ends in .npz.")
    ids = (
        np.arange(graph.num_nodes).astype(str) if graph.node_ids is None else graph.node_ids
    ).tolist()
    names = [*graph.class_names, ""]  # labels[UNKNOWN] is the last
    with replacing(folder) as temporary:
        temporary.mkdir()
        pairs = ((ids[u], ids[v]) for u, v in graph.edges.tolist())
        if graph.edge_weights is None:
            _write_rows(temporary / EDGES, ["source", "target"], pairs)
        else:
            rows = ((*pair, w) for pair, w in zip(pairs, graph.edge_weights, strict=True))
            _write_rows(temporary / EDGES, ["source", "target", "weight"], rows)
        _write_rows(
            temporary / LABELS,
            ["node", "label"],
            zip(ids, (names[c] for c in graph.labels), strict=True),
        )
        _write_features(temporary / FEATURES, graph, ids)
        chosen = [(ids[node], split) for split in SPLITS for node in getattr(graph, split)]
        if chosen:
            _write_rows(temporary / SPLIT, ["node", "split"], chosen)
    return folder


def _write_features(path: Path, graph: Graph, ids: list[str]) -> None:
    features = graph.features
    num_nodes, width = features.shape
    if features.nnz > _SPARSE_BELOW * num_nodes * width:
        names = graph.feature_names or [f"f{column}" for column in range(width)]
        if set(names) == set(TRIPLETS[1:]):
            raise DataError(
                f"{graph.name}: columns called {' and '.join(names)} would be read as sparse "
                "features; save to a name that ends in .npz."
            )
        rows = ([name, *row] for name, row in zip(ids, features.toarray(), strict=True))
        _write_rows(path, ["node", *names], rows)
        return
    names = graph.feature_names or list(map(str, range(width)))
    coo = features.tocoo()
    cells = [
        (ids[node], names[column], value)
        for node, column, value in zip(coo.row, coo.col, coo.data, strict=True)
    ]
    # Without an explicit zero, a column that has no values would be lost.
    cells += [(ids[0], names[column], 0) for column in np.setdiff1d(np.arange(width), coo.col)]
    _write_rows(path, TRIPLETS, cells)


def _write_rows(path: Path, header: list[str], rows: Iterable[Iterable[Any]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
