"""Smaller models from wide ones: which columns stay, and what is left when the others go.

Plain functions on an `Architecture`, its weights by name (`weights_of`) and a budget. What lives or
dies is a *unit*: a column of a hidden layer's kernel; in a layer before a psum output, a group of
`c` columns, for dropping single ones would misalign the classes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mixhop_tf.architecture import Architecture, LayerSpec

Weights = Mapping[str, np.ndarray]
# Of each layer, for each power of non-zero width: a number for each unit, or the units kept.
Scores = Sequence[Mapping[int, np.ndarray]]
Kept = Sequence[Mapping[int, np.ndarray]]


def weights_of(model: Any) -> dict[str, np.ndarray]:
    """A model's weights by name, such as `mixhop_0/kernel_1`, `norm_0/beta` and `psum/q`."""
    return {weight.path: weight.numpy() for weight in model.weights}


def load_weights(model: Any, weights: Weights) -> None:
    """Puts weights, by name, into a model of the same architecture."""
    names = [weight.path for weight in model.weights]
    if set(names) != set(weights):
        raise ValueError(
            "The weights must be those of the model's architecture. Received: "
            f"{sorted(set(weights) ^ set(names))} on one side only"
        )
    for weight in model.weights:
        weight.assign(weights[weight.path])


def unit_sizes(architecture: Architecture, num_classes: int) -> tuple[int, ...]:
    """Columns in a unit of each layer."""
    last = num_classes if architecture.output == "psum" else 1
    return (1,) * (len(architecture.layers) - 1) + (last,)


def unit_norms(architecture: Architecture, weights: Weights, num_classes: int) -> Scores:
    """The L2 norm of each unit of each kernel.

    Example:
    >>> import numpy as np
    >>> from mixhop_tf import Architecture
    >>> from mixhop_tf.shrink import unit_norms
    >>> architecture = Architecture.from_notation("1:2", num_classes=1, hidden_dims=[])
    >>> weights = {"mixhop_0/kernel_1": np.array([[3.0, 0.0], [4.0, 2.0]])}
    >>> unit_norms(architecture, weights, num_classes=1)[0][1].tolist()
    [5.0, 2.0]
    """
    sizes = unit_sizes(architecture, num_classes)
    return [
        {
            power: np.sqrt(
                np.square(weights[f"mixhop_{i}/kernel_{power}"])
                .sum(axis=0)[: dim // size * size]
                .reshape(-1, size)
                .sum(axis=1)
            )
            for power, dim in zip(layer.powers, layer.dims, strict=True)
            if dim >= size
        }
        for i, (layer, size) in enumerate(zip(architecture.layers, sizes, strict=True))
    ]


def keep_best(scores: Mapping[int, np.ndarray], count: int) -> dict[int, np.ndarray]:
    """The `count` units of one layer with the greatest scores, whatever their power.

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
    and their output weights. A power may vanish (width 0); a layer may not. What is left gives what
    the wide model gives when nobody reads the units that went: where groups before a psum output
    go, the others get larger softmax weights, so their kernels are scaled down by as much (unless
    batch norm or an activation stands between, which would not let that through).

    Args:
        architecture: The wide architecture.
        weights: Its weights, by name.
        kept: Of each layer, for each power, the units that stay.
        num_classes: Number of classes.
    """
    # The input stays as it is.
    left = {name: weights[name] for name in weights if name.startswith("standardize/")}
    layers: list[LayerSpec] = []
    rows: Any = slice(None)  # what the layer before has left
    sizes = unit_sizes(architecture, num_classes)
    for i, (layer, size) in enumerate(zip(architecture.layers, sizes, strict=True)):
        dims, columns, start = [], [], 0
        for power, dim in zip(layer.powers, layer.dims, strict=True):
            if dim % size:
                raise ValueError(
                    f"Widths before a psum output must be multiples of the {size} classes. "
                    f"Received: dims={layer.dims}"
                )
            units = np.asarray(kept[i].get(power, ()), np.int64)
            own = (units[:, np.newaxis] * size + np.arange(size)).ravel()
            if own.size and (own.min() < 0 or own.max() >= dim):
                raise ValueError(f"Power {power} of layer {i} has no such unit. Received: {units}")
            if own.size:
                left[f"mixhop_{i}/kernel_{power}"] = weights[f"mixhop_{i}/kernel_{power}"][rows][
                    :, own
                ]
            dims.append(own.size)
            columns.append(start + own)
            start += dim
        if not any(dims):
            raise ValueError(f"Layer {i} would vanish. Received: kept={kept[i]}")
        layers.append(dataclasses.replace(layer, dims=tuple(dims)))
        rows = np.concatenate(columns)
        if layer.batch_norm:
            for name in ("beta", "mean", "variance"):
                left[f"norm_{i}/{name}"] = weights[f"norm_{i}/{name}"][rows]
    if architecture.output == "psum":
        groups = rows[::num_classes] // num_classes
        shares = np.exp(weights["psum/q"] - weights["psum/q"].max())
        plain = not (layers[-1].batch_norm or layers[-1].activation)
        for name in left:
            if plain and name.startswith(f"mixhop_{len(layers) - 1}/"):
                left[name] = left[name] * (shares[groups].sum() / shares.sum())
        left["psum/q"] = weights["psum/q"][groups]
    else:
        left["dense/kernel"] = weights["dense/kernel"][rows]
    return dataclasses.replace(architecture, layers=tuple(layers)), left
