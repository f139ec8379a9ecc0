"""Makes small models from wide ones by removing columns.

These are plain functions of an `Architecture`, its weights by name (`mixhop_tf.models.weights`) and
a budget. They keep or remove *units*, see `Architecture.unit_sizes`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mixhop_tf.architecture import Architecture
from mixhop_tf.layer_spec import LayerSpec
from mixhop_tf.models.weights import Weights

# Each layer has a mapping from each power of non-zero width to the scores of its units, or to the
# indices of the kept units.
Scores = Sequence[Mapping[int, np.ndarray]]
Kept = Sequence[Mapping[int, np.ndarray]]

_INPUT_WEIGHTS = ("standardize/mean", "standardize/deviation")


def unit_norms(architecture: Architecture, weights: Weights, num_classes: int) -> Scores:
    """Computes the L2 norm of each unit of each kernel.

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
    """Returns the name of the kernel of a power; the first layer is 0."""
    return f"mixhop_{layer}/kernel_{power}"


def keep_best(scores: Mapping[int, np.ndarray], count: int) -> dict[int, np.ndarray]:
    """Selects the `count` units of one layer with the greatest scores, from all powers together.

    Among equal scores it prefers the lower power, then the earlier unit.
    """
    powers = np.concatenate([np.full(len(values), power) for power, values in scores.items()])
    units = np.concatenate([np.arange(len(values)) for values in scores.values()])
    values = np.concatenate(list(scores.values()))
    if not 1 <= count <= len(values):
        raise ValueError(
            f"A layer of {len(values)} units must keep 1 to {len(values)}. Received: count={count}"
        )
    best = np.lexsort((units, powers, -values))[:count]
    return {power: np.sort(units[best][powers[best] == power]) for power in scores}


def shrink(
    architecture: Architecture, weights: Weights, kept: Kept, num_classes: int
) -> tuple[Architecture, dict[str, np.ndarray]]:
    """Removes all units except `kept` from an architecture and its weights.

    This removes columns of kernels, the rows of the next layer's kernels that read them, their
    batch-norm entries and their output weights. A power may vanish (width 0), but a layer may not.

    The small model computes exactly what the wide one computes without the removed units. If groups
    before a psum output are removed, the softmax weights of the others grow. Their kernels are
    scaled down to make up for that, unless batch norm or an activation follows, which would undo or
    distort the scale.

    Args:
        architecture: The wide architecture.
        weights: Weights of the wide model by name.
        kept: Indices of the kept units: for each layer, a mapping from power to indices.
        num_classes: Number of classes.

    Returns:
        The small architecture, and its weights by name.
    """
    left = {name: weights[name] for name in _INPUT_WEIGHTS if name in weights}
    layers: list[LayerSpec] = []
    rows: Any = slice(None)  # kept columns of the previous layer
    jumps = _Jumps(architecture)
    sizes = architecture.unit_sizes(num_classes)
    for i, (layer, size) in enumerate(zip(architecture.layers, sizes, strict=True)):
        columns = _kept_columns(i, layer, size, kept[i])
        rows = jumps.read(i, rows)
        for power, own in columns.items():
            if own.size:
                left[kernel_name(i, power)] = weights[kernel_name(i, power)][rows][:, own]
        layers.append(dataclasses.replace(layer, dims=tuple(map(len, columns.values()))))
        starts = np.cumsum((0, *layer.dims[:-1]))
        rows = np.concatenate(
            [start + own for start, own in zip(starts, columns.values(), strict=True)]
        )
        jumps.add(rows, layer.width)
        if layer.batch_norm:
            for name in ("beta", "mean", "variance"):
                left[f"norm_{i}/{name}"] = weights[f"norm_{i}/{name}"][rows]
    small = dataclasses.replace(architecture, layers=tuple(layers))
    if architecture.output == "psum":
        groups = rows[::num_classes] // num_classes
        _scale_last_kernels(small, left, weights["psum/q"], groups)
        left["psum/q"] = weights["psum/q"][groups]
    else:
        rows = jumps.read(len(layers), rows)
        left["dense/kernel"] = weights["dense/kernel"][rows]
    return small, left


class _Jumps:
    """Collects the kept columns of all layers, for the reader of jumping connections."""

    def __init__(self, architecture: Architecture) -> None:
        self._target = architecture.jump_target if architecture.jumping else None
        self._parts: list[np.ndarray] = []
        self._width = 0

    def add(self, rows: np.ndarray, width: int) -> None:
        """Adds the kept columns of a layer of this width."""
        self._parts.append(rows + self._width)
        self._width += width

    def read(self, reader: int, rows: Any) -> Any:
        """Returns the kept rows of a kernel of layer `reader`; `rows` without connections."""
        return np.concatenate(self._parts) if self._parts and reader == self._target else rows


def _kept_columns(
    i: int, layer: LayerSpec, size: int, kept: Mapping[int, np.ndarray]
) -> dict[int, np.ndarray]:
    """Returns the kept columns in each power's kernel of layer `i`."""
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
        raise ValueError(f"Layer {i} must keep at least one unit. Received: kept={kept}")
    return columns


def _scale_last_kernels(
    small: Architecture, left: dict[str, np.ndarray], q: np.ndarray, groups: np.ndarray
) -> None:
    """Makes up for the softmax weights of the removed groups."""
    last = small.layers[-1]
    if last.batch_norm or last.activation:
        return
    shares = np.exp(q - q.max())
    for power, dim in zip(last.powers, last.dims, strict=True):
        if dim:
            name = kernel_name(len(small.layers) - 1, power)
            left[name] = left[name] * (shares[groups].sum() / shares.sum())
