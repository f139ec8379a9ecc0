"""The part of an explanation that a page draws: the strongest nodes, joined to a tree."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mixhop_tf import Explanation


@dataclasses.dataclass(frozen=True, eq=False)
class Drawing:
    """A tree of nodes. The first is the node that is explained.

    Attributes:
        nodes: Indices in the graph, `[k]`.
        distances: Number of steps from the first node, `[k]`.
        parents: Position of the node that reads each node, `[k]`; 0 for the first node.
        contributions: What each node contributed, `[k]`.
        flows: What the edge to its parent carried, `[k]`; 0 for the first node.
    """

    nodes: np.ndarray
    distances: np.ndarray
    parents: np.ndarray
    contributions: np.ndarray
    flows: np.ndarray


def drawing(explanation: Explanation, most: int) -> Drawing:
    """Chooses the strongest nodes with the nodes on the way to them, `most` in all.

    The way leads from each node to the reader, one step closer, whose edge carried most.
    """
    nodes, distances = explanation.nodes, explanation.distances
    centre = int(np.searchsorted(nodes, explanation.node))
    parent, flow = _parents(explanation)
    chosen = [centre]
    for i in np.argsort(-np.abs(explanation.node_contributions), kind="stable").tolist():
        way = []
        while i not in chosen and i not in way and i >= 0:
            way.append(i)
            i = int(parent[i])
        if i >= 0 and len(chosen) + len(way) <= most:
            chosen += way
    chosen = sorted(chosen, key=lambda i: (distances[i], i))
    place = {i: position for position, i in enumerate(chosen)}
    return Drawing(
        nodes=nodes[chosen],
        distances=distances[chosen],
        parents=np.array([place.get(int(parent[i]), 0) for i in chosen]),
        contributions=explanation.node_contributions[chosen],
        flows=flow[chosen],
    )


def _parents(explanation: Explanation) -> tuple[np.ndarray, np.ndarray]:
    """Returns the reader of each node `[k]`, -1 without one, and what the edge carried `[k]`."""
    ends = np.searchsorted(explanation.nodes, explanation.edges)
    carried = explanation.edge_contributions
    steps = np.diff(explanation.distances[ends], axis=1)[:, 0]
    inward = np.flatnonzero(steps == 1)
    # Of several readers, the last assignment wins.
    inward = inward[np.argsort(np.abs(carried[inward]), kind="stable")]
    parent, flow = np.full(len(explanation.nodes), -1), np.zeros(len(explanation.nodes))
    parent[ends[inward, 1]], flow[ends[inward, 1]] = ends[inward, 0], carried[inward]
    return parent, flow
