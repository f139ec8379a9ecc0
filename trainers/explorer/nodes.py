"""What a page knows about each node: id, label, answer, split, and neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

import datasets
from datasets.checks import SPLITS
from mixhop_tf.ops.neighbors import Neighbors
from trainers.explorer.packing import array

MOST_NODES = 250_000  # that a page holds; a larger graph is sampled
MOST_NEIGHBOURS = 2_500_000  # in all; nodes with more than their share list some
_TOP_CLASSES = 5
_OUT, _IN = 1, 2  # directions of an edge, which add up


def held_nodes(graph: datasets.Graph, seed: int, most: int = MOST_NODES) -> np.ndarray:
    """Returns the nodes that the page holds, in ascending order: all, or a sample."""
    return sample(np.arange(graph.num_nodes), most, seed)


def sample(nodes: np.ndarray, most: int, seed: int) -> np.ndarray:
    """Returns `most` of some nodes, in their own order; the same for the same seed."""
    if len(nodes) <= most:
        return nodes
    chosen = np.random.default_rng(seed).choice(len(nodes), most, replace=False)
    return nodes[np.sort(chosen)]


def positions(held: np.ndarray, num_nodes: int) -> np.ndarray:
    """Returns the position of each node in the page `[n]`, -1 if the page does not hold it."""
    where = np.full(num_nodes, -1)
    where[held] = np.arange(len(held))
    return where


def node_table(
    graph: datasets.Graph,
    answer: dict[str, np.ndarray],
    held: np.ndarray,
    scored: np.ndarray,
    same_split: bool,
) -> dict[str, Any]:
    """Describes the nodes of a page.

    Args:
        graph: The graph.
        answer: Probabilities `[n, c]` and labels `[n]` by the model.
        held: The nodes that the page holds.
        scored: The nodes that the metrics count.
        same_split: Whether the split is that of the training.
    """
    splits = np.zeros(graph.num_nodes, np.uint8)
    for number, part in enumerate(SPLITS if same_split else (), start=1):
        splits[getattr(graph, part)] = number
    counts = np.zeros(graph.num_nodes, np.uint8)
    counts[scored] = 1
    shares = answer["probabilities"][held]
    top = np.argsort(-shares, axis=1, kind="stable")[:, :_TOP_CLASSES]
    ids = held if graph.node_ids is None else graph.node_ids[held]
    return {
        "ids": [str(each) for each in ids.tolist()],
        "label": array(graph.labels[held], "i4"),
        "answer": array(answer["labels"][held], "i4"),
        "split": array(splits[held], "u1"),
        "scored": array(counts[held], "u1"),
        "top": top.shape[1],
        "topClasses": array(top, "u4"),
        "topShares": array(np.take_along_axis(shares, top, axis=1), "f4"),
        **_neighbours(graph, held),
    }


def _neighbours(graph: datasets.Graph, held: np.ndarray) -> dict[str, Any]:
    """Lists the neighbours of the nodes, by their positions in the page.

    `degree` is the number of edges of a node, and a node with more than `mostListed` of them lists
    only some. In a directed graph each neighbour has a direction: 1 if the edge leads to it, 2 if
    it comes from it, 3 for both.
    """
    ends = {"undirected": _OUT} if not graph.directed else {"out": _OUT, "in": _IN}
    where = positions(held, graph.num_nodes)
    pairs, directions, most = [], [], []
    degrees = np.zeros(len(held), np.int64)
    for name, direction in ends.items():
        owner, other, counts, longest = _rows(Neighbors.of(graph, name), held)
        kept = (where[other] >= 0) & (held[owner] != other)
        pairs.append(owner[kept] * len(held) + where[other[kept]])
        directions.append(np.full(len(pairs[-1]), direction))
        degrees += counts - 1  # a row has the node itself
        most.append(longest - 1)
    unique, which = np.unique(np.concatenate(pairs), return_inverse=True)
    both = np.bincount(which, np.concatenate(directions), len(unique))
    return {
        "degree": array(degrees, "u4"),
        "mostListed": min(most),
        "starts": array(np.searchsorted(unique, np.arange(len(held) + 1) * len(held)), "u4"),
        "neighbours": array(unique % len(held), "u4"),
        "directions": array(both, "u1") if graph.directed else None,
    }


def _rows(
    rows: Neighbors, held: np.ndarray, most: int = MOST_NEIGHBOURS
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Gathers the rows of some nodes; long ones are cut until there are about `most` entries.

    Returns:
        For each entry the position of its row in `held`, and its column; the length of each row
        before the cut; and the largest length after it.
    """
    first, counts = rows.indptr[held], rows.indptr[held + 1] - rows.indptr[held]
    longest = int(counts.max())
    while np.minimum(counts, longest).sum() > most + len(held):
        longest = longest * 3 // 4
    kept = np.minimum(counts, longest)
    owner = np.repeat(np.arange(len(held)), kept)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(kept) - kept, kept)
    return owner, np.asarray(rows.indices[first[owner] + within]), counts, longest
