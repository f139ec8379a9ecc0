"""The statistics of one graph."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

import datasets
from datasets.checks import SPLITS, UNKNOWN
from datasets.errors import short
from trainers.text.markdown import markdown_table

_STAND_INS = {
    "spectral": "degrees and eigenvectors of the adjacency, which fit only this graph",
    "local": "degrees and random walks near each node",
}


def describe(graph: datasets.Graph) -> str:
    """The statistics of a graph, as a Markdown table."""
    degrees = graph.degrees()
    adjacency = sp.csr_array(
        (np.ones(graph.num_edges, np.int8), graph.edges.T), shape=(graph.num_nodes,) * 2
    )
    components = sp.csgraph.connected_components(adjacency, directed=False, return_labels=False)
    known = graph.labels[graph.labels != UNKNOWN]
    cells = graph.num_nodes * graph.num_features
    rows = [
        ["nodes", f"{graph.num_nodes:,}"],
        ["directed edges" if graph.directed else "edges", f"{graph.num_edges:,}"],
        *_weights(graph),
        ["connected components", f"{components:,}"],
        ["isolated nodes", f"{(degrees == 0).sum():,}"],
        [
            "degree: mean, median, max",
            f"{degrees.mean():.2f}, {np.median(degrees):g}, {degrees.max()}",
        ],
        ["features", f"{graph.num_features:,}"],
        ["feature non-zeros", f"{graph.features.nnz:,} ({graph.features.nnz / max(cells, 1):.2%})"],
        ["labelled nodes", f"{len(known):,}"],
        ["homophily", f"{graph.homophily():.3f}"],
        ["adjusted homophily (0 by chance)", f"{graph.adjusted_homophily():.3f}"],
        ["train, val, test", ", ".join(f"{len(getattr(graph, split)):,}" for split in SPLITS)],
    ]
    sizes = np.bincount(known, minlength=graph.num_classes)
    rows += [
        [f"class {name}", f"{size:,}"] for name, size in zip(graph.class_names, sizes, strict=True)
    ]
    return markdown_table([graph.name, ""], rows)


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
