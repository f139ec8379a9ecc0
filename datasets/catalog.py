"""`load` turns the name of a graph, or a path to one, into a `Graph`."""

from __future__ import annotations

import dataclasses
import difflib
import logging
import os
from collections.abc import Sequence
from pathlib import Path

from datasets import checks, sources, splits, synthetic
from datasets.class_index import labels_among
from datasets.errors import DataError
from datasets.formats import graph_file, linqs, npz, planetoid, table_folder
from datasets.graph import Graph
from datasets.options import TableOptions
from datasets.paths import user_path
from datasets.recipes.recipe import Recipe
from datasets.structural import SPECTRAL
from datasets.tables import files
from datasets.tables.sources import Wishes

log = logging.getLogger(__name__)

# Number of classes of each citation graph. Planetoid's split trains on 20 nodes per class.
_CITATION = {"cora": 7, "citeseer": 6, "pubmed": 3}
_TRAIN_PER_CLASS = 20
_SYNTHETIC = {synthetic.name_of(homophily): homophily for homophily in synthetic.HOMOPHILIES}
_FILE_ENDINGS = (".npz", *graph_file.ENDINGS, *files.ENDINGS)

NAMES = (*_CITATION, *_SYNTHETIC)
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
            or a folder with one graph in Planetoid's format. The name of a synthetic graph
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
        options = TableOptions(
            label=label or None,
            id=id or None,
            source=source or None,
            target=target or None,
            nodes=str(nodes) if nodes else None,
            edges=_texts(edges),
            ignore=_texts(ignore),
            features=_texts(features),
            stand_ins=stand_ins,
        )
        wishes = Wishes(
            ignore=options.ignore,
            features=options.features,
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
    if split == "random":
        return splits.random_split(
            graph, per_class=per_class, num_val=num_val, num_test=num_test, seed=seed
        )
    if split == "thirds":
        return splits.thirds_split(graph, seed=seed)
    if split == "stratified":
        return splits.stratified_split(graph, seed=seed)
    if make_split and not splits.is_split(graph):
        log.info(
            "%s has no split, so 60 %% of each class train, 20 %% validate and 20 %% test",
            graph.name,
        )
        return splits.stratified_split(graph, seed=seed)
    return graph


def _texts(values: str | Path | Sequence[str | Path]) -> tuple[str, ...]:
    """Several names; one alone need not be in a list."""
    return (str(values),) if isinstance(values, (str, Path)) else tuple(map(str, values))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name too long for the system
        return False


def num_classes_of(name: str) -> int | None:
    """Returns the number of classes of a named graph, or None for the user's own graph."""
    if name in _CITATION:
        return _CITATION[name]
    endings = ("", *synthetic.FEATURES)
    known = any(name.removesuffix(ending) in _SYNTHETIC for ending in endings)
    return synthetic.NUM_CLASSES if known else None


def _with_classes(graph: Graph, class_names: Sequence[str]) -> Graph:
    """Replaces the classes of a graph; nodes with other labels leave the splits."""
    names = [*graph.class_names, ""]  # labels[UNKNOWN] is the last
    labels, classes = labels_among(graph.name, [names[c] for c in graph.labels], class_names)
    kept = {}
    for split in checks.SPLITS:
        nodes = getattr(graph, split)
        kept[split] = nodes[labels[nodes] != checks.UNKNOWN]
    return dataclasses.replace(
        graph, labels=labels, class_names=classes, num_classes=len(classes), **kept
    )


def _load_graph(
    name: str,
    folder: Path | None,
    raw_features: bool,
    seed: int,
    which_split: int,
    options: TableOptions,
    wishes: Wishes,
) -> Graph:
    if name in _CITATION:
        return _load_citation(name, folder, raw_features)
    if name in _SYNTHETIC:
        return _load_synthetic(_SYNTHETIC[name], folder, seed)
    for ending, with_features in synthetic.FEATURES.items():
        if (plain := name.removesuffix(ending)) in _SYNTHETIC:
            return with_features(_load_synthetic(_SYNTHETIC[plain], folder, seed))
    if folder is not None:
        raise DataError(
            f"A data folder only works with a named graph, and {name!r} is not one; leave the data "
            "folder out."
        )
    path = user_path(name)
    if name and path.is_dir():
        if any(path.glob("ind.*.graph")):
            return planetoid.read_folder(path, raw_features=raw_features)
        return table_folder.read(path, options, wishes)
    if path.is_file():
        if path.suffix == ".npz":
            return npz.read(path, wishes.class_names, which_split, wishes.stand_ins, wishes.recipe)
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
            f"{name} is not a file or folder; name an existing one, or one of {_near(path.name)}."
        )
    raise DataError(
        f"Unknown graph {name!r}: it is neither a file or folder here nor one of {_near(name)}."
    )


def _load_synthetic(homophily: float, folder: Path | None, seed: int) -> Graph:
    published = None if folder is None else synthetic.read_published(folder, homophily)
    return published or synthetic.generate(homophily, seed=seed)


def _near(name: str) -> str:
    """Lists the known names that are similar to this one, or an abbreviated list of all."""
    near = difflib.get_close_matches(name.lower(), NAMES, n=3)
    return (
        " / ".join(near)
        if near
        else f"{', '.join(_CITATION)}, {next(iter(_SYNTHETIC))} … {NAMES[-1]}"
    )


def _load_citation(name: str, folder: Path | None, raw_features: bool) -> Graph:
    num_train = _TRAIN_PER_CLASS * _CITATION[name]
    is_cora = name == "cora"
    forms = (planetoid.part_names(name), *((linqs.FILES,) if is_cora else ()))
    where, form = sources.locate(name, forms, folder)
    if form == 1:
        return linqs.read(where, num_train=num_train, num_val=planetoid.NUM_VAL)
    return planetoid.read(
        where,
        name,
        num_train=num_train,
        raw_features=raw_features,
        class_names=linqs.CORA_CLASSES if is_cora else (),
        node_ids=linqs.cora_node_ids() if is_cora else None,
    )
