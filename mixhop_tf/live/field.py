"""Cuts out of a changing graph what the logits of some nodes depend on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.live.rows import Entries, LiveRows
from mixhop_tf.models.chebyshev import ChebyshevModel
from mixhop_tf.models.graph_model import GraphModel


class FieldSizeError(ValueError):
    """An answer depends on more nodes than the limit allows.

    Args:
        limit: Largest number of nodes.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(f"The answer depends on more than {limit:,} nodes, which is the limit.")
        self.limit = limit


@dataclasses.dataclass(frozen=True, eq=False)
class Direction:
    """One adjacency of a changing graph: its rows, and those of the transposed one.

    Args:
        rows: The rows of `A + I`.
        transposed: The rows of the transposed matrix; the same object if it is symmetric.
    """

    rows: LiveRows
    transposed: LiveRows


@dataclasses.dataclass(frozen=True, eq=False)
class Field:
    """The nodes that an answer depends on, and the entries between them.

    Args:
        members: The nodes, ascending, `[m]`.
        entries: For each direction, the entries of `A + I` in the rows that the answer needs.
    """

    members: np.ndarray
    entries: list[Entries]

    @classmethod
    def of(cls, directions: Sequence[Direction], nodes: np.ndarray, hops: int, limit: int) -> Field:
        """Finds the field of `nodes`.

        Args:
            directions: The adjacencies of the model.
            nodes: Nodes whose logits are needed.
            hops: Number of products that the model makes one after the other.
            limit: Largest number of members.

        Raises:
            FieldSizeError: There are more members than the limit.
        """
        members = frontier = np.unique(nodes)
        parts: list[list[Entries]] = [[] for _ in directions]
        for _ in range(hops):
            for part, direction in zip(parts, directions, strict=True):
                part.append(direction.rows.entries(frontier))
            reached = np.unique(np.concatenate([part[-1][1] for part in parts]))
            frontier = reached[~np.isin(reached, members, assume_unique=True)]
            members = np.union1d(members, frontier)
            if len(members) > limit:
                raise FieldSizeError(limit)
            if not len(frontier):
                break
        return cls(members, [_joined(part) for part in parts])

    def operator(
        self, model: GraphModel, direction: Direction, entries: Entries
    ) -> tuple[np.ndarray, np.ndarray]:
        """Makes the part of the model's operator that the field holds, `[m, m]`.

        The sums of rows and columns are those of the whole graph, so the values are, too.

        Returns:
            Indices int64 `[k, 2]` in row-major order, and values float64 `[k]`.
        """
        rows, columns, weights = entries
        after, before = direction.rows.sums[rows], direction.transposed.sums[columns]
        is_loop = rows == columns
        if isinstance(model, ChebyshevModel):
            values = _laplacian(after, before, is_loop, model.architecture.largest_eigenvalue)
        else:
            spec = getattr(model.architecture, "adjacency", AdjacencySpec())
            values = _adjacency(spec, weights.astype(np.float64), after, before)
            if not spec.self_loops:
                rows, columns, values = (part[~is_loop] for part in (rows, columns, values))
        places = [np.searchsorted(self.members, part) for part in (rows, columns)]
        order = np.argsort(places[0] * len(self.members) + places[1])
        return np.stack(places, axis=1)[order], values[order]


def _adjacency(
    spec: AdjacencySpec, weights: np.ndarray, after: np.ndarray, before: np.ndarray
) -> np.ndarray:
    """Computes the entries that `normalized_adjacency` gives for these sums of `A + I`."""
    loops = 0.0 if spec.self_loops else 1.0
    with np.errstate(divide="ignore", invalid="ignore"):  # at self-loops that are left out
        if spec.normalization == "symmetric":
            return weights / np.sqrt((after - loops) * (before - loops))
        if spec.normalization == "row":
            return weights / (after - loops)
    return weights


def _laplacian(
    after: np.ndarray, before: np.ndarray, is_loop: np.ndarray, largest: float
) -> np.ndarray:
    """Computes the entries that `rescaled_laplacian` gives for these sums of `A + I`."""
    scale = 2.0 / largest
    products = np.maximum((after - 1.0) * (before - 1.0), 1.0)
    return np.where(is_loop, scale - 1.0, -scale / np.sqrt(products))


def _joined(parts: list[Entries]) -> Entries:
    if not parts:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)
    rows, columns, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return rows, columns, values
