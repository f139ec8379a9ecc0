"""Explanations of as many nodes as fit into a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from trainers.explorer.drawing import drawing
from trainers.explorer.packing import array

if TYPE_CHECKING:
    from mixhop_tf import Explanation

NODES, FEATURES = 16, 10  # of one explanation
NO_NODE = 2**32 - 1
_MEGABYTE = 10**6


def num_bytes(explanation: Explanation) -> int:
    """Returns the size of one explanation in a page, before compression."""
    sums = len(explanation.by_distance) + len(explanation.by_powers) + 3
    return 6 + NODES * 14 + FEATURES * 8 + 4 * sums


def nodes_to_explain(
    wrong: np.ndarray, scored: np.ndarray, held: np.ndarray, most: int, seed: int
) -> np.ndarray:
    """Chooses nodes: first mistakes, then other scored nodes, then the rest; each by chance."""
    rng = np.random.default_rng(seed)
    groups = [each[rng.permutation(len(each))] for each in (wrong, scored, held)]
    joined = np.concatenate(groups)
    unique = joined[np.sort(np.unique(joined, return_index=True)[1])]
    unique = unique[np.isin(unique, held)]
    return np.sort(unique[:most])


def explanations(
    explain: Callable[[int], Explanation],
    choose: Callable[[int], np.ndarray],
    where: np.ndarray,
    feature_names: Sequence[str] | None,
    megabytes: float,
    on_progress: Callable[[float], None] = lambda _: None,
) -> dict[str, Any] | None:
    """Computes explanations until the space is used.

    Args:
        explain: Explains a node.
        choose: Returns the nodes to explain, at most a given number.
        where: Position of each node in the page `[n]`, -1 if it is not there.
        feature_names: Names of the features; None if they have none.
        megabytes: The space.
        on_progress: Called with the share that is done.

    Returns:
        Arrays with a row for each node; None if there is no space for any.
    """
    first = choose(1)
    example = explain(int(first[0]))
    nodes = choose(int(megabytes * _MEGABYTE // num_bytes(example)))
    if not len(nodes):
        return None
    found = []
    for i, node in enumerate(nodes.tolist()):
        found.append(_row(explain(node), where))
        on_progress((i + 1) / len(nodes))
    columns = {name: [row[name] for row in found] for name in found[0]}
    used, indices = np.unique(np.stack(columns.pop("features")), return_inverse=True)
    names = [f"feature {i}" if feature_names is None else feature_names[i] for i in used.tolist()]
    depth = max(len(each) for each in columns["distanceSums"])
    columns["distanceSums"] = [_padded(each, depth, 0.0) for each in columns["distanceSums"]]
    return {
        "rows": array(where[nodes], "u4"),
        "width": NODES,
        "method": example.method,
        "note": example.note,
        "powers": [list(path) for path in example.powers],
        "featureNames": names,
        "features": array(indices, "u4"),
        "numFeatures": min(FEATURES, example.feature_contributions.shape[1]),
        "numDistances": depth,
        **{name: array(np.stack(values), _KINDS[name]) for name, values in columns.items()},
    }


_KINDS = {
    "targets": "u4",
    "sums": "f4",
    "distanceSums": "f4",
    "powerSums": "f4",
    "nodes": "u4",
    "distances": "u1",
    "parents": "u1",
    "contributions": "f4",
    "flows": "f4",
    "featureSums": "f4",
}


def _row(explanation: Explanation, where: np.ndarray) -> dict[str, np.ndarray]:
    """The numbers of one explanation that a page holds."""
    tree = drawing(explanation, NODES)
    by_feature = explanation.feature_contributions.sum(axis=0)
    top = np.argsort(-np.abs(by_feature), kind="stable")[:FEATURES]
    held = where[tree.nodes]
    return {
        "targets": np.array(explanation.target),
        "sums": np.array([explanation.logit, explanation.constant, explanation.rest]),
        "distanceSums": explanation.by_distance,
        "powerSums": explanation.by_powers,
        "nodes": _padded(np.where(held < 0, NO_NODE, held), NODES, NO_NODE),
        "distances": _padded(tree.distances, NODES, 0),
        "parents": _padded(tree.parents, NODES, 0),
        "contributions": _padded(tree.contributions, NODES, 0.0),
        "flows": _padded(tree.flows, NODES, 0.0),
        "features": top,
        "featureSums": by_feature[top],
    }


def _padded(values: np.ndarray, length: int, filler: float) -> np.ndarray:
    """Returns the values with fillers at the end, `[length]`."""
    return np.concatenate([values, np.full(length - len(values), filler, values.dtype)])
