"""The atlas: stable architectures of many graphs, and what these graphs look like."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import datasets
from datasets.patterns import PATTERNS, pattern
from mixhop_tf.pruning.candidates import EVEN, FAR, Named, StableArchitecture
from mixhop_tf.pruning.comparison import gain, scores_of
from trainers.paper.cells import random_split
from trainers.paper.presets import CITATION
from trainers.runs.files import read_json, write_json
from trainers.sweeps.data_config import DataConfig

COLUMNS = 20
_HOPS = 3


@dataclasses.dataclass(frozen=True)
class Entry:
    """A graph of the atlas.

    Attributes:
        name: Its name in the atlas.
        data: The source of the graph; for a pattern, what decides its settings.
        pattern: Name of the pattern that generates it, if any.
    """

    name: str
    data: DataConfig
    pattern: str | None = None

    def load(self, data_dir: str | None = None) -> datasets.Graph:
        """Loads or generates the graph."""
        return pattern(self.pattern) if self.pattern else self.data.load(data_dir)


def _entries() -> list[Entry]:
    given = [Entry(name, DataConfig(dataset=name)) for name in CITATION]
    drawn = [Entry(f"{name}, 100 labels a class", random_split(name)) for name in CITATION]
    levels = [name for name in datasets.NAMES if name.startswith("synthetic")]
    grown = [Entry(name, DataConfig(dataset=name, split="thirds")) for name in levels]
    patterns = [Entry(name, DataConfig(dataset=f"pattern/{name}"), name) for name in PATTERNS]
    return [*patterns, *grown, *given, *drawn]


ATLAS: Mapping[str, Entry] = {entry.name: entry for entry in _entries()}


def path_of(folder: Path, name: str) -> Path:
    """The record of a graph."""
    return folder / f"{name.replace(', ', '-').replace(' ', '-')}.json"


def record(entry: Entry, graph: datasets.Graph, learned: StableArchitecture) -> dict[str, Any]:
    """What the atlas keeps of a graph, in plain containers.

    Widths and gain are those of the learned candidate with the better validation score.
    """
    columns = learned.chosen.columns
    others = [name for name in learned.candidates if name.kind not in (EVEN, FAR)]
    best = max(others, key=lambda name: float(scores_of(learned.scores, name.text).mean()))
    even, far = Named(columns, EVEN).text, Named(columns, FAR).text
    ahead = gain(learned.scores, best.text, even)
    return {
        "name": entry.name,
        "graph": described(graph),
        "columns": columns,
        "shares": [dataclasses.asdict(each) for each in learned.shares[columns]],
        "widths": [list(layer.dims) for layer in learned.candidates[best].layers],
        "powers": list(learned.candidates[best].layers[0].powers),
        "even": float(scores_of(learned.scores, even).mean()),
        "far": gain(learned.scores, far, even).mean,
        "gain": ahead.mean,
        "interval": ahead.interval,
        "chosen": learned.chosen.kind,
    }


def described(graph: datasets.Graph) -> dict[str, Any]:
    """What a graph looks like: size, degree, labels a class, and homophily by hop.

    Homophily at hop `k` is the share of walks of `k` steps without a turn back at once whose ends
    are of one class. For more than two steps, walks that turn back count, too.
    """
    return {
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "classes": graph.num_classes,
        "degree": 2 * graph.num_edges / graph.num_nodes,
        "labels_per_class": len(graph.train) / graph.num_classes,
        "homophily": homophily_by_hop(graph),
    }


def homophily_by_hop(graph: datasets.Graph) -> list[float]:
    """The share of equal ends of walks, hop by hop; NaN where no walk joins two known classes."""
    first, second = graph.edges.T
    ends = np.concatenate([first, second]), np.concatenate([second, first])
    size = graph.num_nodes
    adjacency = sp.csr_array((np.ones(len(ends[0])), ends), (size, size))
    degrees = np.bincount(ends[0], minlength=size)[:, np.newaxis]
    known = graph.labels >= 0
    classes = np.eye(graph.num_classes)[np.maximum(graph.labels, 0)] * known[:, np.newaxis]
    before, reached = classes, np.asarray(adjacency @ classes)
    shares = []
    for hop in range(1, _HOPS + 1):
        same, all_of = float((classes * reached).sum()), float(reached[known].sum())
        shares.append(same / all_of if all_of else float("nan"))
        back = degrees if hop == 1 else degrees - 1  # walks that would turn back at once
        before, reached = reached, np.asarray(adjacency @ reached) - back * before
    return shares


def read_all(folder: Path) -> list[dict[str, Any]]:
    """The records of the graphs that are done, in the order of the atlas."""
    found = [read_json(path_of(folder, name)) for name in ATLAS]
    return [each for each in found if isinstance(each, dict)]


def keep(folder: Path, content: dict[str, Any]) -> None:
    """Writes a record."""
    write_json(path_of(folder, content["name"]), content)
