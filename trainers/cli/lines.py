"""Lines that several commands print."""

from __future__ import annotations

import datasets
from datasets.checks import SPLITS


def graph_line(graph: datasets.Graph) -> str:
    """The graph in a line."""
    parts = ", ".join(f"{len(getattr(graph, split)):,} {split}" for split in SPLITS)
    return (
        f"{graph.name}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges, "
        f"{graph.num_features:,} features, {graph.num_classes} classes; {parts}"
    )
