"""What people pass to an estimator: features, labels and edges in many forms, made plain."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from mixhop_tf.errors import SettingError
from mixhop_tf.training.settings import Settings

UNKNOWN = -1


class Edges(NamedTuple):
    """Edges as node numbers `[m, 2]`, and their weights `[m]` or None."""

    pairs: np.ndarray
    weights: np.ndarray | None = None


def node_ids(features: Any) -> Sequence[Any] | None:
    """Returns the ids of the nodes: the index of a data frame. Other features have none."""
    index = getattr(features, "index", None)
    return None if index is None or callable(index) else list(index)


def checked_seed(random_state: Any) -> int:
    """Returns a seed after a check that it is a whole number."""
    if isinstance(random_state, (int, np.integer)) and random_state >= 0:
        return int(random_state)
    raise SettingError("random_state", "must be a whole number from 0", random_state)


def with_options(settings: Any, estimator: Any) -> Settings:
    """Returns settings with the options of an estimator that are not None."""
    if not isinstance(settings, Settings):
        raise SettingError("settings", "must be auto or a `Settings`", settings)
    names = "select_by", "class_weight", "calibrate", "threshold"
    given = {name: value for name in names if (value := getattr(estimator, name)) is not None}
    return dataclasses.replace(settings, **given)


def known_labels(labels: np.ndarray) -> np.ndarray:
    """Returns a mask `[n]` of the labels that are known.

    A label is unknown if it is -1, as in `sklearn.semi_supervised`, NaN, None or an empty text.
    """
    if np.issubdtype(labels.dtype, np.number):
        return (labels != UNKNOWN) & (labels == labels)
    return np.array(
        [
            not (each is None or each != each or each == UNKNOWN or str(each) in ("", "-1"))
            for each in labels.tolist()
        ],
        bool,
    )


def targets(labels: Any, num_nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the classes, sorted, and the number of each node's class `[n]`, or -1.

    Args:
        labels: Labels `[n]`; see `known_labels`.
        num_nodes: Number of nodes `n`.
    """
    given = column_or_1d(labels, warn=True)
    if len(given) != num_nodes:
        raise SettingError("y", f"must have {num_nodes} labels, but has {len(given)}")
    if np.issubdtype(given.dtype, np.floating) and np.isinf(given).any():
        raise ValueError("Input y contains infinity; leave unknown labels empty, or write -1.")
    known = known_labels(given)
    if known.any():
        check_classification_targets(given[known])
    classes, numbers = np.unique(given[known], return_inverse=True)
    if len(classes) < 2:
        rule = f"must hold two classes or more, but holds {len(classes)} class"
        raise SettingError("y", f"{rule}{'es' * (len(classes) != 1)}; label more nodes")
    codes = np.full(len(given), UNKNOWN)
    codes[known] = numbers
    return classes, codes


def edge_array(
    edges: Any, num_nodes: int, ids: Sequence[Any] | None, directed: bool = False
) -> Edges:
    """Returns the edges as node numbers, with the weights that they carry.

    The values of a SciPy adjacency are weights unless all are 1. So is the attribute `weight` of a
    networkx graph, and a third column `weight` of a data frame.

    Args:
        edges: Whole numbers `[m, 2]`, a SciPy sparse adjacency `[n, n]`, a networkx graph, a data
            frame whose first two columns are the ends, or None for no edges. A networkx graph and
            a data frame name nodes by `ids`, or by number where there are none.
        num_nodes: Number of nodes `n`.
        ids: Ids of the nodes.
        directed: Whether directions matter; a symmetric adjacency else lists each edge twice.
    """
    if edges is None:
        return Edges(np.empty((0, 2), np.int64))
    adjacency: Any = edges
    if sp.issparse(edges):
        if adjacency.shape != (num_nodes, num_nodes):
            rule = f"must be an adjacency [{num_nodes}, {num_nodes}], but have the shape"
            raise SettingError("edges", f"{rule} {list(adjacency.shape)}")
        return _ends(adjacency, directed)
    if callable(getattr(edges, "edges", None)):
        if directed and not edges.is_directed():
            raise SettingError("edges", "must be a networkx DiGraph, because directions matter")
        ends = np.array([list(ends)[:2] for ends in edges.edges()], object)
        given = [data.get("weight") for *_, data in edges.edges(data=True)]
        weighted = any(weight is not None for weight in given)
        weights = np.array([1.0 if weight is None else weight for weight in given])
        return Edges(_numbered(ends, ids), weights if weighted else None)
    if hasattr(edges, "iloc"):
        column = edges["weight"].to_numpy() if "weight" in edges.columns else None
        return Edges(_numbered(edges.iloc[:, :2].to_numpy(object), ids), column)
    array = np.asarray(edges)
    return Edges(np.empty((0, 2), np.int64) if not array.size else array)


def checked_edges(
    edges: Any, num_nodes: int, ids: Sequence[Any] | None, directed: bool = False
) -> Edges:
    """Returns the edges like `edge_array`, after a check that they join nodes of the graph."""
    pairs, weights = edge_array(edges, num_nodes, ids, directed)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise SettingError("edges", "must be whole numbers of the shape [m, 2]", edges)
    if pairs.size and (pairs.min() < 0 or pairs.max() >= num_nodes):
        raise SettingError("edges", f"must join nodes from 0 to {num_nodes - 1}", edges)
    return Edges(pairs.astype(np.int64), weights)


def _ends(adjacency: Any, directed: bool) -> Edges:
    entries = adjacency.tocoo()
    kept = entries.data != 0
    pairs = np.stack([entries.row[kept], entries.col[kept]], axis=1).astype(np.int64)
    weights = entries.data[kept]
    if np.all(weights == 1):
        return Edges(pairs)
    if not directed and abs(adjacency - adjacency.T).nnz == 0:
        upper = pairs[:, 0] <= pairs[:, 1]  # the other triangle holds the same edges
        pairs, weights = pairs[upper], weights[upper]
    return Edges(pairs, weights)


def _numbered(ends: np.ndarray, ids: Sequence[Any] | None) -> np.ndarray:
    if not len(ends):
        return np.empty((0, 2), np.int64)
    if ids is None:
        try:
            return ends.astype(np.int64)
        except (TypeError, ValueError):
            rule = "must name nodes by their numbers unless the features are a data frame"
            raise SettingError("edges", rule, ends[0].tolist()) from None
    number = {each: i for i, each in enumerate(ids)}
    if len(number) != len(ids):
        raise SettingError("X", "must have an index without repetitions")
    strange = next((each for each in ends.ravel().tolist() if each not in number), None)
    if strange is not None:
        raise SettingError("edges", "must join nodes of the index of X", strange)
    return np.array([[number[each] for each in pair] for pair in ends.tolist()], np.int64)
