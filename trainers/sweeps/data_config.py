"""Which graph a run is on, how it is split, and how its features are scaled."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import datasets
from datasets import splits
from datasets.splits import is_split
from mixhop_tf.errors import SettingError
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.scaling import AUTO, SCALINGS, resolve_scaling


def file_stem(name: str) -> str:
    """A graph's name as the stem of a file name, wherever the name came from."""
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or "graph"


def is_synthetic(dataset: str) -> bool:
    """Whether a graph is one of the synthetic ones, published or generated."""
    return re.fullmatch(r"synthetic-h\d\.\d(-[a-z]+)?", dataset) is not None


def is_known(dataset: str) -> bool:
    """Whether a graph is known by name, and not the user's own."""
    return dataset in datasets.NAMES or is_synthetic(dataset)


@dataclasses.dataclass(frozen=True, kw_only=True)
class DataConfig:
    """A graph and its split, as `datasets.load` takes them, and how its features are scaled."""

    dataset: str
    raw_features: bool = False
    split: str = "given"
    per_class: int = splits.PER_CLASS
    num_val: int = splits.NUM_VAL
    num_test: int = splits.NUM_TEST
    seed: int = 0
    scaling: str = AUTO

    def __post_init__(self) -> None:
        if self.scaling not in SCALINGS:
            raise SettingError("scaling", f"must be one of {', '.join(SCALINGS)}", self.scaling)

    @property
    def file_stem(self) -> str:
        """Tells the graph and its split in names of files: `cora`, `cora-random-20-seed1`."""
        parts = [file_stem(self.dataset)]
        if self.split != "given":
            parts.append(self.split)
        if self.split == "random":
            parts += [f"{self.per_class}"] * (self.per_class != splits.PER_CLASS)
            parts += [f"seed{self.seed}"] * (self.seed != 0)
        return "-".join(parts)

    def load(self, data_dir: str | Path | None = None) -> datasets.Graph:
        """The graph; `data_dir` is where its files may lie."""
        return datasets.load(self.dataset, data_dir, **self._split())

    def load_for(
        self, class_names: Sequence[str], data_dir: str | Path | None = None
    ) -> tuple[datasets.Graph, bool]:
        """The graph for a model of these classes, and whether its split came with it.

        Labels are not needed, nor is a split that cannot be made.
        """
        try:
            graph = datasets.load(
                self.dataset, data_dir, class_names=class_names, make_split=False, **self._split()
            )
        except datasets.DataError:
            if self.split == "given":
                raise
            unsplit = dataclasses.replace(self, split="given", seed=0)
            return unsplit.load_for(class_names, data_dir)[0], False
        if is_split(graph):
            return graph, self.split == "given"
        with contextlib.suppress(datasets.DataError):
            graph = datasets.stratified_split(graph, seed=self.seed)
        return graph, False

    def _split(self) -> dict[str, Any]:
        arguments = dataclasses.asdict(self)
        del arguments["dataset"], arguments["scaling"]
        return arguments

    def scaling_of(self, graph: Graph) -> str:
        """What is done to the features of the graph: `rows`, `standardize` or `none`.

        `auto` scales the rows of the known graphs; elsewhere it goes by the features, see
        `mixhop_tf.training.scaling`.
        """
        if self.scaling != AUTO:
            return self.scaling
        if is_known(self.dataset):
            return "rows"
        return resolve_scaling(self.scaling, graph.features)
