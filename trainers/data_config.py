"""Which graph a run is on, how it is split, and how its features are scaled."""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import re
from collections.abc import Sequence
from pathlib import Path

import datasets
from datasets import splits
from datasets.checks import SPLITS
from trainers.errors import RunError

log = logging.getLogger("datasets.splits")

SCALINGS = ("auto", "rows", "standardize", "none")
_FEW = 1 / 3  # of the entries of a feature matrix


def file_stem(name: str) -> str:
    """A graph's name as the stem of a file name, wherever the name came from."""
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or "graph"


def is_synthetic(dataset: str) -> bool:
    """Whether a graph is one of the synthetic ones, published or generated."""
    return re.fullmatch(r"synthetic-h\d\.\d(-[a-z]+)?", dataset) is not None


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
    scaling: str = "auto"

    def __post_init__(self) -> None:
        if self.scaling not in SCALINGS:
            raise RunError(f"--scaling must be one of {', '.join(SCALINGS)}, not {self.scaling!r}.")

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

    @property
    def many_labels(self) -> bool:
        """Whether this is a random split with as many labels a class as in the paper's Table 3."""
        return self.split == "random" and self.per_class >= splits.PER_CLASS

    def load(self, data_dir: str | Path | None = None) -> datasets.Graph:
        """The graph; `data_dir` is where its files may lie.

        A graph that comes without a split gets a stratified one.
        """
        graph = self._load(data_dir)
        if self._lacks_split(graph):
            log.info(
                "%s comes without a split: of each class 60 %% train, 20 %% validate, 20 %% test",
                graph.name,
            )
            return splits.stratified_split(graph, seed=self.seed)
        return graph

    def load_for(
        self, class_names: Sequence[str], data_dir: str | Path | None = None
    ) -> tuple[datasets.Graph, bool]:
        """The graph for a model of these classes, and whether its split came with it.

        Labels are not needed, and nor is a split that cannot be made.
        """
        try:
            graph = self._load(data_dir, class_names)
        except datasets.DataError:
            if self.split == "given":
                raise
            graph = dataclasses.replace(self, split="given", seed=0)._load(data_dir, class_names)
        if not self._lacks_split(graph):
            return graph, self.split == "given"
        with contextlib.suppress(datasets.DataError):
            graph = splits.stratified_split(graph, seed=self.seed)
        return graph, False

    def _load(
        self, data_dir: str | Path | None, class_names: Sequence[str] | None = None
    ) -> datasets.Graph:
        split = dataclasses.asdict(self)
        del split["dataset"], split["scaling"]
        return datasets.load(self.dataset, data_dir, class_names=class_names, **split)

    def _lacks_split(self, graph: datasets.Graph) -> bool:
        return self.split == "given" and not any(len(getattr(graph, split)) for split in SPLITS)

    def scaling_of(self, graph: datasets.Graph) -> str:
        """What is done to the features of the graph: `rows`, `standardize` or `none`.

        `auto` scales rows where features are like the words of a text, most zero and none negative,
        as they are in the known graphs, and standardises columns of numbers otherwise.
        """
        if self.scaling != "auto":
            return self.scaling
        features = graph.features
        like_words = features.nnz <= _FEW * features.shape[0] * features.shape[1]
        known = self.dataset in datasets.NAMES or is_synthetic(self.dataset)
        return "rows" if known or (like_words and features.min() >= 0) else "standardize"
