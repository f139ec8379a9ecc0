"""Reads the edges of a `.npz` file with their weights and directions."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np

from datasets.checks import IntArray
from datasets.edge_lists import Weights, merged_edges
from datasets.errors import DataError, short
from datasets.options import IGNORED, TableOptions
from datasets.tables.table import described

log = logging.getLogger(__name__)

DIRECTED, WEIGHTS = "directed", "edge_weights"
_USUAL = ("weight", "edge_weight", WEIGHTS)  # in any case
_OF_EDGES = ("edge_attr", "edge_type")  # PyG's; not used unless the user names one


def weight_arrays(
    path: Path, keys: Collection[str], weight: str | None, taken: Collection[str]
) -> tuple[list[str], list[str]]:
    """Finds the arrays that describe edges.

    Args:
        path: The file.
        keys: Names of its arrays.
        weight: Name of the array with the weights; None for the usual names, `none` for none.
        taken: Names of arrays that mean something else.

    Returns:
        The names of the arrays with the weights, and of those that are not used.

    Raises:
        DataError: The named array is missing.
    """
    free = [key for key in keys if key not in taken]
    usual = [key for key in free if key.lower() in _USUAL]
    of_edges = [*usual, *(key for key in free if key in _OF_EDGES)]
    if weight == IGNORED:
        for key in usual:
            log.info("%s: the weights of edges in %s are ignored", path, short(key))
        return [], of_edges
    if weight:
        found = TableOptions(weight=weight).weight_in(free)
        if found is None:
            raise DataError(
                f"{path} has no array {short(weight)!r} for the weights of edges; the arrays are "
                f"{described(sorted(keys))}."
            )
        chosen = [found]
    else:
        chosen = usual
        for key in usual:
            log.info("%s: the array %s has the weights of edges", path, short(key))
    unused = [key for key in of_edges if key not in chosen]
    for key in unused:
        log.info("%s: the array %s is not used", path, short(key))
    return chosen, unused


def read_edges(
    path: Path,
    arrays: Mapping[str, np.ndarray],
    num_nodes: int,
    *,
    directed: bool,
    node_ids: Sequence[str] | None,
) -> tuple[IntArray, Weights | None]:
    """Makes the edges of a graph from the arrays `edges`, `edge_weights` and `directed`.

    An undirected graph that this package wrote lists each edge once. With `directed` such an edge
    counts in both directions.
    """
    edges, weights = arrays["edges"], arrays.get(WEIGHTS)
    if weights is not None and weights.ndim == 2 and weights.shape[1] == 1:
        weights = weights[:, 0]
    stored = _stored_direction(path, arrays)
    if stored and not directed:
        log.info("%s: directions of edges are not used; the graph is read as undirected", path)
    pairs, merged = merged_edges(
        edges,
        num_nodes,
        str(path),
        weights=weights,
        directed=directed and stored is not False,
        node_ids=node_ids,
    )
    if directed and stored is False:
        both = np.concatenate([pairs, pairs[:, ::-1]])
        twice = None if merged is None else np.concatenate([merged, merged])
        return merged_edges(both, num_nodes, str(path), weights=twice, directed=True)
    return pairs, merged


def _stored_direction(path: Path, arrays: Mapping[str, np.ndarray]) -> bool | None:
    """Whether the file says that its edges have directions; None if it does not say."""
    stored = arrays.get(DIRECTED)
    if stored is None:
        return None
    if stored.size != 1 or stored.dtype.kind not in "biu" or not np.isin(stored, (0, 1)).all():
        raise DataError(f"{path}: `{DIRECTED}` must be True or False.")
    return bool(stored.ravel()[0])
