"""Rows of the operators that a model multiplies by, made only for the nodes that are needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.models.chebyshev import ChebyshevModel
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.ops.neighbors import Neighbors, scales, spec_rows


class RowSource:
    """Gives rows of an operator `[n, n]` as a sparse matrix.

    Args:
        rows: The rows of `A + I`, which may be mapped from a file.
        before: Factors of the columns, `[n]`; None if all are one.
        after: Factors of the rows.
        diagonal: What the entries of the diagonal become; None leaves them as they are.
        sign: Factor of all other entries.
    """

    def __init__(
        self,
        rows: Neighbors,
        before: np.ndarray | None,
        after: np.ndarray | None,
        diagonal: float | None = None,
        sign: float = 1.0,
    ) -> None:
        self._rows, self._before, self._after = rows, before, after
        self._diagonal, self._sign = diagonal, sign

    @property
    def num_nodes(self) -> int:
        """Number of nodes `n`."""
        return self._rows.num_nodes

    def take(self, nodes: np.ndarray) -> sp.csr_array:
        """Returns the rows of these nodes, float64 `[len(nodes), n]`."""
        first = np.asarray(self._rows.indptr[nodes])
        counts = np.asarray(self._rows.indptr[nodes + 1]) - first
        indptr = np.concatenate([[0], np.cumsum(counts)])
        entries = np.arange(indptr[-1]) + np.repeat(first - indptr[:-1], counts)
        columns = np.asarray(self._rows.indices[entries]).astype(np.int64)
        owners = np.repeat(nodes, counts)
        values = np.full(len(columns), self._sign)
        if self._rows.weights is not None:
            values *= self._rows.weights[entries]
        if self._before is not None:
            values *= self._before[columns]
        if self._after is not None:
            values *= self._after[owners]
        if self._diagonal is not None:
            values[columns == owners] = self._diagonal
        return sp.csr_array((values, columns, indptr), shape=(len(nodes), self.num_nodes))


def row_sources(model: GraphModel, graph: Any) -> tuple[RowSource, ...]:
    """Makes the operator of a model, or the forward and the backward one.

    Args:
        model: The model.
        graph: The graph: `num_nodes`, `directed`, `edges` and `edge_weights`, or `neighbors`.
    """
    if isinstance(model, ChebyshevModel):
        return (_laplacian(model, graph),)
    spec = model.architecture.adjacency if isinstance(model, MixHopModel) else AdjacencySpec()
    return tuple(
        RowSource(rows, *scales(rows, spec, transposed), None if spec.self_loops else 0.0)
        for rows, transposed in spec_rows(graph, spec, weighted=model.weighted)
    )


def _laplacian(model: ChebyshevModel, graph: Any) -> RowSource:
    """Makes `2 L / λ - I`, as `rescaled_laplacian` does."""
    found = Neighbors.of(graph)
    rows = Neighbors(found.indptr, found.indices)
    scale = 2.0 / model.architecture.largest_eigenvalue
    roots = 1.0 / np.sqrt(np.maximum(rows.sums() - 1.0, 1.0))  # degrees without the loop
    return RowSource(rows, roots, roots, diagonal=scale - 1.0, sign=-scale)
