"""The rows that several workers train on, with the dropout of one process."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf.distributed.operator import PartOperator
from mixhop_tf.distributed.partition import Partition
from mixhop_tf.distributed.rows import OwnRows
from mixhop_tf.layers import SparseDropout
from mixhop_tf.layers.sparse_dropout import Before
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.sparse import sparse_tensor
from mixhop_tf.tensors import Pair
from mixhop_tf.training.inputs import field_to_cut
from mixhop_tf.training.large import operator_of
from mixhop_tf.training.parted.inputs import PartInputs
from mixhop_tf.training.size import is_large

_FAR_APART = 0x9E3779B9  # between the seeds of two workers


class Trained(NamedTuple):
    """The rows of one worker in an update.

    One process drops entries of all rows that an update needs: those of the whole graph, or of the
    part that the training nodes see. So the same part is divided among the workers.

    Attributes:
        pair: The inputs of a model that is called with `normalized=True`.
        rows: Positions of the worker's training nodes among the rows of the logits.
        own: Which of the training nodes these are, a mask.
        before: What other workers have before the rows of this one; None if the graph is large,
            so that every worker draws other numbers.
    """

    pair: Pair
    rows: tf.Tensor
    own: np.ndarray
    before: Before | None

    @classmethod
    def of(cls, inputs: PartInputs, model: GraphModel) -> Trained:
        """Finds the rows of this worker."""
        graph, nodes = inputs.graph, inputs.graph.train
        if is_large(graph):  # its dropout is drawn in blocks, or would take a copy of the features
            return cls._of(inputs.pair, inputs.partition, nodes, None)
        cut = _cut(inputs, model) if model.hops is not None else None
        if cut is not None:
            pair, partition, before, members = cut
            return cls._of(pair, partition, np.searchsorted(members, nodes), before)
        first = inputs.partition.start
        stored = sparse_tensor(graph.features[:first]).values
        return cls._of(inputs.pair, inputs.partition, nodes, Before(first, len(stored)))

    @classmethod
    def _of(
        cls, pair: Pair, partition: Partition, nodes: np.ndarray, before: Before | None
    ) -> Trained:
        return cls(pair, tf.constant(partition.local(nodes)), partition.own(nodes), before)

    def prepare_dropout(self, model: GraphModel) -> None:
        """Makes dropout draw what one process draws for these rows, if the graph is not large."""
        if self.before is not None:
            for layer in _dropouts(model):
                layer.before = self.before

    def start_dropout(self, model: GraphModel, rank: int) -> None:
        """Gives dropout another seed on each worker, if the graph is large."""
        if self.before is None:
            fold_rank(model, rank)


def fold_rank(model: GraphModel, rank: int) -> None:
    """Gives dropout another seed on each worker."""
    for layer in _dropouts(model):
        state = layer.seed_generator.state
        first, count = state.numpy().astype(np.uint64)
        first = (first + rank * _FAR_APART) % 2**32
        state.assign(np.array([first, count], np.uint32))


def _dropouts(model: GraphModel) -> list[SparseDropout]:
    return [each for each in model.layers if isinstance(each, SparseDropout) and each.rate]


def _cut(
    inputs: PartInputs, model: GraphModel
) -> tuple[Pair, Partition, Before, np.ndarray] | None:
    """Cuts out the part that one process would train on, and divides it; None if it is all."""
    graph = inputs.graph
    operator: Any = operator_of(graph, model)
    field = field_to_cut(operator, graph.train, model.hops)
    if field is None:
        return None
    size = len(field.members)
    partition = Partition(size, inputs.group.size, inputs.group.rank)
    ends = field.positions(operator.indices.numpy()[field.kept])
    matrix = sp.coo_array((operator.values.numpy()[field.kept], tuple(ends.T)), shape=(size, size))
    both = [OwnRows.of_matrix(partition, sp.csr_array(each)) for each in (matrix, matrix.T)]
    earlier, own = (
        sparse_tensor(graph.features[field.members[some]])
        for some in (slice(partition.start), slice(partition.start, partition.stop))
    )
    pair = model.normalize(own), PartOperator(inputs.group, partition, *both)
    return pair, partition, Before(partition.start, len(earlier.values)), field.members
