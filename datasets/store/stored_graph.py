"""`StoredGraph` is a `Graph` whose large arrays stay in the files of a store."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from datasets import checks
from datasets.checks import SPLITS, IntArray
from datasets.edge_lists import Weights
from datasets.graph import Graph
from datasets.memory import check_fits
from datasets.recipes.recipe import Recipe
from datasets.store import digest
from datasets.store.arrays import row_blocks
from datasets.store.features import as_csr, map_features
from datasets.store.ids import read_ids
from datasets.store.manifest import Manifest
from datasets.store.rows import IN, OUT, Rows, check_bounds


class Contents:
    """Maps the files of a store when they are first needed, and remembers what was made of them.

    Compiled code follows the indices of rows without looking. So they are checked once in a
    process, when they are mapped: reading 100 million takes less than a second, and no note beside
    the store that says "checked" would be worth more than the store itself.

    Args:
        folder: The store.
        manifest: Its manifest.
        weighted: Whether weights are used.
    """

    def __init__(self, folder: Path, manifest: Manifest, weighted: bool):
        self.folder, self.manifest, self.weighted = folder, manifest, weighted

    def _rows(self, prefix: str) -> Rows:
        rows = Rows.read(self.folder, self.manifest, prefix)
        path = self.folder / f"{prefix}indices.npy"
        check_bounds(path, rows.indices, self.manifest.num_nodes)
        return rows if self.weighted else Rows(rows.indptr, rows.indices, None)

    @cached_property
    def rows(self) -> Rows:
        """The rows of `A + I`."""
        return self._rows(OUT)

    @cached_property
    def rows_in(self) -> Rows:
        """The rows of the transposed matrix."""
        return self._rows(IN) if self.manifest.directed else self.rows

    @cached_property
    def feature_matrix(self) -> np.ndarray | sp.csr_array:
        """The features, mapped."""
        return map_features(self.folder, self.manifest)

    @cached_property
    def features(self) -> sp.csr_array:
        """The features in memory, or mapped if they are stored as CSR."""
        return as_csr(self.folder, self.feature_matrix)

    @cached_property
    def edges(self) -> tuple[IntArray, Weights | None]:
        """All edges and weights, in memory."""
        size = self.manifest.num_edges
        check_fits(f"The list of edges of {self.folder}", size * (20 if self.weighted else 16))
        edges = np.empty((size, 2), np.int64)
        weights = np.empty(size, np.float32) if self.weighted else None
        start = 0
        for part, values in self.rows.edges(self.manifest.directed):
            stop = start + len(part)
            edges[start:stop] = part
            if weights is not None:
                weights[start:stop] = values
            start = stop
        edges.flags.writeable = False
        if weights is not None:
            weights.flags.writeable = False
        return edges, weights

    @cached_property
    def ids(self) -> NDArray[np.str_] | None:
        """The ids of the nodes, in memory."""
        return read_ids(self.folder, self.manifest)


class StoredGraph(Graph):
    """A graph in a store.

    It is the same graph as the one that was converted. The attributes of `Graph` that are large
    (`features`, `edges`, `edge_weights`, `node_ids`) are made when they are first used. These
    attributes are mapped from the files and need no memory of their own:

    - `neighbors`: the rows of `A + I`, with `indptr`, `indices` and `weights` (see `Rows`). In a
      directed graph a row has the targets of its node, and `neighbors_in` the sources.
    - `feature_matrix`: float32 `[n, s]`, or a CSR matrix if most features are zero.

    `with_split` and `replaced` keep the graph in its store. `dataclasses.replace` gives a `Graph`
    in memory.
    """

    _contents: Contents

    def __new__(cls, **fields: Any) -> Graph:  # type: ignore[misc]  # for dataclasses.replace
        """Makes a graph in memory, for `dataclasses.replace`; `datasets.load` opens stores."""
        return Graph(**fields)

    @classmethod
    def of(cls, contents: Contents, labels: IntArray, splits: dict[str, IntArray]) -> StoredGraph:
        """Makes the graph of a store and checks everything but the large arrays.

        Raises:
            DataError: A field of the manifest, the labels or the splits are invalid.
        """
        manifest, graph = contents.manifest, object.__new__(cls)
        name = checks.checked_name(manifest.name)
        recipe = None if manifest.recipe is None else Recipe.from_dict(manifest.recipe)
        names = checks.checked_feature_names(name, manifest.feature_names, manifest.num_features)
        graph.__dict__.update(
            name=name,
            num_nodes=checks.positive(name, "nodes", manifest.num_nodes),
            num_classes=checks.positive(name, "classes", len(manifest.class_names)),
            directed=manifest.directed,
            labels=labels,
            class_names=manifest.class_names,
            feature_names=names,
            recipe=recipe,
            _contents=contents,
            **splits,
        )
        graph._check_labels()
        return graph

    def __reduce__(self) -> tuple[Any, ...]:
        changed = {name: self.__dict__[name] for name in ("labels", "class_names", *SPLITS)}
        folder, weighted = self._contents.folder, self._contents.weighted
        return _reopened, (folder, weighted, self.num_classes, changed)

    @property
    def features(self) -> sp.csr_array:
        """The features, float32 CSR `[n, s]`."""
        return self._contents.features

    @property
    def edges(self) -> IntArray:
        """The edges, int64 `[m, 2]`."""
        return self._contents.edges[0]

    @property
    def edge_weights(self) -> Weights | None:
        """The weights, float32 `[m]`, or None."""
        return self._contents.edges[1] if self._contents.weighted else None

    @property
    def node_ids(self) -> NDArray[np.str_] | None:
        """The ids of the nodes."""
        return self._contents.ids

    @property
    def neighbors(self) -> Rows:
        """The rows of `A + I`; in a directed graph, those of the targets."""
        return self._contents.rows

    @property
    def neighbors_in(self) -> Rows:
        """The rows of the sources; in an undirected graph, the same as `neighbors`."""
        return self._contents.rows_in

    @property
    def feature_matrix(self) -> np.ndarray | sp.csr_array:
        """The features as they are stored: float32 `[n, s]`, dense or CSR, not copied."""
        return self._contents.feature_matrix

    @cached_property
    def digest(self) -> str:
        """Fingerprint of features, edges, labels and splits.

        That of the split which `load` gives is stored; that of any other is computed from all
        arrays, at about 500 MB a second.
        """
        stored = self._contents.manifest.digest
        splits = [getattr(self, split) for split in SPLITS]
        own = digest.split_digest(self.labels, splits, self.num_classes)
        if own == stored["split"] and self._contents.weighted == self._contents.manifest.weighted:
            return stored["value"]
        return digest.graph_digest(
            self.feature_matrix,
            self.neighbors,
            self.directed,
            self.labels,
            splits,
            self.num_classes,
        )

    @property
    def num_edges(self) -> int:
        """Number of distinct edges; in a directed graph, of ordered pairs."""
        return self._contents.manifest.num_edges

    @property
    def num_features(self) -> int:
        """Number of feature columns `s`."""
        return self._contents.manifest.num_features

    def replaced(self, **changes: Any) -> StoredGraph:
        """Returns the graph with other labels, classes or splits; see `Graph.replaced`."""
        other = super().replaced(**changes)
        other.__dict__.pop("digest", None)
        return other

    def degrees(self) -> IntArray:
        """Counts the distinct neighbours of each node, in either direction, `[n]`."""
        if not self.directed:
            return np.diff(self.neighbors.indptr) - 1
        return np.concatenate(list(self._both_degrees()))

    def _both_degrees(self) -> Iterator[IntArray]:
        sides = self.neighbors, self.neighbors_in
        for start, stop in row_blocks(sides[0].indptr + sides[1].indptr):
            keys = []
            for side in sides:
                first, last = int(side.indptr[start]), int(side.indptr[stop])
                rows = np.repeat(np.arange(stop - start), np.diff(side.indptr[start : stop + 1]))
                keys.append(rows * self.num_nodes + side.indices[first:last])
            joined = np.sort(np.concatenate(keys))
            distinct = joined[np.diff(joined, prepend=-1) != 0]
            yield np.bincount(distinct // self.num_nodes, minlength=stop - start) - 1

    def _edge_blocks(self) -> Iterator[IntArray]:
        for edges, _ in self.neighbors.edges(self.directed):
            yield edges


def _reopened(
    folder: Path, weighted: bool, num_classes: int, changed: dict[str, Any]
) -> StoredGraph:
    """Opens a store again, in another process."""
    from datasets.store.open import opened

    return opened(folder, weighted).replaced(num_classes=num_classes, **changed)
