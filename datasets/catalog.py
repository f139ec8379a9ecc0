"""`load`: the name of a graph, or a path to one, to a `Graph`."""

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
from datasets.formats import csv_folder, linqs, networkx_graph, npz, planetoid
from datasets.graph import Graph
from datasets.paths import user_path

log = logging.getLogger(__name__)

# Classes of each citation graph; Planetoid's split trains on 20 nodes a class.
_CITATION = {"cora": 7, "citeseer": 6, "pubmed": 3}
_TRAIN_PER_CLASS = 20
_SYNTHETIC = {synthetic.name_of(homophily): homophily for homophily in synthetic.HOMOPHILIES}
_FILE_ENDINGS = (".npz", ".graphml")

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
) -> Graph:
    """A graph by name, or the user's own by path.

    Args:
        name: One of `datasets.NAMES`; of a synthetic graph also its name with `-radial` at the end,
            for the features of the paper's Section 6.1, or with `-summed` (see
            `synthetic.FEATURES`); or a path to a `.npz` or `.graphml` file, a folder of CSV files,
            or a folder with one graph in Planetoid's form.
        data_dir: A folder with files of the named graph, looked in before the cache and the
            network: Planetoid's `ind.*`, Cora's `cora.content` and `cora.cites`, or the published
            synthetic graphs. Without it synthetic graphs are generated.
        raw_features: Keep the stored feature values of files in Planetoid's form. By default, as in
            the original, each non-zero becomes 1.
        split: `given` (Planetoid's; the user's own; thirds in node order for synthetic graphs),
            `random` (`per_class` nodes of each class train, `num_val` validate, `num_test` test),
            `thirds` (at random) or `stratified` (60, 20 and 20 % of each class, at random).
        per_class, num_val, num_test: Sizes of a `random` split.
        seed: Of a split at random, and of a generated graph; of a `.npz` file that holds several
            splits, which of them.
        class_names: The classes, where they are known, say of a model: labels that are none of them
            count as unknown, and the user's own graph need have none.
        make_split: Whether a graph that comes without a split gets a `stratified` one.

    Raises:
        DataError: With one sentence that says what is wrong and what to do.
    """
    if split not in SPLITTERS:
        raise DataError(f"Unknown split {split!r}; choose one of {', '.join(SPLITTERS)}.")
    folder = None if data_dir is None else user_path(data_dir)
    if folder is not None and not _is_folder(folder):
        raise DataError(
            f"The data folder {folder} is not a folder; name one that exists, or none at all."
        )
    checks.whole_number("seed", seed)
    try:
        which_split = seed if split == "given" else 0
        graph = _load_graph(str(name), folder, raw_features, seed, which_split, class_names)
    except OSError as error:
        raise DataError(
            f"{error.filename or name} cannot be read ({error.strerror}); see that it is there and "
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
            "%s comes without a split: of each class 60 %% train, 20 %% validate, 20 %% test",
            graph.name,
        )
        return splits.stratified_split(graph, seed=seed)
    return graph


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name too long for the system
        return False


def num_classes_of(name: str) -> int | None:
    """Number of classes of a graph that is known by name; None for the user's own."""
    if name in _CITATION:
        return _CITATION[name]
    endings = ("", *synthetic.FEATURES)
    known = any(name.removesuffix(ending) in _SYNTHETIC for ending in endings)
    return synthetic.NUM_CLASSES if known else None


def _with_classes(graph: Graph, class_names: Sequence[str]) -> Graph:
    """The graph with these classes; nodes whose label is none of them leave the splits."""
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
    class_names: Sequence[str] | None,
) -> Graph:
    if name in _CITATION:
        return _load_citation(name, folder, raw_features)
    if name in _SYNTHETIC:
        return _load_synthetic(_SYNTHETIC[name], folder, seed)
    for ending, with_features in synthetic.FEATURES.items():
        if (plain := name.removesuffix(ending)) in _SYNTHETIC:
            return with_features(_load_synthetic(_SYNTHETIC[plain], folder, seed))
    if folder is not None:
        raise DataError(f"A data folder goes with a known graph, but {name!r} is none of them.")
    path = user_path(name)
    if name and path.is_dir():
        if any(path.glob("ind.*.graph")):
            return planetoid.read_folder(path, raw_features=raw_features)
        return csv_folder.read(path, class_names)
    if path.is_file():
        if path.suffix == ".npz":
            return npz.read(path, class_names, which_split)
        if path.suffix in _FILE_ENDINGS:
            return networkx_graph.read_graphml(path)
        raise DataError(
            f"{path} is of no known kind; a file must end in {', '.join(_FILE_ENDINGS)}, a folder "
            "must hold CSV files."
        )
    if path.suffix in _FILE_ENDINGS or os.sep in name:
        raise DataError(f"{name} is no file or folder; name one, or one of {_near(path.name)}.")
    raise DataError(
        f"Unknown graph {name!r}: it is neither a file or folder here nor one of {_near(name)}."
    )


def _load_synthetic(homophily: float, folder: Path | None, seed: int) -> Graph:
    published = None if folder is None else synthetic.read_published(folder, homophily)
    return published or synthetic.generate(homophily, seed=seed)


def _near(name: str) -> str:
    """The known names nearest to this one, or all in short."""
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
