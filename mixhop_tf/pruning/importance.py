"""Measures how much each unit of a trained model matters, in three ways.

The scores can be compared within a layer.

A unit is a column of a hidden layer, or a group of `c` columns before a psum output; see
`mixhop_tf.pruning.shrink`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import keras
import numpy as np
import tensorflow as tf

from mixhop_tf.layer_spec import LayerSpec
from mixhop_tf.layers import PsumOutput, SparseDropout
from mixhop_tf.models.collapsed_output import summed_kernels
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.models.weights import weights_of
from mixhop_tf.ops.sparse import shared_rows
from mixhop_tf.pruning.shrink import Scores, unit_norms
from mixhop_tf.tensors import Matrix, Pair
from mixhop_tf.training.lasso import power_scales

Nodes: TypeAlias = "np.ndarray | tf.Tensor"
Measure = Callable[[MixHopModel, Pair, Nodes, Nodes], Scores]


def norm(
    model: MixHopModel,
    inputs: Pair,  # noqa: ARG001  # one signature for all three
    nodes: Nodes | None = None,  # noqa: ARG001
    labels: Nodes | None = None,  # noqa: ARG001
) -> Scores:
    """Measures the norm of each unit, `‖w_u‖₂`, as the paper does."""
    return unit_norms(model.architecture, weights_of(model), model.num_classes)


def effect(
    model: MixHopModel,
    inputs: Pair,
    nodes: Nodes | None = None,  # noqa: ARG001
    labels: Nodes | None = None,  # noqa: ARG001
) -> Scores:
    """Measures the effect of each unit: `‖w_u‖₂ · std(Â^j H) / std(H)`.

    Before a psum output the groups of one power are interchangeable, and only their sum
    `Σ_k softmax(q)_k W_k` matters. `_shared_out` divides the effect of the sum among the groups.
    """
    norms = norm(model, inputs)
    scales = power_scales(model, inputs)
    scores = [
        {power: values * scale[power] for power, values in layer.items()}
        for layer, scale in zip(norms, scales, strict=True)
    ]
    if model.architecture.output == "psum":
        totals = {
            power: float(scale * np.linalg.norm(kernel))
            for power, kernel, scale in _output_kernels(model, scales[-1])
        }
        scores[-1] = _shared_out(scores[-1], totals)
    return scores


def loss_rise(model: MixHopModel, inputs: Pair, nodes: Nodes, labels: Nodes) -> Scores:
    """Measures how much the loss would rise without each unit, to first order.

    With a gate `g_u = 1` on each unit, this is `-∂loss/∂g_u`. Before a psum output the rises of all
    groups of a power are added up, and `_shared_out` divides the sum among them.

    Args:
        model: The trained `MixHopModel`.
        inputs: The pair `(features, adjacency)` of the graph.
        nodes: Indices of the nodes whose loss is measured, such as the validation nodes.
        labels: Classes of these nodes.

    Returns:
        For each layer, a dictionary from power to the scores of its units.
    """
    sizes = model.architecture.unit_sizes(model.num_classes)
    specs = model.architecture.layers
    shared = shared_rows(inputs[1])
    gates = [tf.ones([spec.width // size]) for spec, size in zip(specs, sizes, strict=True)]
    with tf.GradientTape() as tape:
        tape.watch(gates)
        logits = tf.gather(_gated_logits(model, inputs, gates), nodes)
        loss = _mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits), shared)
    rises = tape.gradient(loss, gates)
    if shared is not None:
        rises = [shared.sum(rise) for rise in rises]
    scores = [
        _by_power(spec, size, -rise.numpy())
        for spec, size, rise in zip(specs, sizes, rises, strict=True)
    ]
    if model.architecture.output == "psum":
        totals = {power: float(values.sum()) for power, values in scores[-1].items()}
        # Norms rank the groups, because a rise cannot tell a vanished group from a harmful one.
        scores[-1] = _shared_out(norm(model, inputs)[-1], totals)
    return scores


MEASURES: Mapping[str, Measure] = {"norm": norm, "effect": effect, "loss": loss_rise}


def _shared_out(
    own: Mapping[int, np.ndarray], totals: Mapping[int, float]
) -> dict[int, np.ndarray]:
    """Divides the totals of the powers among the groups of a psum output.

    The groups of power `j` get the scores `total_j / 1`, `total_j / 2`, `total_j / 3`, and so on. A
    harmful power has a negative total, which is multiplied by 1, 2, 3 and so on instead.

    Groups of one power are interchangeable: a network with one of them can compute the same
    functions as a network with thirty. So the power matters, and its second group is worth less
    than its first one. Keeping the highest quotients divides the groups among the powers in
    proportion to their totals, as seats are divided among parties. Within a power, the groups are
    ranked by their `own` scores.
    """
    shared = {}
    for power, values in own.items():
        ranks = np.empty(len(values))
        ranks[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
        shared[power] = totals[power] / ranks if totals[power] > 0 else totals[power] * ranks
    return shared


def _output_kernels(
    model: MixHopModel, scales: Mapping[int, float]
) -> Iterator[tuple[int, np.ndarray, float]]:
    """Yields each power of the last layer with `Σ_k softmax(q)_k W_k` and its scale."""
    mixhop, psum = model.steps[-2:]
    for power, kernel in zip(mixhop.live_powers, summed_kernels(mixhop, psum), strict=True):
        yield power, kernel.numpy(), scales[power]


def _gated_logits(model: MixHopModel, inputs: Pair, gates: Sequence[tf.Tensor]) -> tf.Tensor:
    """Computes the logits with each unit multiplied by its gate, where the next layer reads it."""
    h, adjacency = inputs
    is_psum = isinstance(model.steps[-1], PsumOutput)
    waiting = iter(gates)
    has_started = False

    def gated(step: keras.layers.Layer, h: Matrix) -> Matrix:
        nonlocal has_started
        # A dropout is the first step of the next layer, after batch norm and activation.
        if not isinstance(step, SparseDropout):
            return h
        has_started, is_first = True, not has_started
        return h if is_first else h * next(waiting)

    end = -1 if is_psum else None
    h = model.walk(model.as_floats(h), adjacency, end, before=gated)
    if not is_psum:
        return h
    gate = next(waiting)
    groups = tf.reshape(h, [-1, len(gate), model.num_classes])
    return tf.einsum("nkc,k->nc", groups, tf.nn.softmax(model.steps[-1].q) * gate)


def _mean(losses: tf.Tensor, shared: Any) -> tf.Tensor:
    """Computes the mean of the losses of all workers' nodes, or a worker's summand of it."""
    if shared is None:
        return tf.reduce_mean(losses)
    return tf.reduce_sum(losses) / shared.sum(tf.constant([len(losses)], tf.float32))[0]


def _by_power(spec: LayerSpec, size: int, values: np.ndarray) -> dict[int, np.ndarray]:
    counts = [dim // size for dim in spec.dims]
    parts = np.split(values, np.cumsum(counts)[:-1])
    return {power: part for power, part in zip(spec.powers, parts, strict=True) if len(part)}
