"""Where a run gets its graph from: from files, or from the process that started the sweep."""

from __future__ import annotations

import dataclasses

from mixhop_tf.training.graph import Graph
from trainers.sweeps.data_config import DataConfig


@dataclasses.dataclass(frozen=True)
class Source:
    """The graph, or the folder of its files. Two sources are equal if their folders are.

    Args:
        data_dir: Folder that may hold files of the graph.
        graph: The graph, if it has been loaded already.
    """

    data_dir: str | None = None
    graph: Graph | None = dataclasses.field(default=None, repr=False, compare=False)

    def load(self, data: DataConfig) -> Graph:
        """The graph that `data` describes."""
        return data.load(self.data_dir) if self.graph is None else self.graph
