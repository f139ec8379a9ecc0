"""Makes a `Graph` from tables of nodes, labels, edges and splits."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

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
    words = words_of_labels(sources, nodes, wishes)
    sparse = None if sources.triplets is None else triplets(sources.triplets, nodes)
    pairs, weights = _edges(sources.edges, nodes)
    nodes.listed_in = nodes.listed_in or _names(sources)
    num_nodes = len(nodes)
    ids = np.array(nodes.ids.to_pylist())
    edges, weights = merged_edges(
        pairs, num_nodes, sources.where, weights=weights, directed=wishes.directed, node_ids=ids
    )
    labels, classes, where = numbered(sources, words, num_nodes, wishes.class_names)
    if not classes:
        raise DataError(f"{where} has no labels; label at least one node.")
    matrix, names, recipe = _chosen(sparse, found, num_nodes)
    graph = Graph(
        name=sources.name,
        num_nodes=num_nodes,
        num_classes=len(classes),
        features=matrix,
        edges=edges,
        edge_weights=weights,
        directed=wishes.directed,
        labels=labels,
        class_names=classes,
        node_ids=ids,
        feature_names=names,
        recipe=recipe,
        **split_of(sources, nodes, labels),  # these are the splits
    )
    if names:
        return graph
    recipe = wishes.recipe if found is None else found[1]
    return with_stand_ins(graph, sources.where, wishes.stand_ins, recipe)


def _chosen(
    sparse: tuple[sp.csr_array, tuple[str, ...]] | None,
    found: tuple[sp.csr_array, Recipe] | None,
    num_nodes: int,
) -> tuple[sp.csr_array, tuple[str, ...], Recipe | None]:
    """The features that the tables give, their names and their recipe; without any, no columns."""
    if sparse is not None and sparse[1]:
        matrix, names = sparse
        matrix.resize((num_nodes, matrix.shape[1]))  # type: ignore[arg-type]  # the stubs' slip
        return matrix, names, None
    if found is not None and found[1].used:
        return found[0], found[1].feature_names, found[1]
    return sp.csr_array(np.empty((num_nodes, 0), np.float32)), (), None


def _listed(sources: Sources, nodes: Nodes, wishes: Wishes) -> tuple[sp.csr_array, Recipe] | None:
    """Lists the nodes of a table that has them all, and makes their features."""
    if sources.nodes is None or not sources.lists_all:
        return None
    faults = sources.nodes.table.faults()
    list_all(sources, nodes, faults)
    found = features(sources, wishes, faults)
    check_listed(sources, nodes, faults)
    return found


def list_all(sources: Sources, nodes: Nodes, faults: Faults) -> None:
    """Numbers the nodes of a table that has them all; faults get ids that come twice."""
    role = sources.nodes
    if role is not None:
        rows = nodes.find(role.table, faults, role.id)[:, 0]
        if not faults:
            _refuse_repeated(role, rows, faults)


def check_listed(sources: Sources, nodes: Nodes, faults: Faults) -> None:
    """Raises the faults of the table of nodes, and refuses an empty one."""
    faults.check()
    name = "" if sources.nodes is None else _last(sources.nodes.table.name)
    if not len(nodes):
        raise DataError(
            f"{sources.where}: the graph is empty: {name} lists no nodes; add a line per node."
        )
    nodes.listed_in = name


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
    first = np.empty(found.max() + 1, np.int64)
    first[found[::-1]] = np.arange(len(found))[::-1]  # the last assignment counts
    rows = np.flatnonzero(first[found] < np.arange(len(found)))
    ids = role.table.texts(role.id)
    faults.add_rows(
        rows,
        lambda row: (
            f"duplicate node id {short(ids[row].as_py(), 100)!r}; remove one of the two lines"
        ),
    )


@dataclasses.dataclass(frozen=True)
class Labels:
    """The labels as they are written.

    Args:
        nodes: The nodes that have a label, `[k]`.
        words: The distinct labels; a gap is `""`.
        places: Which word each of the nodes has, `[k]`.
    """

    nodes: IntArray
    words: list[str]
    places: np.ndarray


def words_of_labels(sources: Sources, nodes: Nodes, wishes: Wishes) -> Labels:
    """The nodes that have a label, and the label of each."""
    role = sources.labels
    if role is None and sources.nodes is not None and sources.nodes.other:
        role = sources.nodes
    if role is None or not role.other or role.other not in role.table.columns:
        if sources.nodes is not None and not sources.lists_all:
            _list_nodes(nodes, sources.nodes)
        return Labels(np.empty(0, np.int64), [], np.empty(0, np.int64))
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
    counts = dict(zip(words.values, words.counts.tolist(), strict=True))
    kept = without_gaps(role.table.name, words.values, wishes.class_names or (), counts)
    return Labels(found, kept, words.places)


def numbered(
    sources: Sources, labels: Labels, num_nodes: int, class_names: Sequence[str] | None
) -> tuple[IntArray, tuple[str, ...], str]:
    """Numbers the classes; returns the class of each node, the names, and where they are from."""
    role = sources.labels or sources.nodes
    where = sources.where if role is None else role.table.name
    classes, names = labels_among(where, labels.words, class_names)
    found = np.full(num_nodes, UNKNOWN)
    found[labels.nodes] = classes[labels.places]
    return found, names, where


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


def split_of(sources: Sources, nodes: Nodes, labels: IntArray) -> dict[str, IntArray]:
    """The nodes of each split; empty ones if no table has splits."""
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
