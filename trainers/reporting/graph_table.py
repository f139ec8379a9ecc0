"""One graph in detail."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

import datasets
from datasets.checks import SPLITS, UNKNOWN
from trainers.text.markdown import markdown_table


def describe(graph: datasets.Graph) -> str:
    """One graph in detail, as Markdown."""
    degrees = graph.degrees()
    adjacency = sp.csr_array(
        (np.ones(graph.num_edges, np.int8), graph.edges.T), shape=(graph.num_nodes,) * 2
    )
    components = sp.csgraph.connected_components(adjacency, directed=False, return_labels=False)
    known = graph.labels[graph.labels != UNKNOWN]
    cells = graph.num_nodes * graph.num_features
    rows = [
        ["nodes", f"{graph.num_nodes:,}"],
        ["edges", f"{graph.num_edges:,}"],
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
        ["train, val, test", ", ".join(f"{len(getattr(graph, split)):,}" for split in SPLITS)],
    ]
    sizes = np.bincount(known, minlength=graph.num_classes)
    rows += [
        [f"class {name}", f"{size:,}"] for name, size in zip(graph.class_names, sizes, strict=True)
    ]
    return markdown_table([graph.name, ""], rows)
