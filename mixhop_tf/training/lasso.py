"""Applies the group lasso by proximal steps, which make units of a kernel exactly zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from mixhop_tf.errors import SettingError
from mixhop_tf.layers import MixHopLayer
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.ops.propagation import by_direction
from mixhop_tf.ops.sparse import shared_rows
from mixhop_tf.tensors import Matrix, Operator, Pair
from mixhop_tf.training.settings import Settings

_NUM_PROJECTIONS = 64


class ProximalLasso:
    """Shrinks the units of every kernel: `w_u ← max(0, 1 - rate · λ_u / ‖w_u‖₂) · w_u`.

    After a gradient step on the smooth loss this is the proximal step of `Σ_u λ_u ‖w_u‖₂`. A unit
    is a column, or a group of `c` columns before a psum output. Its coefficient is
    `λ_u = coefficient · scale of the power · √columns`, so that the penalty of a unit fits its
    effect, whatever its power and size.

    Args:
        model: The `MixHopModel` that is trained.
        coefficient: Coefficient `λ` of the lasso.
        scales: A dictionary from power to scale for each layer, such as `power_scales` returns. By
            default all scales are 1.
        adaptive: Whether the optimiser is Adam. Adam moves every entry of a column by about the
            learning rate, no matter how large its gradient is. So `λ` is multiplied by `√s` for
            columns of `s` entries. It then says what share of a column's longest step the lasso
            takes back.

    The kernel of a dense output is not changed, because none of its columns can be removed.

    Reference: Section 4.2 of the paper has the penalty, not the step.
    """

    def __init__(
        self,
        model: MixHopModel,
        coefficient: float,
        scales: Sequence[Mapping[int, float]] | None = None,
        *,
        adaptive: bool = False,
    ) -> None:
        if coefficient < 0:
            raise ValueError(f"`coefficient` must not be negative. Received: {coefficient}")
        sizes = model.architecture.unit_sizes(model.num_classes)
        layers = [step for step in model.steps if isinstance(step, MixHopLayer)]
        self._kernels: list[tuple[Any, int, float]] = []  # kernel, unit size, threshold
        for i, (layer, size) in enumerate(zip(layers, sizes, strict=True)):
            for power, kernel in zip(layer.live_powers, layer.kernels, strict=True):
                if kernel.shape[1] % size:
                    raise ValueError(
                        f"Widths before a psum output must be multiples of the {size} classes. "
                        f"Received: dims={layer.dims}"
                    )
                scale = 1.0 if scales is None else scales[i][power]
                if adaptive:
                    scale *= np.sqrt(kernel.shape[0])
                self._kernels.append((kernel, size, coefficient * scale * np.sqrt(size)))

    def apply(self, rate: tf.Tensor | float) -> None:
        """Makes the proximal step that follows a gradient step at this learning rate."""
        for kernel, size, threshold in self._kernels:
            weights = tf.convert_to_tensor(kernel)
            squares = tf.reshape(tf.reduce_sum(tf.square(weights), axis=0), [-1, size])
            norms = tf.sqrt(tf.reduce_sum(squares, axis=1))
            left = tf.maximum(0.0, 1.0 - tf.math.divide_no_nan(rate * threshold, norms))
            kernel.assign(weights * tf.repeat(left, size))


def proximal_lasso(model: GraphModel, settings: Settings, inputs: Pair) -> ProximalLasso | None:
    """Makes the proximal steps of a training, or None if its lasso is part of the gradient.

    Args:
        model: The model that is trained.
        settings: Its settings.
        inputs: The pair `(features, operator)` of the graph.

    Raises:
        SettingError: The model or its architecture does not allow them.
    """
    kind = settings.lasso_kind
    if kind == "gradient":
        return None
    if not isinstance(model, MixHopModel):
        raise SettingError("lasso_kind", "must be gradient unless the model is MixHop", kind)
    # Fresh weights of one seed serve all seeds, because wide layers hardly differ.
    scales = power_scales(model, inputs) if kind == "scaled" else None
    try:
        return ProximalLasso(model, settings.lasso, scales, adaptive=settings.optimizer == "adam")
    except ValueError as error:
        raise SettingError("lasso_kind", f"must fit the architecture ({error})", kind) from None


def power_scales(model: MixHopModel, inputs: Pair, seed: int = 0) -> list[dict[int, float]]:
    """Estimates how much each power smooths the input of each layer: `std(Â^j H) / std(H)`.

    Weight norms of different powers cannot be compared: `Â^j H` varies less over the nodes than
    `H`, so a power needs larger weights for the same effect. A penalty times this scale is a
    penalty on the effect. The deviations are estimated by random projections of the columns.

    Args:
        model: A `MixHopModel`, whose current weights decide the scales.
        inputs: The pair `(features, adjacency)` of the graph.
        seed: Seed of the projections.

    Returns:
        A dictionary from power to scale for each layer. Power 0 has the scale 1.
    """
    h, adjacency = inputs
    rng = np.random.default_rng(seed)
    scales = []

    def measure(step: keras.layers.Layer, h: Matrix) -> Matrix:
        if isinstance(step, MixHopLayer):
            columns = rng.standard_normal((h.shape[1], _NUM_PROJECTIONS)).astype("float32")
            read = (
                tf.sparse.sparse_dense_matmul(h, columns)
                if isinstance(h, tf.SparseTensor)
                else tf.matmul(h, columns)
            )
            scales.append(_scales(read, adjacency, step.powers))
        return h

    model.walk(model.as_floats(h), adjacency, before=measure)
    return scales


def _scales(h: tf.Tensor, adjacency: Operator, powers: Sequence[int]) -> dict[int, float]:
    shared = shared_rows(adjacency)
    own = _deviation(h, shared)
    scales = {}
    for matrix, positions in by_direction(adjacency, powers):
        reached, propagated = 0, h
        for i in positions:
            while reached < abs(powers[i]):
                propagated, reached = _product(matrix, propagated), reached + 1
            scales[powers[i]] = _deviation(propagated, shared) / (own or 1.0)
    return scales


def _product(matrix: Any, h: tf.Tensor) -> tf.Tensor:
    if isinstance(matrix, tf.SparseTensor):  # `sparse_matmul` would change the last digits
        return tf.sparse.sparse_dense_matmul(matrix, h)
    return matrix.matmul(h)


def _deviation(h: tf.Tensor, shared: Any = None) -> float:
    variance = tf.math.reduce_variance(h, axis=0) if shared is None else shared.moments(h)[1]
    return float(tf.sqrt(tf.reduce_mean(variance)))
