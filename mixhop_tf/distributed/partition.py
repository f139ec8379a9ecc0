"""Which rows of a graph each worker has."""

from __future__ import annotations

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Partition:
    """Divides rows evenly: worker `r` has those from `r · block` up to `(r + 1) · block`.

    The last workers may have fewer.

    Args:
        num_nodes: Number of rows `n`.
        size: Number of workers.
        rank: Number of this worker.

    >>> Partition(10, 4, rank=3).start, Partition(10, 4, rank=3).stop
    (9, 10)
    """

    num_nodes: int
    size: int
    rank: int

    @property
    def block(self) -> int:
        """Number of rows of each worker except the last ones."""
        return -(-self.num_nodes // self.size)

    @property
    def start(self) -> int:
        """First row of this worker."""
        return min(self.rank * self.block, self.num_nodes)

    @property
    def stop(self) -> int:
        """Row after the last one of this worker."""
        return min(self.start + self.block, self.num_nodes)

    @property
    def num_rows(self) -> int:
        """Number of rows of this worker."""
        return self.stop - self.start

    def own(self, nodes: np.ndarray) -> np.ndarray:
        """Says which of these nodes this worker has, a mask."""
        return (nodes >= self.start) & (nodes < self.stop)

    def local(self, nodes: np.ndarray) -> np.ndarray:
        """Returns the positions of this worker's nodes among its rows."""
        return nodes[self.own(nodes)] - self.start

    def gathered(self, nodes: np.ndarray) -> tuple[int, np.ndarray]:
        """Returns where nodes are after each worker has sent its own, padded to the same number.

        Returns:
            The number of rows that each worker sends, and the position of each of the nodes.
        """
        owner = np.asarray(nodes) // self.block
        counts = np.bincount(owner, minlength=self.size)
        most = max(int(counts.max(initial=0)), 1)
        # The place of a node among its worker's nodes, in the order of `nodes`.
        order = np.argsort(owner, kind="stable")
        first = np.cumsum(counts) - counts
        among = np.empty(len(owner), np.int64)
        among[order] = np.arange(len(owner)) - first[owner[order]]
        return most, owner * most + among
