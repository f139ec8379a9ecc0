"""The graphs of many cells. Each is loaded once, or described by the records alone."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np

import datasets
import mixhop_tf
from datasets import synthetic
from datasets.catalog import num_classes_of
from mixhop_tf.training.graph import Graph, check_split
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.preset import Preset
from trainers.sweeps import records
from trainers.sweeps.config import RunConfig, graph_digest
from trainers.sweeps.data_config import DataConfig, is_synthetic
from trainers.sweeps.errors import RunError

PUBLISHED = "published"  # folder of the records of the published synthetic graphs


@dataclasses.dataclass(frozen=True)
class GraphFacts:
    """The facts about a graph that a config needs.

    Attributes:
        digest: Fingerprint of the contents.
        num_classes: Number of classes.
        largest_eigenvalue: Gives the largest eigenvalue of the Laplacian.
    """

    digest: str
    num_classes: int
    largest_eigenvalue: Callable[[], float]


class Graphs:
    """Graphs by their config.

    Args:
        data_dir: Folder with files of the graphs.
        records_dir: Folder of records. They contain eigenvalues, which then need no computation.
        trust_records: Whether fingerprints are taken from the records, without loading the graph. A
            report may do so; training always loads the graph.
    """

    def __init__(
        self,
        data_dir: str | None = None,
        records_dir: Path | None = None,
        trust_records: bool = False,
    ) -> None:
        self._data_dir = data_dir
        self._records_dir = records_dir
        self._trust_records = trust_records
        self._facts: dict[DataConfig, GraphFacts] = {}

    def load(self, data: DataConfig) -> datasets.Graph:
        """The graph; it stays in memory, because all models are trained on the same graphs."""
        return _load(data, self._data_dir)

    def facts(self, data: DataConfig) -> GraphFacts:
        """The facts about the graph that a config needs."""
        if data not in self._facts:
            self._facts[data] = self._recorded_facts(data) or self._loaded_facts(data)
        return self._facts[data]

    def config(
        self,
        data: DataConfig,
        request: ArchitectureRequest,
        preset: Preset,
        shared_first_kernel: bool = False,
    ) -> RunConfig:
        """The config of runs on a graph."""
        facts = self.facts(data)
        architecture = request.resolve(
            data.dataset, facts.num_classes, preset, facts.largest_eigenvalue
        )
        return RunConfig.of_digest(
            data, facts.digest, architecture, preset.settings, shared_first_kernel
        )

    def _loaded_facts(self, data: DataConfig) -> GraphFacts:
        graph = self.load(data)
        check_split(graph)
        digest = graph_digest(graph)
        return GraphFacts(digest, graph.num_classes, lambda: self._eigenvalue(digest, data))

    def _recorded_facts(self, data: DataConfig) -> GraphFacts | None:
        digests = self._digests.get(data, set()) if self._trust_records else set()
        num_classes = num_classes_of(data.dataset)
        if len(digests) != 1 or num_classes is None:
            return None
        (digest,) = digests
        return GraphFacts(digest, num_classes, lambda: self._eigenvalue(digest, data))

    def _eigenvalue(self, digest: str, data: DataConfig) -> float:
        """The recorded eigenvalue if there is one, because computing it takes long."""
        return self._eigenvalues.get(digest) or largest_eigenvalue(self.load(data))

    @functools.cached_property
    def _records(self) -> list[records.Record]:
        """The records; those of the published graphs only if these graphs are used."""
        if self._records_dir is None:
            return []
        paths = sorted(self._records_dir.rglob("*.jsonl"))
        published = self._data_dir is not None
        return [
            record
            for path in paths
            if (PUBLISHED in path.parts) == published
            for record in records.read(path)
        ]

    @functools.cached_property
    def _eigenvalues(self) -> dict[str, float]:
        configs = [record["config"] for record in self._records]
        return {
            config["digest"]: config["architecture"]["largest_eigenvalue"]
            for config in configs
            if "largest_eigenvalue" in config["architecture"]
        }

    @functools.cached_property
    def _digests(self) -> dict[DataConfig, set[str]]:
        digests: dict[DataConfig, set[str]] = {}
        for record in self._records:
            config = record["config"]
            digests.setdefault(DataConfig(**config["data"]), set()).add(config["digest"])
        return digests


@functools.lru_cache(maxsize=256)
def _load(data: DataConfig, data_dir: str | None) -> datasets.Graph:
    if data_dir is not None and is_synthetic(data.dataset):
        missing = synthetic.missing_published(Path(data_dir), data.dataset)
        if missing:
            raise RunError(
                f"{missing} is missing; name a folder with the published graphs, or name no folder "
                "to generate graphs."
            )
    return data.load(data_dir)


def largest_eigenvalue(graph: Graph) -> float:
    """The largest eigenvalue of a graph's Laplacian; the same for all its splits."""
    return _largest_eigenvalue(
        np.ascontiguousarray(graph.edges, np.int64).tobytes(), graph.num_nodes
    )


@functools.lru_cache(maxsize=16)
def _largest_eigenvalue(edges: bytes, num_nodes: int) -> float:
    return mixhop_tf.largest_eigenvalue(np.frombuffer(edges, np.int64).reshape(-1, 2), num_nodes)
