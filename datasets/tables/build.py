"""Makes a `Graph` from tables of nodes, labels, edges and splits."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from datasets.checks import SPLITS, UNKNOWN, IntArray, split_name
from datasets.class_index import LabelCheck, labels_among, without_gaps
from datasets.edge_lists import merged_edges
from datasets.errors import DataError, short
from datasets.graph import Graph
from datasets.recipes.cells import words_of
from datasets.recipes.recipe import Recipe
from datasets.stand_ins import with_stand_ins
from datasets.tables.faults import Faults
from datasets.tables.gaps import GAPS
from datasets.tables.node_features import features, triplets
from datasets.tables.nodes import Nodes
from datasets.tables.sources import Role, Sources, Wishes
from datasets.tables.weights import check_all_weighted, weights_of


def build(sources: Sources, wishes: Wishes) -> Graph:
    """Makes the graph.

    Raises:
        DataError: A table is invalid; the message names the lines.
    """
    nodes = Nodes()
    found = _listed(sources, nodes, wishes)
    words = _labels(sources, nodes, wishes)
    sparse = None if sources.triplets is None else triplets(sources.triplets, nodes)
    pairs, weights = _edges(sources.edges, nodes)
    nodes.listed_in = nodes.listed_in or _names(sources)
    num_nodes = len(nodes)
    ids = np.array(nodes.ids.to_pylist())
    edges, weights = merged_edges(
        pairs, num_nodes, sources.where, weights=weights, directed=wishes.directed, node_ids=ids
    )
    labels, classes, where = _numbered(sources, words, num_nodes, wishes.class_names)
    if not classes:
        raise DataError(f"{where} has no labels; label at least one node.")
    graph = Graph(
        name=sources.name,
        num_nodes=num_nodes,
        num_classes=len(classes),
        features=sp.csr_array(np.empty((num_nodes, 0), np.float32)),
        edges=edges,
        edge_weights=weights,
        directed=wishes.directed,
        labels=labels,
        class_names=classes,
        node_ids=ids,
        feature_names=(),
        **_split(sources, nodes, labels),  # type: ignore[arg-type]  # these are the splits
    )
    if sparse is not None and sparse[1]:
        matrix, names = sparse
        matrix.resize((num_nodes, matrix.shape[1]))  # type: ignore[arg-type]  # the stubs' slip
        return dataclasses.replace(graph, features=matrix, feature_names=names)
    if found is None or not found[1].used:
        recipe = wishes.recipe if found is None else found[1]
        return with_stand_ins(graph, sources.where, wishes.stand_ins, recipe)
    matrix, recipe = found
    return dataclasses.replace(
        graph, features=matrix, feature_names=recipe.feature_names, recipe=recipe
    )


def _listed(sources: Sources, nodes: Nodes, wishes: Wishes) -> tuple[sp.csr_array, Recipe] | None:
    """Lists the nodes of a table that has them all, and makes their features."""
    role = sources.nodes
    if role is None or not sources.lists_all:
        return None
    faults = role.table.faults()
    rows = nodes.find(role.table, faults, role.id)[:, 0]
    if not faults:
        _refuse_repeated(role, rows, faults)
    found = features(sources, wishes, faults)
    faults.check()
    if not len(nodes):
        raise DataError(
            f"{sources.where}: the graph is empty: {_last(role.table.name)} lists no nodes; add a "
            "line per node."
        )
    nodes.listed_in = _last(role.table.name)
    return found


def _names(sources: Sources) -> str:
    """The files that mention nodes, for a message."""
    roles = [sources.labels, sources.nodes, *sources.edges]
    tables = [role.table for role in roles if role]
    tables[1:1] = [sources.triplets] if sources.triplets else []
    names = list(dict.fromkeys(_last(table.name) for table in tables))
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _last(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _list_nodes(nodes: Nodes, role: Role) -> None:
    faults = role.table.faults()
    found = nodes.find(role.table, faults, role.id)[:, 0]
    if not faults:
        _refuse_repeated(role, found, faults)
    faults.check()


def _refuse_repeated(role: Role, found: IntArray, faults: Faults) -> None:
    if not len(found):
        return
    first = np.full(found.max() + 1, len(found))
    np.minimum.at(first, found, np.arange(len(found)))
    rows = np.flatnonzero(first[found] < np.arange(len(found)))
    ids = role.table.texts(role.id)
    faults.add_rows(
        rows,
        lambda row: (
            f"duplicate node id {short(ids[row].as_py(), 100)!r}; remove one of the two lines"
        ),
    )


def _labels(sources: Sources, nodes: Nodes, wishes: Wishes) -> tuple[IntArray, Any]:
    """The nodes that have a label, and the label of each."""
    role = sources.labels
    if role is None and sources.nodes is not None and sources.nodes.other:
        role = sources.nodes
    if role is None or not role.other or role.other not in role.table.columns:
        if sources.nodes is not None and not sources.lists_all:
            _list_nodes(nodes, sources.nodes)
        return np.empty(0, np.int64), []
    faults = role.table.faults()
    found = nodes.find(role.table, faults, role.id)[:, 0]
    if not faults:
        _refuse_repeated(role, found, faults)
    words = words_of(role.table, role.other)
    if wishes.class_names is None:
        check = LabelCheck()
        known = [(i, word) for i, word in enumerate(words.values) if word not in GAPS]
        wrong = {i: said for i, word in known if (said := check.complaint(word))}
        if wrong:
            rows = np.flatnonzero(np.isin(words.places, list(wrong)))
            faults.add_rows(rows, lambda row: wrong[int(words.places[row])])
    faults.check()
    written = [words.values[i] for i in words.places]
    return found, without_gaps(role.table.name, written, wishes.class_names or ())


def _numbered(
    sources: Sources, words: tuple[IntArray, Any], num_nodes: int, class_names: Sequence[str] | None
) -> tuple[IntArray, tuple[str, ...], str]:
    role = sources.labels or sources.nodes
    where = sources.where if role is None else role.table.name
    written = [""] * num_nodes
    for node, word in zip(words[0].tolist(), words[1], strict=True):
        written[node] = word
    return *labels_among(where, written, class_names), where


def _edges(roles: Sequence[Role], nodes: Nodes) -> tuple[IntArray, np.ndarray | None]:
    """The pairs of nodes in all tables, and their weights if there are any."""
    check_all_weighted(roles)
    pairs, weights = [np.empty((0, 2), np.int64)], []
    for role in roles:
        faults = role.table.faults()
        pairs.append(nodes.find(role.table, faults, role.id, role.other))
        if role.weight:
            weights.append(weights_of(role, faults))
        faults.check()
    return np.concatenate(pairs), np.concatenate(weights) if weights else None


def _split(sources: Sources, nodes: Nodes, labels: IntArray) -> dict[str, IntArray]:
    role = sources.split
    if role is None:
        return {split: np.empty(0, np.int64) for split in SPLITS}
    faults = role.table.faults()
    found = nodes.find(role.table, faults, role.id)[:, 0]
    faults.check()
    words = words_of(role.table, role.other)
    parts = [split_name(word) for word in words.values]
    ids = role.table.texts(role.id)
    seen: dict[int, int] = {}
    for row, (node, place) in enumerate(zip(found.tolist(), words.places.tolist(), strict=True)):
        word, part = words.values[place], parts[place]
        name = short(ids[row].as_py(), 100) if part is None or node in seen else ""
        if part is None:
            faults.add(row, f"{short(word)!r} is not a split; write train, val or test")
        elif node in seen:
            before = words.values[words.places[seen[node]]]
            faults.add(
                row,
                f"the splits overlap: node {name!r} is in {before!r} and {word!r}; list it once",
            )
        elif labels[node] == UNKNOWN and part:
            faults.add(
                row,
                f"the label of node {short(ids[row].as_py(), 100)!r} is unknown; label it or "
                "remove this line",
            )
        seen.setdefault(node, row)
    faults.check()
    of_row = np.array([parts[i] for i in words.places]) if len(found) else np.empty(0, str)
    return {split: found[of_row == split] for split in SPLITS}
