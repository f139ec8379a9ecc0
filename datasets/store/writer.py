"""Writes the files of a store."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from datasets.atomic import replacing
from datasets.checks import SPLITS
from datasets.graph import Graph
from datasets.recipes.recipe import Recipe
from datasets.splits import default_split
from datasets.store import digest
from datasets.store.arrays import HEADER, sha256, write_array
from datasets.store.buckets import Plan, RowWriter, add_edges
from datasets.store.features import map_features, write_features
from datasets.store.ids import write_ids
from datasets.store.manifest import ArrayFile, Manifest
from datasets.store.rows import IN, OUT, Rows
from datasets.store.spool import Spool, closing
from datasets.store.stored_graph import Contents, StoredGraph

WORK, ROWS = "work", "rows"


def write(graph: Graph, path: Path) -> Path:
    """Writes a graph in memory to a store, completely or not at all."""
    with replacing(path) as temporary:
        temporary.mkdir()
        fill(temporary, graph)
    return path


def fill(folder: Path, graph: Graph) -> None:
    """Writes the files of a graph in memory into an empty folder."""
    kind, names = write_features(folder, graph.features)
    ids = None if graph.node_ids is None else pa.array(graph.node_ids.tolist(), pa.large_string())
    id_kind, id_names = write_ids(folder, ids)
    names += id_names + write_labels(folder, graph)
    sides = 1 if graph.directed else 2
    weighted = graph.edge_weights is not None
    plan = Plan.of(graph.num_nodes, sides * graph.num_edges, weighted)
    with closing(Spool(folder / WORK)) as spool:
        weights = None if graph.edge_weights is None else graph.edge_weights.astype(np.float64)
        add_edges(spool, plan, graph.edges, weights, graph.directed)
        spool.mark()
        num_edges, row_names = write_rows(folder, plan, graph.directed, graph.name)
    shutil.rmtree(folder / WORK)
    finish(
        folder,
        Manifest(
            name=graph.name,
            num_nodes=graph.num_nodes,
            num_edges=num_edges,
            num_features=graph.num_features,
            directed=graph.directed,
            weighted=weighted,
            features=kind,
            node_ids=id_kind,
            class_names=graph.class_names,
            feature_names=graph.feature_names,
            recipe=plain(graph.recipe),
            digest={"split": "", "value": ""},
            files=dict.fromkeys(names + row_names, ArrayFile("", (), "")),
        ),
    )


def plain(recipe: Recipe | None) -> dict[str, Any] | None:
    """A recipe as JSON gives it back."""
    return None if recipe is None else json.loads(json.dumps(recipe.to_dict()))


def write_labels(folder: Path, graph: Graph) -> list[str]:
    """Writes labels and splits; returns the names of the files."""
    for field in ("labels", *SPLITS):
        write_array(folder / f"{field}.npy", getattr(graph, field).astype("<i8", copy=False))
    return [f"{field}.npy" for field in ("labels", *SPLITS)]


def write_rows(folder: Path, plan: Plan, directed: bool, where: str) -> tuple[int, list[str]]:
    """Sorts all buckets into rows; returns the number of edges and the names of the files."""
    out = Spool(folder / ROWS)
    with closing(out):
        for bucket in range(plan.count):
            write_bucket(folder / WORK, out, plan, bucket, directed, where)
        out.mark()
    num_edges, names = finish_rows(folder / WORK, out, plan, directed, where)
    for name in names:
        (out.folder / name).replace(folder / name)
    shutil.rmtree(out.folder)
    return num_edges, names


def write_bucket(
    work: Path, out: Spool, plan: Plan, bucket: int, directed: bool, where: str
) -> None:
    """Sorts one bucket of each side and appends its rows."""
    for prefix in (OUT, IN) if directed else (OUT,):
        RowWriter(work, out, plan, prefix, where).write(bucket)


def finish_rows(
    work: Path, out: Spool, plan: Plan, directed: bool, where: str
) -> tuple[int, list[str]]:
    """Completes the files of rows; returns the number of edges and the names of the files."""
    names: list[str] = []
    total = 0
    for prefix in (OUT, IN) if directed else (OUT,):
        total, found = RowWriter(work, out, plan, prefix, where).finish(out.folder, prefix)
        names += found
    return (total - plan.num_nodes) // (1 if directed else 2), names


def finish(folder: Path, manifest: Manifest) -> None:
    """Completes the manifest with types, shapes, checksums and the digest, and writes it."""
    files = {name: _described(folder / name) for name in manifest.files}
    partial = _replaced(manifest, files=files)
    labels = partial.array(folder, "labels.npy")
    splits = {split: partial.array(folder, f"{split}.npy") for split in SPLITS}
    graph = default_split(StoredGraph.of(Contents(folder, partial, True), labels, splits))
    chosen = [getattr(graph, split) for split in SPLITS]
    value = digest.graph_digest(
        map_features(folder, partial),
        Rows.read(folder, partial),
        partial.directed,
        graph.labels,
        chosen,
        graph.num_classes,
    )
    own = digest.split_digest(graph.labels, chosen, graph.num_classes)
    _replaced(partial, digest={"split": own, "value": value}).write(folder)


def _replaced(manifest: Manifest, **changes: object) -> Manifest:
    return dataclasses.replace(manifest, **changes)  # type: ignore[arg-type]


def _described(path: Path) -> ArrayFile:
    with open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
        if version != (1, 0) or file.tell() != HEADER:
            raise AssertionError(f"{path} has another header than this module writes")
    return ArrayFile(dtype.str, shape, sha256(path))
