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
from datasets.recipes.recipe import Recipe
from datasets.splits import is_split
from datasets.structural import SPECTRAL
from mixhop_tf.errors import SettingError
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.scaling import AUTO, SCALINGS, resolve_scaling

# Fields of `DataConfig` that say how the user's files are read.
TABLE_FIELDS = (
    "label", "id", "source", "target", "nodes", "edges", "ignore", "features", "stand_ins",
    "weight", "directed",
)  # fmt: skip
_LISTS = ("edges", "ignore", "features")


def file_stem(name: str) -> str:
    """A graph's name or path as the stem of a file name."""
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or "graph"


def is_synthetic(dataset: str) -> bool:
    """Whether this is the name of a synthetic graph, published or generated."""
    return re.fullmatch(r"synthetic-h\d\.\d(-[a-z]+)?", dataset) is not None


def is_known(dataset: str) -> bool:
    """Whether this is the name of a known graph, and not the user's own."""
    return dataset in datasets.NAMES or is_synthetic(dataset)


@dataclasses.dataclass(frozen=True, kw_only=True)
class DataConfig:
    """A graph and its split, as `datasets.load` takes them, and how its features are scaled.

    The fields from `label` on are those of `datasets.load`; several names are separated by commas.
    """

    dataset: str
    raw_features: bool = False
    split: str = "given"
    per_class: int = splits.PER_CLASS
    num_val: int = splits.NUM_VAL
    num_test: int = splits.NUM_TEST
    seed: int = 0
    scaling: str = AUTO
    label: str = ""
    id: str = ""
    source: str = ""
    target: str = ""
    nodes: str = ""
    edges: str = ""
    ignore: str = ""
    features: str = ""
    stand_ins: str = SPECTRAL
    weight: str = ""
    directed: bool = False

    def __post_init__(self) -> None:
        if self.scaling not in SCALINGS:
            raise SettingError("scaling", f"must be one of {', '.join(SCALINGS)}", self.scaling)

    @property
    def file_stem(self) -> str:
        """The graph and its split in names of files: `cora`, `cora-random-20-seed1`."""
        parts = [file_stem(self.dataset)]
        if self.split != "given":
            parts.append(self.split)
        if self.split == "random":
            parts += [f"{self.per_class}"] * (self.per_class != splits.PER_CLASS)
            parts += [f"seed{self.seed}"] * (self.seed != 0)
        return "-".join(parts)

    def load(self, data_dir: str | Path | None = None) -> datasets.Graph:
        """Loads the graph; `data_dir` is a folder that may hold its files."""
        return datasets.load(self.dataset, data_dir, **self.arguments())

    def load_for(
        self,
        class_names: Sequence[str],
        data_dir: str | Path | None = None,
        recipe: Recipe | None = None,
    ) -> tuple[datasets.Graph, bool]:
        """Loads the graph for a model of these classes; also returns whether it came with a split.

        Labels are optional. If the split cannot be made, the graph has none.
        """
        try:
            graph = datasets.load(
                self.dataset,
                data_dir,
                class_names=class_names,
                make_split=False,
                recipe=recipe,
                **self.arguments(),
            )
        except datasets.DataError:
            if self.split == "given":
                raise
            unsplit = dataclasses.replace(self, split="given", seed=0)
            return unsplit.load_for(class_names, data_dir, recipe)[0], False
        if is_split(graph):
            return graph, self.split == "given"
        with contextlib.suppress(datasets.DataError):
            graph = datasets.stratified_split(graph, seed=self.seed)
        return graph, False

    def arguments(self) -> dict[str, Any]:
        """The options of `datasets.load`."""
        arguments = dataclasses.asdict(self)
        del arguments["dataset"], arguments["scaling"]
        arguments["weight"] = self.weight or None
        for name in _LISTS:
            arguments[name] = [each.strip() for each in arguments[name].split(",") if each.strip()]
        return arguments

    def scaling_of(self, graph: Graph) -> str:
        """How the features of the graph are scaled: `rows`, `standardize` or `none`.

        `auto` means `rows` for the known graphs. For others it depends on the features, see
        `mixhop_tf.training.scaling`.
        """
        if self.scaling != AUTO:
            return self.scaling
        if is_known(self.dataset):
            return "rows"
        return resolve_scaling(self.scaling, graph.features)
