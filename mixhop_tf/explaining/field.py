"""Sets of nodes on the way back from an answer, and the steps between them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from mixhop_tf.explaining.operators import RowSource


@dataclasses.dataclass(eq=False)
class Hop:
    """A step from the nodes that read to those that they read.

    Args:
        rows: Rows of the operator, `[k, n]`.
        readers: The nodes of the rows, `[k]`.
        read: The nodes that have an entry.
        places: Position of each entry's column among the nodes of `read`.
    """

    rows: sp.csr_array
    readers: np.ndarray
    read: Field
    places: np.ndarray

    def __post_init__(self) -> None:
        self.flow = np.zeros(len(self.places))  # what each entry carries to its reader

    @cached_property
    def owners(self) -> np.ndarray:
        """Position of each entry's row among the readers."""
        return np.repeat(np.arange(len(self.readers)), np.diff(self.rows.indptr))

    def transposed(self, values: np.ndarray | None = None) -> sp.csc_array:
        """Makes the transposed matrix `[nodes of read, k]`.

        Args:
            values: Values of the entries; by default those of the rows.
        """
        return self._plain if values is None else self._matrix(values)

    @cached_property
    def _plain(self) -> sp.csc_array:
        return self._matrix(self.rows.data)

    def _matrix(self, values: np.ndarray) -> sp.csc_array:
        shape = (len(self.read.nodes), len(self.readers))
        return sp.csc_array((values, self.places, self.rows.indptr), shape=shape)


class Field:
    """Some nodes, and the nodes that the operators let them read.

    Args:
        nodes: Indices in ascending order.
        sources: The operators.
        hops: The list that every new `Hop` is added to; all fields of an explanation share it.
    """

    def __init__(self, nodes: np.ndarray, sources: Sequence[RowSource], hops: list[Hop]) -> None:
        self.nodes, self.sources, self.hops = nodes, sources, hops
        self._steps: dict[int, Hop] = {}

    def step(self, direction: int) -> Hop:
        """Returns the step over an operator, which is made once."""
        if direction not in self._steps:
            rows = self.sources[direction].take(self.nodes)
            nodes, places = np.unique(rows.indices, return_inverse=True)
            same = len(nodes) == len(self.nodes) and np.array_equal(nodes, self.nodes)
            # The whole component is reached: every further step can use this one.
            read = self if same else Field(nodes, self.sources, self.hops)
            self._steps[direction] = Hop(rows, self.nodes, read, places)
            self.hops.append(self._steps[direction])
        return self._steps[direction]


def join(parts: Sequence[tuple[Field, np.ndarray]]) -> tuple[Field, np.ndarray]:
    """Adds up rows of different sets of nodes, on their union."""
    if len(parts) == 1:
        return parts[0]
    largest = max((field for field, _ in parts), key=lambda field: len(field.nodes))
    nodes = np.unique(np.concatenate([field.nodes for field, _ in parts]))
    union = largest
    if len(nodes) != len(largest.nodes):
        union = Field(nodes, largest.sources, largest.hops)
    total = np.zeros((len(nodes), parts[0][1].shape[1]))
    for field, rows in parts:
        total[np.searchsorted(nodes, field.nodes)] += rows
    return union, total


def distances(root: Field, nodes: np.ndarray, most: int) -> np.ndarray:
    """Counts the steps from the root to each of these nodes, in the direction that a row reads.

    Args:
        root: A field of one node.
        nodes: Nodes that are at most `most` steps away, in ascending order.
        most: Largest number of steps.
    """
    # The rows have self-loops, some of them of value zero, so that the fields grow as balls.
    balls = [root]
    for _ in range(most):
        balls.append(_neighbourhood(balls[-1]))
    found = np.zeros(len(nodes), np.int64)
    for distance in range(most, -1, -1):
        found[np.isin(nodes, balls[distance].nodes, assume_unique=True)] = distance
    return found


def _neighbourhood(field: Field) -> Field:
    """Returns all nodes that one of the operators lets a field read."""
    reads = [field.step(direction).read for direction in range(len(field.sources))]
    if len(reads) == 1:
        return reads[0]
    nodes = np.unique(np.concatenate([read.nodes for read in reads]))
    return Field(nodes, field.sources, field.hops)
