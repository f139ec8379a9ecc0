"""Turns what a sampler draws into the arrays of a batch."""

from __future__ import annotations

import threading

import numpy as np

from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.training.batches.draw import Draw, Sampler
from mixhop_tf.training.batches.features import FeatureRows, HopRows
from mixhop_tf.training.batches.subgraph import induced, induced_in_groups


class Cutter:
    """Cuts the batches of a run out of a graph.

    A batch is a list of arrays: those of the features, then the indices and the values of each
    operator, then the number of nodes, then positions, labels and weights of the nodes whose loss
    counts. The degrees that
    normalise an operator are those of the batch.

    Args:
        rows: The rows of the graph, one for each direction that the model reads.
        features: The features.
        labels: Classes of all nodes `[n]`.
        spec: How the adjacency is made.
        class_weights: Weight of each class in the loss, `[c]`; None weighs all the same.
        mean_weight: Mean weight of the training nodes, which keeps the scale of the loss.
    """

    def __init__(
        self,
        rows: list[Neighbors],
        features: FeatureRows | HopRows,
        labels: np.ndarray,
        spec: AdjacencySpec,
        class_weights: np.ndarray | None = None,
        mean_weight: float = 1.0,
    ) -> None:
        self._rows, self._features, self._labels, self._spec = rows, features, labels, spec
        self._class_weights, self._mean_weight = class_weights, mean_weight
        self._scratch = threading.local()  # several threads cut at the same time

    def batch(self, sampler: Sampler, seed: int, number: int) -> list[np.ndarray]:
        """Cuts the batch of this number."""
        return self.cut(sampler.draw(seed, number))

    def cut(self, draw: Draw) -> list[np.ndarray]:
        """Cuts out what a sampler drew."""
        arrays = self._features.read(draw.nodes)
        for rows in self._rows:
            if draw.groups is None:
                entries = induced(rows, draw.nodes, self._positions(rows.num_nodes))
            else:
                entries = induced_in_groups(rows, draw.nodes, draw.groups, rows.num_nodes)
            arrays += entries.normalized(len(draw.nodes), self._spec)
        labels = np.asarray(self._labels[draw.nodes[draw.counted]], np.int64)
        weights = draw.weights
        if self._class_weights is not None:
            weights = weights * self._class_weights[labels] / self._mean_weight
        size = np.array(len(draw.nodes), np.int64)
        return [*arrays, size, draw.counted.astype(np.int64), labels, weights.astype(np.float32)]

    def _positions(self, num_nodes: int) -> np.ndarray:
        if not hasattr(self._scratch, "positions"):
            self._scratch.positions = np.full(num_nodes, -1, np.int32)
        return self._scratch.positions
