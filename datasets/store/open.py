"""Opens a store: checks the manifest and what is small, and maps the rest."""

from __future__ import annotations

import logging
from pathlib import Path

from datasets.checks import SPLITS
from datasets.errors import DataError, few, short
from datasets.graph import Graph
from datasets.options import IGNORED, TableOptions
from datasets.store.features import check_features, map_features
from datasets.store.ids import check_ids
from datasets.store.manifest import SMALL, check_sums, read_manifest
from datasets.store.rows import IN, OUT, check_bounds, check_rows
from datasets.store.stored_graph import Contents, StoredGraph
from datasets.tables.sources import Wishes

log = logging.getLogger(__name__)


def opened(folder: Path, weighted: bool = True) -> StoredGraph:
    """Opens a store without reading its large arrays.

    Always checked: the manifest, the size and the header of every file, the labels and the splits.
    If the store is small, also the checksum of every file. Indices are checked when they are first
    used (see `Contents`); `check_store` checks everything.

    Args:
        folder: The store.
        weighted: Whether weights are used, if there are any.

    Raises:
        DataError: The store is damaged; the message names the file.
    """
    manifest = read_manifest(folder)
    for name in manifest.files:
        manifest.array(folder, name)
    if manifest.num_bytes <= SMALL:
        check_sums(folder, manifest)
    contents = Contents(folder.resolve(), manifest, weighted and manifest.weighted)
    splits = {split: manifest.array(folder, f"{split}.npy") for split in SPLITS}
    graph = StoredGraph.of(contents, manifest.array(folder, "labels.npy"), splits)
    if manifest.num_bytes <= SMALL:
        _ = graph.neighbors, graph.feature_matrix
    return graph


def open_store(folder: Path, options: TableOptions, wishes: Wishes) -> Graph:
    """Opens a store for `datasets.load`.

    Raises:
        DataError: The store is damaged, or lacks requested directions or weights.
    """
    graph = opened(folder, options.weight != IGNORED)
    if options.weight not in (None, IGNORED):
        raise DataError(
            f"{folder} was converted with one kind of weights, so it has no "
            f"{short(options.weight)!r}; leave the option weight out, or convert the graph again."
        )
    names = ("label", "id", "source", "target", "nodes", "edges", "ignore", "features")
    given = [name for name in names if getattr(options, name)]
    if given:
        log.info("%s: options for tables are not used: %s", folder, few(given, len(given)))
    if wishes.directed and not graph.directed:
        raise DataError(
            f"{folder} was converted without directions; convert the graph again with them."
        )
    return graph if wishes.directed else graph.undirected()


def check_store(folder: Path) -> StoredGraph:
    """Checks every byte of a store.

    Returns:
        The graph.

    Raises:
        DataError: The store is damaged; the message names the file.
    """
    graph = opened(folder)
    manifest = read_manifest(folder)
    check_sums(folder, manifest)
    for prefix, rows in ((OUT, graph.neighbors), (IN, graph.neighbors_in)):
        if prefix == OUT or graph.directed:
            path = folder / f"{prefix}indices.npy"
            check_bounds(path, rows.indices, graph.num_nodes)
            check_rows(path, rows)
    check_features(folder / "features.npy", map_features(folder, manifest))
    check_ids(folder, manifest)
    return graph
