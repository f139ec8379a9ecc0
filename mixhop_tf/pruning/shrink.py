"""Smaller models from wide ones: which columns stay, and what is left when the others go.

These are plain functions of an `Architecture`, its weights by name (`mixhop_tf.models.weights`) and
a budget. They keep or remove *units*, see `Architecture.unit_sizes`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mixhop_tf.architecture import Architecture, LayerSpec
from mixhop_tf.models.weights import Weights

# A mapping for each layer, from each power of non-zero width to a number for each unit, or to the
# units kept.
Scores = Sequence[Mapping[int, np.ndarray]]
Kept = Sequence[Mapping[int, np.ndarray]]

_INPUT_WEIGHTS = ("standardize/mean", "standardize/deviation")


def unit_norms(architecture: Architecture, weights: Weights, num_classes: int) -> Scores:
    """The L2 norm of each unit of each kernel.

    Example:
    >>> import numpy as np
    >>> from mixhop_tf import Architecture
    >>> from mixhop_tf.pruning.shrink import unit_norms
    >>> architecture = Architecture.from_notation("1:2", num_classes=1, hidden_dims=[])
    >>> weights = {"mixhop_0/kernel_1": np.array([[3.0, 0.0], [4.0, 2.0]])}
    >>> unit_norms(architecture, weights, num_classes=1)[0][1].tolist()
    [5.0, 2.0]
    """
    sizes = architecture.unit_sizes(num_classes)
    return [
        {
            power: np.sqrt(
                np.square(weights[kernel_name(i, power)])
                .sum(axis=0)[: dim // size * size]
                .reshape(-1, size)
                .sum(axis=1)
            )
            for power, dim in zip(layer.powers, layer.dims, strict=True)
            if dim >= size
        }
        for i, (layer, size) in enumerate(zip(architecture.layers, sizes, strict=True))
    ]


def kernel_name(layer: int, power: int) -> str:
    """The name of the kernel of a power of a layer, from 0 on."""
    return f"mixhop_{layer}/kernel_{power}"


def keep_best(scores: Mapping[int, np.ndarray], count: int) -> dict[int, np.ndarray]:
    """The `count` units of one layer with the greatest scores, no matter which power they have.

    Ties go to the lower power, then to the earlier unit.
    """
    powers = np.concatenate([np.full(len(values), power) for power, values in scores.items()])
    units = np.concatenate([np.arange(len(values)) for values in scores.values()])
    values = np.concatenate(list(scores.values()))
    if not 1 <= count <= len(values):
        raise ValueError(
            f"A layer of {len(values)} units can keep 1 to {len(values)}. Received: count={count}"
        )
    best = np.lexsort((units, powers, -values))[:count]
    return {power: np.sort(units[best][powers[best] == power]) for power in scores}


def shrink(
    architecture: Architecture, weights: Weights, kept: Kept, num_classes: int
) -> tuple[Architecture, dict[str, np.ndarray]]:
    """The architecture and the weights that are left when only `kept` stays.

    Columns go, with the rows of the next layer's kernels that read them, their batch-norm entries
    and their output weights. A power may vanish (width 0); a layer may not. The small model gives
    what the wide model gives when nothing reads the removed units. When groups before a psum output
    go, the others get larger softmax weights. So their kernels are scaled down by as much, unless
    batch norm or an activation stands between: they would not let the scale through.

    Args:
        architecture: The wide architecture.
        weights: The weights of the wide model, by name.
        kept: The units that stay: a mapping for each layer, from power to units.
        num_classes: Number of classes.
    """
    # The input stays as it is.
    left = {name: weights[name] for name in _INPUT_WEIGHTS if name in weights}
    layers: list[LayerSpec] = []
    rows: Any = slice(None)  # what is left of the layer before
    sizes = architecture.unit_sizes(num_classes)
    for i, (layer, size) in enumerate(zip(architecture.layers, sizes, strict=True)):
        columns = _kept_columns(i, layer, size, kept[i])
        for power, own in columns.items():
            if own.size:
                left[kernel_name(i, power)] = weights[kernel_name(i, power)][rows][:, own]
        layers.append(dataclasses.replace(layer, dims=tuple(map(len, columns.values()))))
        starts = np.cumsum((0, *layer.dims[:-1]))
        rows = np.concatenate(
            [start + own for start, own in zip(starts, columns.values(), strict=True)]
        )
        if layer.batch_norm:
            for name in ("beta", "mean", "variance"):
                left[f"norm_{i}/{name}"] = weights[f"norm_{i}/{name}"][rows]
    small = dataclasses.replace(architecture, layers=tuple(layers))
    if architecture.output == "psum":
        groups = rows[::num_classes] // num_classes
        _scale_last_kernels(small, left, weights["psum/q"], groups)
        left["psum/q"] = weights["psum/q"][groups]
    else:
        left["dense/kernel"] = weights["dense/kernel"][rows]
    return small, left


def _kept_columns(
    i: int, layer: LayerSpec, size: int, kept: Mapping[int, np.ndarray]
) -> dict[int, np.ndarray]:
    """The columns that stay in each power's kernel of layer `i`."""
    columns = {}
    for power, dim in zip(layer.powers, layer.dims, strict=True):
        if dim % size:
            raise ValueError(
                f"Widths before a psum output must be multiples of the {size} classes. "
                f"Received: dims={layer.dims}"
            )
        units = np.asarray(kept.get(power, ()), np.int64)
        columns[power] = own = (units[:, np.newaxis] * size + np.arange(size)).ravel()
        if own.size and (own.min() < 0 or own.max() >= dim):
            raise ValueError(f"Power {power} of layer {i} has no such unit. Received: {units}")
    if not any(own.size for own in columns.values()):
        raise ValueError(f"Layer {i} would vanish. Received: kept={kept}")
    return columns


def _scale_last_kernels(
    small: Architecture, left: dict[str, np.ndarray], q: np.ndarray, groups: np.ndarray
) -> None:
    """Makes up for the softmax weights of the groups that went."""
    last = small.layers[-1]
    if last.batch_norm or last.activation:
        return
    shares = np.exp(q - q.max())
    for power, dim in zip(last.powers, last.dims, strict=True):
        if dim:
            name = kernel_name(len(small.layers) - 1, power)
            left[name] = left[name] * (shares[groups].sum() / shares.sum())
