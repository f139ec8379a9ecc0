"""How much each unit of a trained model matters: three measures, all comparable within a layer.

A unit is a column of a hidden layer, or a group of `c` columns before a psum output; see
`mixhop_tf.shrink`.
"""

import numpy as np
import tensorflow as tf

from mixhop_tf.collapsed_output import summed_kernels
from mixhop_tf.layers import MixHopLayer, PsumOutput
from mixhop_tf.model import apply_step
from mixhop_tf.proximal import power_scales
from mixhop_tf.shrink import unit_norms, unit_sizes, weights_of


def norm(model, inputs, nodes=None, labels=None):  # noqa: ARG001  # one signature for all three
    """`‖w_u‖₂`, the paper's measure."""
    return unit_norms(model.architecture, weights_of(model), model.num_classes)


def effect(model, inputs, nodes=None, labels=None):  # noqa: ARG001
    """What a unit lets through: `‖w_u‖₂ · std(Â^j H) / std(H)`.

    Before a psum output the groups of one power are interchangeable, only their sum counts; see
    `_shared_out`. Its norm is that of `Σ_k softmax(q)_k W_k`.
    """
    norms = norm(model, inputs)
    scales = power_scales(model, inputs)
    scores = [
        {power: values * scale[power] for power, values in layer.items()}
        for layer, scale in zip(norms, scales, strict=True)
    ]
    if model.architecture.output == "psum":
        totals = {
            power: scale * np.linalg.norm(kernel)
            for power, kernel, scale in _output_kernels(model, scales[-1])
        }
        scores[-1] = _shared_out(scores[-1], totals)
    return scores


def loss_rise(model, inputs, nodes, labels):
    """How much the loss on `nodes` would rise without the unit, to first order.

    With a gate `g_u = 1` on each unit, `-∂loss/∂g_u`. Before a psum output the rises of all groups
    of a power are added up and shared out again; see `_shared_out`.

    Args:
        model: A `MixHopModel`.
        inputs: The pair `(features, adjacency)`.
        nodes: Indices of the nodes whose loss counts, such as the validation nodes.
        labels: Their classes.
    """
    sizes = unit_sizes(model.architecture, model.num_classes)
    specs = model.architecture.layers
    gates = [tf.ones([spec.width // size]) for spec, size in zip(specs, sizes, strict=True)]
    with tf.GradientTape() as tape:
        tape.watch(gates)
        logits = tf.gather(_gated_logits(model, inputs, gates), nodes)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    rises = tape.gradient(loss, gates)
    scores = [
        _by_power(spec, size, -rise.numpy())
        for spec, size, rise in zip(specs, sizes, rises, strict=True)
    ]
    if model.architecture.output == "psum":
        totals = {power: float(values.sum()) for power, values in scores[-1].items()}
        # By norms, which unlike rises tell a group that has vanished from one that does harm.
        scores[-1] = _shared_out(norm(model, inputs)[-1], totals)
    return scores


MEASURES = {"norm": norm, "effect": effect, "loss": loss_rise}


def _shared_out(own, totals):
    """Scores of the groups of a psum output: those of power `j` get `total_j / 1`, `/ 2`, `/ 3`, …
    (a power that does harm, times as much).

    Groups of one power are interchangeable: a network with one of them in place of thirty computes
    the same functions. So it is the power that matters or not, and a further group of it is worth
    less than the first. Keeping the highest of these quotients divides the groups among the powers
    in proportion to their totals, as seats are among parties. Within a power, groups are ranked by
    their `own` scores.
    """
    shared = {}
    for power, values in own.items():
        ranks = np.empty(len(values))
        ranks[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
        shared[power] = totals[power] / ranks if totals[power] > 0 else totals[power] * ranks
    return shared


def _output_kernels(model, scales):
    """For each power of the last layer `Σ_k softmax(q)_k W_k`, and its scale."""
    mixhop, psum = model.steps[-2:]
    for power, kernel in zip(mixhop.live_powers, summed_kernels(mixhop, psum), strict=True):
        yield power, kernel.numpy(), scales[power]


def _gated_logits(model, inputs, gates):
    """The model's logits, each unit multiplied by its gate where the next layer reads it."""
    h, adjacency = inputs
    h = model.as_floats(h)
    waiting = iter(gates)
    gate = None
    for step in model.steps:
        if isinstance(step, PsumOutput):
            groups = tf.reshape(h, [-1, len(gate), model.num_classes])
            return tf.einsum("nkc,k->nc", groups, tf.nn.softmax(step.q) * gate)
        if gate is not None and _reads(step):
            h, gate = h * gate, None
        h = apply_step(step, h, adjacency)
        if isinstance(step, MixHopLayer):
            gate = next(waiting)
    return h


def _reads(step):
    """Whether a step begins the next layer: after batch norm and activation comes its dropout."""
    return step.name.startswith("dropout")


def _by_power(spec, size, values):
    counts = [dim // size for dim in spec.dims]
    parts = np.split(values, np.cumsum(counts)[:-1])
    return {power: part for power, part in zip(spec.powers, parts, strict=True) if len(part)}
