"""Reads a Keras model as a `Program`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import keras
import numpy as np
import scipy.special

from mixhop_tf.explaining.program import FEATURES, Branch, Head, MeanOfTowers, Program, Stage
from mixhop_tf.inference.layers import psum_matrix
from mixhop_tf.layers import (
    AttentiveMixHopLayer,
    ChebyshevConvolution,
    GraphAttention,
    GraphNorm,
    MixHopLayer,
    PsumOutput,
    SparseDropout,
)
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.models.ngcn import TINY, NGCNModel
from mixhop_tf.models.two_layers import TwoLayerModel


def read_model(model: GraphModel) -> Program:
    """Reads the layers of a model whose batch norm, if any, is frozen.

    Raises:
        ValueError: The model is of another kind.
    """
    if isinstance(model, MixHopModel):
        return _mixhop(model)
    if isinstance(model, NGCNModel):
        return _ngcn(model)
    if isinstance(model, TwoLayerModel):
        first, second = model.convolutions
        return Program(
            (
                _stage((FEATURES,), first, None, model.activation.activation),
                _stage((0,), second, None, None),
            )
        )
    raise ValueError(f"`model` must be a model of mixhop_tf. Received: {type(model).__name__}")


def _mixhop(model: MixHopModel) -> Program:
    """Reads layers that are `dropout → MixHopLayer → GraphNorm → activation`, and the output."""
    stages: list[Stage] = []
    layers = list(_layers(model.steps))
    for i, steps in enumerate(layers):
        sources: tuple[int, ...] = (i - 1 if i else FEATURES,)
        if model.architecture.jumping and i and i == len(layers) - 1:
            sources = tuple(range(i))
        mixing, norm, activation, psum = (_first(steps, kind) for kind in _KINDS)
        if isinstance(mixing, keras.layers.Dense):
            stages.append(_dense(mixing, sources))
        else:
            function = None if activation is None else activation.activation
            stages.append(_stage(sources, mixing, norm, function))
        if psum is not None:
            matrix = psum_matrix(psum, stages[-1].width)
            stages.append(_columns(matrix, (len(stages) - 1,), is_layer=False))
    return Program(tuple(stages))


_KINDS = ((MixHopLayer, keras.layers.Dense), GraphNorm, keras.layers.Activation, PsumOutput)


def _layers(steps: Sequence[keras.layers.Layer]) -> Iterator[list[keras.layers.Layer]]:
    """Divides the steps before each dropout, with which every layer begins."""
    starts = [i for i, step in enumerate(steps) if isinstance(step, SparseDropout)]
    for start, stop in zip(starts, [*starts[1:], len(steps)], strict=True):
        yield list(steps[start + 1 : stop])


def _first(steps: Sequence[keras.layers.Layer], kind: Any) -> Any:
    return next((step for step in steps if isinstance(step, kind)), None)


def _ngcn(model: NGCNModel) -> Program:
    """Reads the towers side by side: the second layer of each reads the columns of its first."""
    firsts, seconds, starts = [], [], [0]
    for tower in model.towers:
        firsts.append(_stage((FEATURES,), tower.mixhops[0], tower.norm, tower.activation))
        seconds.append(_stage((0,), tower.mixhops[1], None, None))
        starts.append(starts[-1] + firsts[-1].width)
    hidden, towers = _beside(firsts, [0] * len(firsts)), _beside(seconds, starts[:-1])
    if isinstance(model.head, PsumOutput):
        shares = scipy.special.softmax(_weights(model.head.q))
        return Program((hidden, towers), MeanOfTowers(shares, TINY))
    towers = Stage(
        (0,), towers.branches, towers.scale, towers.shift, keras.activations.relu, True, "relu"
    )
    return Program((hidden, towers, _dense(model.head, (1,))))


def _beside(stages: Sequence[Stage], reads: Sequence[int]) -> Stage:
    """Joins stages of the same kind, whose columns come one after the other."""
    branches, at = [], 0
    for stage, first in zip(stages, reads, strict=True):
        for branch in stage.branches:
            columns = slice(first, first + branch.kernel.shape[0])
            writes = slice(at + branch.writes.start, at + branch.writes.stop)
            branches.append(Branch(branch.power, branch.kernel, columns, writes, branch.head))
        at += stage.width
    some = stages[0]
    scale = np.concatenate([stage.scale for stage in stages])
    shift = np.concatenate([stage.shift for stage in stages])
    return Stage(some.sources, tuple(branches), scale, shift, some.activation, True, some.name)


def _stage(
    sources: tuple[int, ...], layer: keras.layers.Layer, norm: GraphNorm | None, activation: Any
) -> Stage:
    """Reads a graph convolution of any kind, with what follows it."""
    branches = tuple(_branches(layer))
    width = max(branch.writes.stop for branch in branches)
    scale, shift = np.ones(width), np.zeros(width)
    if getattr(layer, "bias", None) is not None:
        shift = _weights(layer.bias)
    if norm is not None:
        scale = 1.0 / np.sqrt(_weights(norm.variance) + norm.epsilon)
        shift = (shift - _weights(norm.mean)) * scale + _weights(norm.beta)
    function = keras.activations.get(activation)
    if function is keras.activations.linear:
        return Stage(sources, branches, scale, shift)
    return Stage(sources, branches, scale, shift, _array(function), True, function.__name__)


def _branches(layer: keras.layers.Layer) -> Iterator[Branch]:
    if isinstance(layer, AttentiveMixHopLayer):
        yield from _attentive_branches(layer)
    elif isinstance(layer, MixHopLayer):
        at = 0
        for i, power in enumerate(layer.live_powers):
            kernel = _weights(layer.kernels[0 if layer.shared_kernel else i])
            yield _branch(power, kernel, at)
            at += kernel.shape[1]
    elif isinstance(layer, ChebyshevConvolution):
        yield from _chebyshev_branches(layer)
    elif isinstance(layer, GraphAttention):
        yield from _gat_branches(layer)
    else:
        raise ValueError(f"This layer cannot be explained: {type(layer).__name__}")


def _branch(power: int, kernel: np.ndarray, at: int, head: Head | None = None) -> Branch:
    return Branch(power, kernel, slice(0, kernel.shape[0]), slice(at, at + kernel.shape[1]), head)


def _attentive_branches(layer: AttentiveMixHopLayer) -> Iterator[Branch]:
    """Yields a branch for power 0 and one for each head of each other power."""
    at, widths = 0, layer.head_widths
    for i, power in enumerate(layer.live_powers):
        kernel, done = _weights(layer.kernels[i]), 0
        if power not in widths:
            yield _branch(power, kernel, at)
        else:
            position = list(widths).index(power)
            own, neighbour = (
                _weights(each[position])[:, 0] for each in (layer.own, layer.neighbour)
            )
            for width in widths[power]:
                part = slice(done, done + width)
                head = Head(own[part], neighbour[part], layer.negative_slope, weighted=True)
                yield _branch(power, kernel[:, part], at + done, head)
                done += width
        at += kernel.shape[1]


def _gat_branches(layer: GraphAttention) -> Iterator[Branch]:
    """Yields a branch for each head. A mean of heads is a sum of heads with smaller kernels."""
    kernel, own, neighbour = (_weights(w) for w in (layer.kernel, layer.own, layer.neighbour))
    share = 1.0 if layer.concat else 1.0 / layer.heads
    for k in range(layer.heads):
        part = slice(k * layer.units, (k + 1) * layer.units)
        # The scores see the full kernel, so the vectors undo its smaller size.
        head = Head(own[:, k] / share, neighbour[:, k] / share, layer.negative_slope, False)
        yield _branch(1, kernel[:, part] * share, part.start if layer.concat else 0, head)


def _chebyshev_branches(layer: ChebyshevConvolution) -> Iterator[Branch]:
    """Yields a branch for each power of `L̃`: `Σ_k T_k(L̃) H W_k = Σ_i L̃^i H Σ_k t_ki W_k`."""
    kernels = [_weights(kernel) for kernel in layer.kernels]
    terms = np.stack(
        [
            np.pad(np.polynomial.chebyshev.cheb2poly([0.0] * k + [1.0]), (0, layer.order - k))
            for k in range(layer.order + 1)
        ]
    )
    for power in range(layer.order + 1):
        yield _branch(power, sum(t[power] * w for t, w in zip(terms, kernels, strict=True)), 0)


def _dense(layer: keras.layers.Dense, sources: tuple[int, ...]) -> Stage:
    bias = None if layer.bias is None else _weights(layer.bias)
    return _columns(_weights(layer.kernel), sources, is_layer=False, bias=bias)


def _columns(
    matrix: np.ndarray, sources: tuple[int, ...], *, is_layer: bool, bias: np.ndarray | None = None
) -> Stage:
    """Makes a stage of a single product with a matrix."""
    width = matrix.shape[1]
    branch = _branch(0, matrix.astype(np.float64), 0)
    shift = np.zeros(width) if bias is None else bias
    return Stage(sources, (branch,), np.ones(width), shift, is_layer=is_layer)


def _weights(weight: Any) -> np.ndarray:
    return np.asarray(keras.ops.convert_to_numpy(weight), np.float64)


def _array(function: Callable[[Any], Any]) -> Callable[[np.ndarray], np.ndarray]:
    """Makes a Keras activation take and give float64 arrays."""
    return lambda z: np.asarray(keras.ops.convert_to_numpy(function(keras.ops.array(z, "float64"))))
