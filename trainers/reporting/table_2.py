"""The paper's Table 2, the graphs: our numbers and the paper's."""

from __future__ import annotations

from collections.abc import Iterable

import datasets
from trainers.paper.published import paper_tables
from trainers.text.markdown import markdown_table

TABLE_2_NOTE = """\
Each cell has our number, then the paper's.

- *Edges*: ours are distinct, undirected and without self-loops. The paper quotes the links as first
  published, with repeated links and self-links.
- *Train*: labelled nodes for training. Planetoid's split has 20 per class, a random split has 100
  per class, and a synthetic graph has a third of its nodes.
- *Homophily*: the share of the edges that join two nodes of the same class."""


def table_2(graphs: Iterable[datasets.Graph]) -> str:
    """Table 2 as Markdown: each cell has our number, then the paper's if it has one."""
    published = paper_tables()["table2_statistics"]
    header = [
        "graph",
        "nodes",
        "edges",
        "features",
        "classes",
        "train",
        "train, random",
        "homophily",
    ]
    rows = []
    for graph in graphs:
        paper = published.get(graph.name, {})
        ours = {
            "nodes": graph.num_nodes,
            "edges": graph.num_edges,
            "features": graph.num_features,
            "classes": graph.num_classes,
            "train_planetoid": len(graph.train),
            "train_random": len(datasets.random_split(graph).train) if paper else None,
        }
        cells = [_beside(value, paper.get(key)) for key, value in ours.items()]
        rows.append([graph.name, *cells, f"{graph.homophily():.3f}"])
    return markdown_table(header, rows)


def _beside(ours: int | None, paper: int | None) -> str:
    return " / ".join(f"{value:,}" for value in (ours, paper) if value is not None) or "–"
