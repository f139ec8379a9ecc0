"""Lines that several commands print."""

from __future__ import annotations

from pathlib import Path

import datasets
from datasets.checks import SPLITS
from trainers.runs import metrics
from trainers.sweeps.data_config import DataConfig, is_known


def graph_line(graph: datasets.Graph) -> str:
    """One line that describes the graph."""
    parts = ", ".join(f"{len(getattr(graph, split)):,} {split}" for split in SPLITS)
    return (
        f"{graph.name}: {graph.num_nodes:,} nodes, {graph.num_edges:,} {_kind_of_edges(graph)}, "
        f"{graph.num_features:,} features, {graph.num_classes} classes; {parts}"
    )


def _kind_of_edges(graph: datasets.Graph) -> str:
    words = ["directed"] * graph.directed + ["weighted"] * (graph.edge_weights is not None)
    return " ".join([*words, "edges"])


def print_verdict(folder: Path, data: DataConfig) -> None:
    """Prints the metrics of the test nodes of the run in a folder, if it has any.

    The user's own graph gets a table of its classes, too.
    """
    verdict = metrics.read(folder)
    if verdict is not None:
        print("\n".join(verdict.lines(per_class=not is_known(data.dataset))), flush=True)
