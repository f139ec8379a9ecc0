"""Everything that makes the batches of a graph for a model."""

from __future__ import annotations

import functools
import logging
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.ops.neighbors import feature_matrix
from mixhop_tf.tensors import Pair
from mixhop_tf.training.batches.calls import BatchCalls
from mixhop_tf.training.batches.cut import Cutter
from mixhop_tf.training.batches.draw import Sampler
from mixhop_tf.training.batches.features import FeatureRows, HopRows
from mixhop_tf.training.batches.hops import propagated_features
from mixhop_tf.training.batches.make import check_model, make_samplers, rows_of, spec_of
from mixhop_tf.training.batches.partition import resolved
from mixhop_tf.training.batches.spec import Batches
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.settings import NONE, ClassWeight
from mixhop_tf.training.weighting import weights_of_classes

log = logging.getLogger(__name__)


class BatchSource:
    """Makes the batches of a graph for a model.

    Args:
        graph: The graph.
        model: The model.
        batches: The description of the batches.
        class_weight: `Settings.class_weight`.

    Attributes:
        batches: The description, with the partition that was chosen.
        num_entries: Number of entries of all operators.
        features: Reads the features of a batch, or the propagated ones.
        sampler: Draws batches whose targets are the training nodes.
        cutter: Cuts them.
        calls: Calls the model with them.
    """

    def __init__(
        self, graph: Graph, model: Any, batches: Batches, class_weight: ClassWeight = NONE
    ) -> None:
        check_model(model, batches)
        self._graph, self._model = graph, model
        self._rows = rows_of(graph, model)
        self.num_entries = sum(rows.num_entries for rows in self._rows)
        self.batches = resolved(batches, self._rows[0].num_entries)
        self._classes = weights_of_classes(class_weight, graph)
        self._plain = FeatureRows(feature_matrix(graph))
        self.features = self._hops() if batches.precompute else self._plain
        made = make_samplers(self.batches, self._rows, graph.train, graph.val)
        self.sampler, self._make_val_sampler = made
        self.cutter = self._cutter(self.features)
        self.calls = BatchCalls(model, self.features, len(self._rows))

    @functools.cached_property
    def val_sampler(self) -> Sampler:
        """Draws batches whose targets are the validation nodes."""
        return self._make_val_sampler()

    def scaled_parts(self, sampler: Sampler, count: int) -> list[tuple[Pair, Any, Any]]:
        """Makes some batches with scaled features, each as pair, targets and their labels.

        Args:
            sampler: Draws the batches.
            count: Number of batches at most.
        """
        cutter, calls = self._cutter(self._plain), BatchCalls(self._model, self._plain, self.width)
        parts = []
        for number in range(min(count, sampler.num_batches)):
            batch = [tf.constant(array) for array in cutter.batch(sampler, 0, number)]
            features, operator = calls.pair(batch)
            parts.append(((self._model.normalize(features), operator), batch[-3], batch[-2]))
        return parts

    @property
    def width(self) -> int:
        """Number of operators: one, or two directions."""
        return len(self._rows)

    def _hops(self) -> HopRows:
        log.info("propagating the features over the whole graph")
        matrix = feature_matrix(self._graph)
        return HopRows(propagated_features(self._model, self._rows, matrix))

    def _cutter(self, features: FeatureRows | HopRows) -> Cutter:
        graph, classes = self._graph, self._classes
        mean = 1.0 if classes is None else float(np.mean(classes[graph.labels[graph.train]]))
        return Cutter(self._rows, features, graph.labels, spec_of(self._model), classes, mean)
