"""`load` turns the name of a graph, or a path to one, into a `Graph`."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from datasets import checks, splits
from datasets.class_index import labels_among
from datasets.errors import DataError, short
from datasets.formats import graph_file, npz, planetoid, table_folder
from datasets.graph import Graph
from datasets.named import NAMES as NAMES
from datasets.named import load_named, near
from datasets.named import num_classes_of as num_classes_of
from datasets.options import IGNORED, TableOptions
from datasets.paths import user_path
from datasets.recipes.recipe import Recipe
from datasets.store.manifest import is_store
from datasets.store.open import open_store
from datasets.structural import SPECTRAL
from datasets.tables import files
from datasets.tables.sources import Wishes

log = logging.getLogger(__name__)

_FILE_ENDINGS = (".npz", *graph_file.ENDINGS, *files.ENDINGS)

SPLITTERS = ("given", "random", "thirds", "stratified")


def load(
    name: str | Path,
    data_dir: str | Path | None = None,
    *,
    raw_features: bool = False,
    split: str = "given",
    per_class: int = splits.PER_CLASS,
    num_val: int = splits.NUM_VAL,
    num_test: int = splits.NUM_TEST,
    seed: int = 0,
    class_names: Sequence[str] | None = None,
    make_split: bool = True,
    label: str | None = None,
    id: str | None = None,  # noqa: A002 - the name of the flag
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    directed: bool = False,
    nodes: str | Path | None = None,
    edges: str | Path | Sequence[str | Path] = (),
    ignore: Sequence[str] = (),
    features: Sequence[str] = (),
    stand_ins: str = SPECTRAL,
    recipe: Recipe | None = None,
) -> Graph:
    """Loads a graph by name, or the user's own graph by path.

    Args:
        name: One of `datasets.NAMES`, or a path: a folder of tables (CSV, Parquet, Feather), a
            table of nodes or edges, a list of edges, a `.npz`, `.graphml`, `.gexf` or `.gml` file,
            a `.store` that `trainers.convert` wrote, or a folder with one graph in Planetoid's
            format. The name of a synthetic graph
            may end in `-radial`, for the features of the paper's Section 6.1, or in `-summed` (see
            `synthetic.FEATURES`).
        data_dir: A folder with the files of the named graph: Planetoid's `ind.*`, Cora's
            `cora.content` and `cora.cites`, or the published synthetic graphs. It is searched
            before the cache and the network. Without it, synthetic graphs are generated.
        raw_features: Whether to keep the feature values that Planetoid's files store. By default
            each non-zero becomes 1, as in the original code.
        split: Which nodes train, validate and test. `given` uses Planetoid's split, the user's own
            split, or thirds in node order for synthetic graphs. `random` uses `per_class` nodes of
            each class to train, `num_val` to validate and `num_test` to test. `thirds` draws three
            equal parts at random. `stratified` draws 60, 20 and 20 % of each class at random.
        per_class: Training nodes per class in a `random` split.
        num_val: Validation nodes in a `random` split.
        num_test: Test nodes in a `random` split.
        seed: Seed of a random split and of a generated graph. If a `.npz` file holds several
            splits, the seed selects one of them.
        class_names: The classes, if they are known, for example from a trained model. Labels
            outside these classes count as unknown, and the user's graph needs no labels.
        make_split: Whether a graph without a split gets a `stratified` one.
        label: Column or node attribute with the class; by default `label` or `class`.
        id: Column or node attribute with the id of a node; by default `node` or `id`.
        source: Column with one end of an edge; by default `source`, `from`, `src`, ….
        target: Column with the other end.
        weight: Column, array or edge attribute with the weight of an edge; by default `weight`, if
            there is one. `none` ignores weights. Weights of repeated edges add up.
        directed: Whether edges keep their direction, from `source` to `target`. By default the
            graph is undirected, and both directions of an edge are the same edge.
        nodes: File with a row for each node, relative to the graph's folder or the current one.
        edges: Files of edges, which are united.
        ignore: Columns that are not features.
        features: The only columns that are features; by default all others.
        stand_ins: Features of a graph without any: `spectral` or `local` (see `structural.py`).
        recipe: How a trained model makes its features from the columns; see `Graph.recipe`.

    Returns:
        The graph, with every field checked.

    Raises:
        DataError: The input cannot be used; one sentence says what is wrong and what to do.
    """
    if split not in SPLITTERS:
        raise DataError(f"Unknown split {split!r}; choose one of {', '.join(SPLITTERS)}.")
    folder = None if data_dir is None else user_path(data_dir)
    if folder is not None and not _is_folder(folder):
        raise DataError(
            f"The data folder {folder} is not a folder; name an existing folder, or leave it out."
        )
    checks.whole_number("seed", seed)
    try:
        which_split = seed if split == "given" else 0
        options, wishes = table_wishes(
            label=label,
            id=id,
            source=source,
            target=target,
            weight=weight,
            directed=directed,
            nodes=nodes,
            edges=edges,
            ignore=ignore,
            features=features,
            stand_ins=stand_ins,
            class_names=class_names,
            recipe=recipe,
        )
        graph = _load_graph(str(name), folder, raw_features, seed, which_split, options, wishes)
    except OSError as error:
        raise DataError(
            f"{error.filename or name} cannot be read ({error.strerror}); check that it exists and "
            "that you may read it."
        ) from None
    if class_names is not None:
        graph = _with_classes(graph, class_names)
    if split != "given":
        return split_as(
            graph, split, per_class=per_class, num_val=num_val, num_test=num_test, seed=seed
        )
    if make_split and not splits.is_split(graph):
        log.info(
            "%s has no split, so 60 %% of each class train, 20 %% validate and 20 %% test",
            graph.name,
        )
        return splits.stratified_split(graph, seed=seed)
    return graph


def table_wishes(
    *,
    class_names: Sequence[str] | None = None,
    recipe: Recipe | None = None,
    directed: bool = False,
    **options: Any,
) -> tuple[TableOptions, Wishes]:
    """What the options of `load` say about tables."""
    lists: dict[str, Any] = {
        name: texts(options.pop(name, ())) for name in ("edges", "ignore", "features")
    }
    stand_ins = options.pop("stand_ins", SPECTRAL)
    named: dict[str, Any] = {name: str(value) for name, value in options.items() if value}
    wishes = Wishes(
        ignore=lists["ignore"],
        features=lists["features"],
        stand_ins=stand_ins,
        class_names=class_names,
        recipe=recipe,
        directed=directed,
    )
    return TableOptions(**named, **lists, stand_ins=stand_ins), wishes


def split_as(graph: Graph, split: str, *, seed: int = 0, **sizes: int) -> Graph:
    """Splits a graph anew: `random` with the given sizes, `thirds` or `stratified`."""
    if split == "random":
        return splits.random_split(graph, seed=seed, **sizes)
    if split == "thirds":
        return splits.thirds_split(graph, seed=seed)
    return splits.stratified_split(graph, seed=seed)


def texts(values: str | Path | Sequence[str | Path]) -> tuple[str, ...]:
    """Several names; one alone need not be in a list."""
    return (str(values),) if isinstance(values, (str, Path)) else tuple(map(str, values))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name too long for the system
        return False


def _with_classes(graph: Graph, class_names: Sequence[str]) -> Graph:
    """Replaces the classes of a graph; nodes with other labels leave the splits."""
    names = [*graph.class_names, ""]  # labels[UNKNOWN] is the last
    present, places = np.unique(graph.labels, return_inverse=True)
    found, classes = labels_among(graph.name, [names[c] for c in present], class_names)
    labels = found[places]
    kept = {}
    for split in checks.SPLITS:
        nodes = getattr(graph, split)
        kept[split] = nodes[labels[nodes] != checks.UNKNOWN]
    return graph.replaced(labels=labels, class_names=classes, num_classes=len(classes), **kept)


def _load_graph(
    name: str,
    folder: Path | None,
    raw_features: bool,
    seed: int,
    which_split: int,
    options: TableOptions,
    wishes: Wishes,
) -> Graph:
    if num_classes_of(name) is not None:
        _refuse_unless_plain(name, options, wishes)
        return load_named(name, folder, raw_features, seed)
    if folder is not None:
        raise DataError(
            f"A data folder only works with a named graph, and {name!r} is not one; leave the data "
            "folder out."
        )
    path = user_path(name)
    if name and path.is_dir():
        if any(path.glob("ind.*.graph")):
            _refuse_unless_plain(name, options, wishes)
            return planetoid.read_folder(path, raw_features=raw_features)
        if is_store(path):
            return open_store(path, options, wishes)
        return table_folder.read(path, options, wishes)
    if path.is_file():
        if path.suffix == ".npz":
            return npz.read(
                path,
                wishes.class_names,
                which_split,
                wishes.stand_ins,
                wishes.recipe,
                weight=options.weight,
                directed=wishes.directed,
            )
        if path.suffix.lower() in graph_file.ENDINGS:
            return graph_file.read(path, options, wishes)
        if files.is_table(path):
            return table_folder.read(path, options, wishes)
        raise DataError(
            f"{path} has an unknown format; use a file that ends in "
            f"{', '.join(_FILE_ENDINGS[:-1])} or {_FILE_ENDINGS[-1]}, or a folder of CSV files."
        )
    if path.suffix in _FILE_ENDINGS or os.sep in name:
        raise DataError(
            f"{name} is not a file or folder; name an existing one, or one of {near(path.name)}."
        )
    raise DataError(
        f"Unknown graph {name!r}: it is neither a file or folder here nor one of {near(name)}."
    )


def _refuse_unless_plain(name: str, options: TableOptions, wishes: Wishes) -> None:
    """Refuses directions and weights of a graph that has none."""
    if wishes.directed:
        raise DataError(
            f"{name} is an undirected graph, so its edges have no directions; load it as one."
        )
    if options.weight not in (None, IGNORED):
        raise DataError(
            f"{name} has no weights of edges, so it has no {short(options.weight)!r}; leave the "
            "option weight out."
        )
