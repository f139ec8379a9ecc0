"""A MixHop model on many rows: what lies between products is computed in blocks of rows.

The plain way keeps the input, the product, the norm, the relu and the dropout of each layer for the
gradient. Here only what enters and leaves the products with the adjacency is kept; see `LazyRows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from mixhop_tf.layers import GraphNorm, MixHopLayer, PsumOutput, SparseDropout
from mixhop_tf.layers.row_normalize import row_scale
from mixhop_tf.limits import are_many
from mixhop_tf.models.apply_step import apply_step
from mixhop_tf.models.collapsed_output import are_linear, horner, summed_kernels
from mixhop_tf.ops.lazy_rows import LazyRows
from mixhop_tf.ops.propagation import by_direction, propagate_bundle, propagate_powers
from mixhop_tf.ops.sparse import shared_rows
from mixhop_tf.tensors import Matrix, Operator

_PRIME = 1_000_003  # keeps the seeds of the blocks apart


def is_lean(model: Any, h: Matrix, adjacency: Operator) -> bool:
    """Says whether a MixHop model computes these rows in blocks: many, and without attention.

    Several workers must decide alike, although the last one may have fewer rows.
    """
    shared = shared_rows(adjacency)
    num_rows = h.shape[0] if shared is None else shared.most_rows
    return are_many(num_rows) and not model.architecture.has_attention


def lean_logits(model: Any, h: Matrix, adjacency: Operator, training: bool) -> tf.Tensor:
    """Computes the logits `[n, c]` of scaled features `[n, s]`.

    In training the first layer scales the rows, if the model does.
    """
    if not isinstance(h, tf.SparseTensor):
        return _walk(model, LazyRows.of(h, trained=False), adjacency, 0, training)
    for step in model.steps[:2]:  # sparse rows are not cut into blocks
        h = apply_step(step, h, adjacency, training, unit_rows=not training)
    return _walk(model, LazyRows.of(h, trained=True), adjacency, 2, training)


def lean_propagated(
    model: Any, hops: Sequence[tf.Tensor], adjacency: Operator, training: bool
) -> tf.Tensor:
    """Computes the logits from propagated features; see `MixHopModel.propagated_logits`."""
    layer = model.first_layer
    rows = [_dropped(LazyRows.of(hop, trained=False), model.steps[0], training) for hop in hops]
    kernels = layer.kernels * len(rows) if layer.shared_kernel else layer.kernels
    parts = [each.times(kernel) for each, kernel in zip(rows, kernels, strict=True)]
    return _walk(model, _finished(layer, parts), adjacency, 2, training)


def _walk(model: Any, rows: LazyRows, adjacency: Operator, start: int, training: bool) -> tf.Tensor:
    """Applies the steps from `start` on, with the jumping connections between them."""
    steps = model.steps
    starts = [i for i, step in enumerate(steps) if isinstance(step, SparseDropout)]
    collapses = len(steps) > 3 and are_linear(*steps[-2:])
    outputs = []
    for i, step in enumerate(steps[: -2 if collapses else None]):
        if i < start:
            continue
        if model.architecture.jumping and i in starts[1:]:
            outputs.append(rows)
            rows = LazyRows.beside(outputs) if i == starts[-1] else rows
        rows = _applied(step, rows, adjacency, training)
    if not collapses:
        return rows.value()
    kernels = summed_kernels(*steps[-2:])
    columns = rows.times(tf.concat(kernels, axis=1)).value()
    return horner(steps[-2], tf.split(columns, len(kernels), axis=1), adjacency)


def _applied(
    step: keras.layers.Layer, rows: LazyRows, adjacency: Operator, training: bool
) -> LazyRows:
    if isinstance(step, SparseDropout):
        return _dropped(rows, step, training)
    if isinstance(step, MixHopLayer):
        scales = step.normalize_rows and training
        return _mixed(step, rows.then(_unit_rows) if scales else rows, adjacency)
    if isinstance(step, GraphNorm):
        return _normalized(step, rows, adjacency)
    if isinstance(step, PsumOutput):
        return LazyRows.of(step(rows.value()), trained=True)
    if isinstance(step, keras.layers.Dense):
        return rows.times(step.kernel)
    return rows.then(lambda x, _: step.activation(x))


def _unit_rows(x: tf.Tensor, _: tf.Tensor) -> tf.Tensor:
    return x * row_scale(x)


def _dropped(rows: LazyRows, dropout: SparseDropout, training: bool) -> LazyRows:
    """Applies dropout; each block has a seed of its own, so that it can be drawn again."""
    if not training or not dropout.rate:
        return rows
    seed = dropout.next_seed()

    def drop(x: tf.Tensor, number: tf.Tensor) -> tf.Tensor:
        kept = dropout.keep(x, seed + tf.stack([_PRIME * number, 0]))
        return tf.where(kept, x * dropout.scale, tf.zeros([], x.dtype))

    return rows.then(drop)


def _normalized(norm: GraphNorm, rows: LazyRows, adjacency: Operator) -> LazyRows:
    mean, variance = (norm.mean, norm.variance) if norm.frozen else rows.moments()
    shared = shared_rows(adjacency)
    if shared is not None and not norm.frozen:
        mean, variance = shared.combined(mean, variance)
    if norm.recording:
        norm.mean.assign(mean)
        norm.variance.assign(variance)
    scale = tf.math.rsqrt(variance + norm.epsilon)
    return rows.then(lambda x, _, a, b: x * a + b, scale, norm.beta - mean * scale)


def _mixed(layer: MixHopLayer, rows: LazyRows, adjacency: Operator) -> LazyRows:
    """Applies a MixHop layer; its products are made in the order that the layer prefers."""
    live = layer.live_powers
    parts: dict[int, LazyRows] = {}
    rows = rows if layer.weights_first else rows.kept()
    for matrix, positions in by_direction(adjacency, live):
        powers = [abs(live[i]) for i in positions]
        kernels = [layer.kernels[0 if layer.shared_kernel else i] for i in positions]
        if layer.weights_first:
            made = _weights_first(rows, matrix, powers, kernels, layer.shared_kernel)
        else:
            hops = propagate_powers(matrix, rows.value(), powers)
            stored = [LazyRows.of(hop, trained=rows.is_trained) for hop in hops]
            made = [hop.times(kernel) for hop, kernel in zip(stored, kernels, strict=True)]
        parts |= dict(zip(positions, made, strict=True))
    return _finished(layer, [parts[i] for i in range(len(live))])


def _weights_first(
    rows: LazyRows, matrix: Any, powers: list[int], kernels: list[Any], shared: bool
) -> list[LazyRows]:
    """Computes `Â^j (H W_j)` for ascending powers."""
    if shared:
        made = propagate_powers(matrix, rows.times(kernels[0]).value(), powers)
    else:
        columns = rows.times(tf.concat([*map(tf.convert_to_tensor, kernels)], axis=1)).value()
        made = propagate_bundle(matrix, columns, powers, [each.shape[1] for each in kernels])
    return [LazyRows.of(each, trained=True) for each in made]


def _finished(layer: MixHopLayer, parts: list[LazyRows]) -> LazyRows:
    """Puts the columns of all powers side by side, and applies bias and activation."""
    rows = LazyRows.beside(parts)
    if layer.bias is not None:
        rows = rows.then(lambda x, _, bias: x + bias, layer.bias)
    if layer.activation is keras.activations.linear:
        return rows
    return rows.then(lambda x, _: layer.activation(x))
