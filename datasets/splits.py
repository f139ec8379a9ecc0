"""Divides the labelled nodes into training, validation and test nodes."""

from __future__ import annotations

import itertools
import math

import numpy as np

from datasets.checks import SPLITS, UNKNOWN, IntArray, whole_number
from datasets.errors import DataError
from datasets.graph import Graph

PER_CLASS, NUM_VAL, NUM_TEST = 100, 500, 1000  # the random partitions of the paper's Table 3
TRAIN_SHARE, VAL_SHARE = 0.6, 0.2  # of each class, for a graph without a split
_ROUNDING = 1e-9  # so that a rounding error in a product such as 0.6 · 5 adds no node


def is_split(graph: Graph) -> bool:
    """Returns whether any node is in the training, validation or test set."""
    return any(len(getattr(graph, part)) for part in SPLITS)


def random_split(
    graph: Graph,
    *,
    per_class: int = PER_CLASS,
    num_val: int = NUM_VAL,
    num_test: int = NUM_TEST,
    seed: int = 0,
) -> Graph:
    """Draws a random split with the same number of training nodes in each class.

    Args:
        graph: The graph to split.
        per_class: Training nodes per class.
        num_val: Validation nodes, from the remaining labelled nodes.
        num_test: Test nodes, from the remaining labelled nodes.
        seed: Seed of the draw.

    Returns:
        The graph with the new split.

    Raises:
        DataError: There are too few labelled nodes.
    """
    sizes = {"per_class": per_class, "num_val": num_val, "num_test": num_test, "seed": seed}
    for field, value in sizes.items():
        whole_number(field, value)
    rng = np.random.default_rng(seed)
    train = []
    for class_name, members in zip(graph.class_names, _members(graph), strict=True):
        if len(members) < per_class:
            raise DataError(
                f"{graph.name}: class {class_name!r} has {len(members)} labelled nodes, fewer than "
                f"the {per_class} requested; request fewer per class."
            )
        train.append(rng.permutation(members)[:per_class])
    chosen = np.concatenate(train)
    rest = rng.permutation(np.setdiff1d(np.flatnonzero(graph.labels != UNKNOWN), chosen))
    if len(rest) < num_val + num_test:
        raise DataError(
            f"{graph.name}: {len(rest):,} labelled nodes are left after training, fewer than the "
            f"{num_val:,} + {num_test:,} requested for validation and test; request fewer."
        )
    return _sorted_split(graph, chosen, rest[:num_val], rest[num_val : num_val + num_test])


def stratified_split(graph: Graph, *, seed: int = 0) -> Graph:
    """Draws 60 % of the labelled nodes of each class to train, 20 % to validate and 20 % to test.

    Rounding favours training, then validation: the only labelled node of a class trains; of two
    labelled nodes, one trains and one validates.

    Args:
        graph: The graph to split.
        seed: Seed of the draw.

    Returns:
        The graph with the new split.

    Raises:
        DataError: No class has two labelled nodes.
    """
    whole_number("seed", seed)
    rng = np.random.default_rng(seed)
    parts: tuple[list[IntArray], ...] = ([], [], [])
    for labelled in _members(graph):
        members = rng.permutation(labelled)
        first = math.ceil(TRAIN_SHARE * len(members) - _ROUNDING)
        first = min(first, max(len(members) - 1, 1))
        second = first + math.ceil(VAL_SHARE * len(members) - _ROUNDING)
        for part, nodes in zip(parts, np.split(members, [first, second]), strict=True):
            part.append(nodes)
    train, val, test = (np.concatenate(part) for part in parts)
    if not len(val):
        raise DataError(
            f"{graph.name}: no class has two labelled nodes, one to train on and one to validate; "
            "label more nodes."
        )
    return _sorted_split(graph, train, val, test)


def default_split(graph: Graph, seed: int = 0) -> Graph:
    """Returns the graph as `datasets.load` does: with its own split, or else a stratified one.

    A graph that cannot be split stays without a split.
    """
    if is_split(graph):
        return graph
    try:
        return stratified_split(graph, seed=seed)
    except DataError:
        return graph


def thirds_split(graph: Graph, *, seed: int | None = 0) -> Graph:
    """Divides the labelled nodes into three equal parts.

    Args:
        graph: The graph to split.
        seed: Seed of the draw. With None, the parts follow the node order.

    Returns:
        The graph with the new split.

    Raises:
        DataError: There are fewer than three labelled nodes.
    """
    nodes = np.flatnonzero(graph.labels != UNKNOWN)
    if len(nodes) < 3:
        raise DataError(
            f"{graph.name}: a split into thirds needs at least 3 labelled nodes, but the graph has "
            f"{len(nodes)}; label more nodes."
        )
    if seed is not None:
        whole_number("seed", seed)
        nodes = np.random.default_rng(seed).permutation(nodes)
    return _sorted_split(graph, *np.array_split(nodes, 3))


def _members(graph: Graph) -> list[IntArray]:
    """Lists the nodes of each class in one pass: there may be as many classes as nodes."""
    order = np.argsort(graph.labels, kind="stable")
    ends = np.searchsorted(graph.labels[order], np.arange(graph.num_classes + 1))
    return [order[start:end] for start, end in itertools.pairwise(ends)]


def _sorted_split(graph: Graph, train: IntArray, val: IntArray, test: IntArray) -> Graph:
    return graph.with_split(np.sort(train), np.sort(val), np.sort(test))
