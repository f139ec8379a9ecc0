"""Partitions a graph into parts with few edges between them."""

from __future__ import annotations

import dataclasses
import importlib.util

import numpy as np

from mixhop_tf.errors import SettingError
from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.training.batches.spec import Batches
from mixhop_tf.training.batches.subgraph import neighbours_of

# METIS takes about ten seconds for each million entries of a random graph, its worst case.
METIS_LIMIT = 5_000_000
_CHUNK = 1 << 17  # nodes whose rows are read at once; the result is the same for any number


def has_metis() -> bool:
    """Says whether the package pymetis is installed."""
    return importlib.util.find_spec("pymetis") is not None


def resolved(batches: Batches, num_entries: int) -> Batches:
    """Chooses the partition, if the description leaves it open.

    It is `metis` if it is installed and the graph is small enough for it, and else `grown`.

    Args:
        batches: The description.
        num_entries: Number of entries of `A + I`.
    """
    if batches.kind != "clusters" or batches.partition is not None:
        return batches
    partition = "metis" if has_metis() and num_entries <= METIS_LIMIT else "grown"
    return dataclasses.replace(batches, partition=partition)


class Partition:
    """A division of the nodes into parts.

    Args:
        order: The nodes, part after part and in ascending order within a part, `[n]`.
        bounds: Where each part begins in `order`, and the end, `[number of parts + 1]`.
    """

    def __init__(self, order: np.ndarray, bounds: np.ndarray) -> None:
        self.order, self.bounds = order, bounds

    @property
    def num_parts(self) -> int:
        """Number of parts."""
        return len(self.bounds) - 1

    def nodes(self, parts: np.ndarray) -> np.ndarray:
        """Returns the nodes of some parts, in ascending order."""
        found = [self.order[self.bounds[part] : self.bounds[part + 1]] for part in parts]
        return np.sort(np.concatenate(found)).astype(np.int64)

    def parts_of(self, nodes: np.ndarray) -> np.ndarray:
        """Returns the parts that have any of these nodes, in ascending order."""
        wanted = np.zeros(len(self.order), bool)
        wanted[nodes] = True
        counts = np.add.reduceat(wanted[self.order], self.bounds[:-1], dtype=np.int64)
        return np.flatnonzero(counts)


def make_partition(neighbors: Neighbors, num_parts: int, kind: str) -> Partition:
    """Partitions a graph into non-empty parts of about equal size.

    Args:
        neighbors: The rows of the graph.
        num_parts: Number of parts, at most as many as nodes.
        kind: `metis`, which cuts few edges, or `grown`, which grows all parts at once from random
            nodes, edge by edge, and needs little memory.

    Raises:
        SettingError: `metis` is not installed.
    """
    num_nodes = neighbors.num_nodes
    num_parts = min(num_parts, num_nodes)
    if num_parts == 1:
        return Partition(np.arange(num_nodes), np.array([0, num_nodes]))
    labels = _metis(neighbors, num_parts) if kind == "metis" else _grown(neighbors, num_parts)
    order = np.argsort(labels, kind="stable").astype(np.int32)
    if kind == "metis":
        counts = np.bincount(labels, minlength=num_parts)
        bounds = np.concatenate([[0], np.cumsum(counts[counts > 0])])
    else:
        # Some parts grow faster than others. Equal pieces of the order are nearly the parts, and
        # every batch then takes the same memory.
        bounds = np.linspace(0, num_nodes, num_parts + 1).astype(np.int64)
    return Partition(order, bounds)


def _metis(neighbors: Neighbors, num_parts: int) -> np.ndarray:
    if not has_metis():
        rule = (
            "with partition=metis need the package pymetis; install it (pip install pymetis), or "
            "leave the partition out"
        )
        raise SettingError("batches", rule)
    import pymetis  # an optional extra

    indices = np.asarray(neighbors.indices)
    owners = np.repeat(np.arange(neighbors.num_nodes), np.diff(neighbors.indptr))
    kept = indices != owners  # METIS takes no self-loops
    counts = np.bincount(owners[kept], minlength=neighbors.num_nodes)
    dtype = pymetis.zero_copy_dtype()
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(dtype)
    rows = pymetis.CSRAdjacency(starts, indices[kept].astype(dtype))
    options = pymetis.Options(seed=0)
    return np.asarray(pymetis.part_graph(num_parts, rows, options=options).vertex_part)


def _grown(neighbors: Neighbors, num_parts: int, seed: int = 0) -> np.ndarray:
    """Labels each node by the random start that reaches it first; unreached nodes come last.

    In each round every node that was reached in the round before labels its free neighbours.
    """
    num_nodes = neighbors.num_nodes
    labels = np.full(num_nodes, num_parts, np.int32)
    starts = np.random.default_rng(seed).choice(num_nodes, num_parts, replace=False)
    labels[starts] = np.arange(num_parts)
    front = np.sort(starts)
    while len(front):
        reached = []
        for chunk in np.array_split(front, -(-len(front) // _CHUNK)):
            owners, places = neighbours_of(neighbors, chunk)
            found = np.asarray(neighbors.indices[places])
            free = labels[found] == num_parts
            found, givers = found[free], labels[chunk][owners[free]]
            new, first = np.unique(found, return_index=True)
            labels[new] = givers[first]
            reached.append(new)
        front = np.sort(np.concatenate(reached)).astype(np.int64)
    return labels
