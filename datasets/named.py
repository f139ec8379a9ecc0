"""The graphs of the paper, which load by name."""

from __future__ import annotations

import difflib
from pathlib import Path

from datasets import sources, synthetic
from datasets.formats import linqs, planetoid
from datasets.graph import Graph

# Number of classes of each citation graph. Planetoid's split trains on 20 nodes per class.
_CITATION = {"cora": 7, "citeseer": 6, "pubmed": 3}
_TRAIN_PER_CLASS = 20
_SYNTHETIC = {synthetic.name_of(homophily): homophily for homophily in synthetic.HOMOPHILIES}

NAMES = (*_CITATION, *_SYNTHETIC)


def num_classes_of(name: str) -> int | None:
    """Returns the number of classes of a named graph, or None for the user's own graph."""
    if name in _CITATION:
        return _CITATION[name]
    endings = ("", *synthetic.FEATURES)
    known = any(name.removesuffix(ending) in _SYNTHETIC for ending in endings)
    return synthetic.NUM_CLASSES if known else None


def load_named(name: str, folder: Path | None, raw_features: bool, seed: int) -> Graph:
    """Loads a named graph.

    Args:
        name: One of `NAMES`; the name of a synthetic graph may have an ending for its features.
        folder: A folder with the graph's files, or None.
        raw_features: Whether to keep the feature values that Planetoid's files store.
        seed: Seed of a generated graph.
    """
    if name in _CITATION:
        return _load_citation(name, folder, raw_features)
    if name in _SYNTHETIC:
        return _load_synthetic(_SYNTHETIC[name], folder, seed)
    for ending, with_features in synthetic.FEATURES.items():
        if (plain := name.removesuffix(ending)) in _SYNTHETIC:
            return with_features(_load_synthetic(_SYNTHETIC[plain], folder, seed))
    raise AssertionError(f"{name} is no named graph")


def near(name: str) -> str:
    """Lists the known names that are similar to this one, or an abbreviated list of all."""
    found = difflib.get_close_matches(name.lower(), NAMES, n=3)
    return (
        " / ".join(found)
        if found
        else f"{', '.join(_CITATION)}, {next(iter(_SYNTHETIC))} … {NAMES[-1]}"
    )


def _load_synthetic(homophily: float, folder: Path | None, seed: int) -> Graph:
    published = None if folder is None else synthetic.read_published(folder, homophily)
    return published or synthetic.generate(homophily, seed=seed)


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
