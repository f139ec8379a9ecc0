"""Makes the parts of a training on batches from their description."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from typing import Any

import numpy as np

from mixhop_tf.architecture import Architecture
from mixhop_tf.errors import SettingError
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.models.chebyshev import ChebyshevModel
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.training.batches.clusters import ClusterSampler
from mixhop_tf.training.batches.draw import Sampler
from mixhop_tf.training.batches.fields import FieldSampler
from mixhop_tf.training.batches.partition import make_partition
from mixhop_tf.training.batches.spec import Batches
from mixhop_tf.training.batches.walks import WalkSampler
from mixhop_tf.training.graph import Graph

log = logging.getLogger(__name__)


def check_model(model: GraphModel, batches: Batches) -> None:
    """Raises a `SettingError` if a model cannot be trained on such batches."""
    if isinstance(model, ChebyshevModel):
        rule = "do not work with Chebyshev filters, which need the eigenvalues of the whole graph"
        raise SettingError("batches", rule)
    if batches.precompute and (
        not isinstance(model, MixHopModel) or model.architecture.has_attention
    ):
        raise SettingError("batches", "with precompute=yes work only with MixHop without attention")


def spec_of(model: GraphModel) -> AdjacencySpec:
    """Returns how the operator of a model is made from edges."""
    architecture = model.architecture
    return architecture.adjacency if isinstance(architecture, Architecture) else AdjacencySpec()


def rows_of(graph: Graph, model: GraphModel) -> list[Neighbors]:
    """Returns the rows that a model reads: one for each direction, without unused weights."""
    direction = spec_of(model).direction
    directions = ("in", "out") if direction == "both" else (direction,)
    found = [Neighbors.of(graph, each) for each in directions]
    if model.weighted:
        return found
    return [dataclasses.replace(each, weights=None) for each in found]


def make_samplers(
    batches: Batches, rows: list[Neighbors], train: np.ndarray, val: np.ndarray
) -> tuple[Sampler, Callable[[], Sampler]]:
    """Makes the sampler of the training nodes, and a function that makes that of validation nodes.

    Args:
        batches: The description.
        rows: The rows of the graph, one for each direction that the model reads.
        train: Training nodes.
        val: Validation nodes.
    """
    make: Callable[[Any], Sampler]
    if batches.kind == "walks":

        def make(nodes: np.ndarray) -> Sampler:
            return WalkSampler(rows, batches.size, batches.length, nodes)

    elif batches.kind == "fields":

        def make(nodes: np.ndarray) -> Sampler:
            return FieldSampler(rows, batches.size, batches.depth, batches.fanout, nodes)

    else:
        num_batches = -(-rows[0].num_nodes // batches.size)
        num_parts = 1 if num_batches == 1 else num_batches * batches.parts
        log.info("partitioning the graph into %s parts", f"{num_parts:,}")
        partition = make_partition(rows[0], num_parts, batches.partition or "grown")

        def make(nodes: np.ndarray) -> Sampler:
            return ClusterSampler(partition, batches.parts, nodes)

    return make(train), lambda: make(val)
