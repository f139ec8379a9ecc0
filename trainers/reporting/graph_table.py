"""The statistics of one graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

import datasets
from datasets.checks import SPLITS, UNKNOWN
from datasets.errors import short
from trainers.text.markdown import markdown_table

_ROWS_AT_ONCE = 1 << 18
_STAND_INS = {
    "spectral": "degrees and eigenvectors of the adjacency, which fit only this graph",
    "local": "degrees and random walks near each node",
}


def describe(graph: datasets.Graph) -> str:
    """The statistics of a graph, as a Markdown table."""
    rows = statistics(graph)
    rows += [
        [f"class {name}", f"{size:,}"]
        for name, size in zip(graph.class_names, class_sizes(graph), strict=True)
    ]
    return markdown_table([graph.name, ""], rows)


def class_sizes(graph: datasets.Graph) -> list[int]:
    """The number of labelled nodes of each class."""
    known = graph.labels[graph.labels != UNKNOWN]
    return [int(size) for size in np.bincount(known, minlength=graph.num_classes)]


def statistics(graph: datasets.Graph) -> list[list[str]]:
    """The statistics of a graph: names and values."""
    degrees = graph.degrees()
    cells, filled = graph.num_nodes * graph.num_features, _num_nonzeros(graph)
    return [
        ["nodes", f"{graph.num_nodes:,}"],
        ["directed edges" if graph.directed else "edges", f"{graph.num_edges:,}"],
        *_weights(graph),
        ["connected components", f"{_num_components(graph):,}"],
        ["isolated nodes", f"{(degrees == 0).sum():,}"],
        [
            "degree: mean, median, max",
            f"{degrees.mean():.2f}, {np.median(degrees):g}, {degrees.max()}",
        ],
        ["features", f"{graph.num_features:,}"],
        ["feature non-zeros", f"{filled:,} ({filled / max(cells, 1):.2%})"],
        ["labelled nodes", f"{sum(class_sizes(graph)):,}"],
        ["homophily", f"{graph.homophily():.3f}"],
        ["adjusted homophily (0 by chance)", f"{graph.adjusted_homophily():.3f}"],
        ["train, val, test", ", ".join(f"{len(getattr(graph, split)):,}" for split in SPLITS)],
    ]


def _num_components(graph: datasets.Graph) -> int:
    """Counts the connected components; a store has the rows, and makes no list of edges."""
    rows = getattr(graph, "neighbors", None)
    if rows is None:
        parts: Any = np.ones(graph.num_edges, np.int8), graph.edges.T
    else:
        parts = np.ones(len(rows.indices), np.int8), rows.indices, rows.indptr
    adjacency = sp.csr_array(parts, shape=(graph.num_nodes,) * 2)
    # The rows of an undirected graph have each edge in both directions, so none must be added.
    is_symmetric = rows is not None and not graph.directed
    count: Any = sp.csgraph.connected_components(
        adjacency, directed=is_symmetric, connection="strong", return_labels=False
    )
    return int(count)


def _num_nonzeros(graph: datasets.Graph) -> int:
    """Counts the features that are not zero, in parts if they are dense and mapped."""
    matrix = getattr(graph, "feature_matrix", None)
    if not isinstance(matrix, np.ndarray):
        return graph.features.nnz
    starts = range(0, len(matrix), _ROWS_AT_ONCE)
    return sum(int(np.count_nonzero(matrix[start : start + _ROWS_AT_ONCE])) for start in starts)


def _weights(graph: datasets.Graph) -> list[list[str]]:
    weights = graph.edge_weights
    if weights is None or not len(weights):
        return []
    numbers = f"{weights.min():.4g}, {np.median(weights):.4g}, {weights.max():.4g}"
    return [["edge weight: min, median, max", numbers]]


def columns_table(graph: datasets.Graph) -> str | None:
    """What each column of the user's tables became, as a Markdown table; None without tables."""
    recipe = graph.recipe
    if recipe is None:
        return None
    rows = [[short(column.name, 60), str(column)] for column in recipe.columns]
    if recipe.stand_ins:
        rows.append(["(no features)", _STAND_INS[recipe.stand_ins]])
    return markdown_table(["column", "became"], rows) if rows else None
