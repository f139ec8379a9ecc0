"""Computes the layers of a model one after the other, in blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from mixhop_tf.inference.mixing import Workshop, horner, mixed
from mixhop_tf.inference.rows import Applied, Beside, Rows, Times
from mixhop_tf.inference.scratch import Scratch
from mixhop_tf.layers import (
    GraphNorm,
    MixHopLayer,
    PsumOutput,
    SparseDropout,
)
from mixhop_tf.models.collapsed_output import are_linear, summed_kernels
from mixhop_tf.models.gcn import GCNModel
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.models.mlp import MLPModel
from mixhop_tf.ops.block_operator import BlockOperator

Steps = Sequence[keras.layers.Layer]
# Name of the rows that a computation in parts ends with.
ALL_ROWS = "all-rows"

Moments = tuple[np.ndarray, np.ndarray]


def plan(model: GraphModel) -> Steps | None:
    """Returns the layers of a model in their order; None if blocks cannot compute it."""
    if isinstance(model, MixHopModel) and not model.architecture.has_attention:
        return list(model.steps)
    if isinstance(model, GCNModel | MLPModel):
        first, second = model.convolutions
        return [model.dropouts[0], first, model.activation, model.dropouts[1], second]
    return None


def cost(steps: Steps) -> int:
    """Counts the columns that are multiplied by the adjacency."""
    total = 0
    for i, step in enumerate(steps):
        if not isinstance(step, MixHopLayer):
            continue
        powers = step.live_powers
        reached = max(0, *powers) + max(0, *(-power for power in powers))
        if i == len(steps) - 2 and _collapse(steps):
            total += reached * steps[-1].num_classes
        elif step.weights_first:
            dims = [dim for dim in step.dims if dim]
            total += sum(abs(power) * dim for power, dim in zip(powers, dims, strict=True))
        else:
            total += reached * step.kernels[0].shape[0]
    return total


def _collapse(steps: Steps) -> bool:
    """Says whether the kernels of the output can be added up; see `collapsed_output`."""
    return len(steps) > 3 and are_linear(*steps[-2:])


class Walk:
    """Computes a model's layers for all nodes.

    Args:
        model: The model.
        steps: Its layers, see `plan`.
        features: The scaled features.
        operators: The adjacency, or the forward and the backward one.
        num_nodes: Number of nodes `n`.
        shop: Memory, threads and stored columns.
    """

    def __init__(
        self,
        model: GraphModel,
        steps: Steps,
        features: Rows,
        operators: tuple[BlockOperator, ...],
        num_nodes: int,
        shop: Workshop,
    ) -> None:
        self._model, self._steps, self._features = model, steps, features
        self._operators, self._num_nodes, self._shop = operators, num_nodes, shop
        self._collapses = _collapse(steps)
        self.statistics: list[Moments] = []

    def output(self) -> Rows:
        """Computes the logits."""
        if not self._collapses:
            return self._apply(len(self._steps))
        h = self._apply(len(self._steps) - 2)
        mixhop, psum = self._steps[-2:]
        kernels = [kernel.numpy() for kernel in summed_kernels(mixhop, psum)]
        parts = []
        for sign, operator in self._directions(mixhop.live_powers):
            mine = {
                abs(power): kernel
                for power, kernel in zip(mixhop.live_powers, kernels, strict=True)
                if (power < 0) == (sign < 0)
            }
            name = f"{mixhop.name}{'-back' if sign < 0 else ''}"
            parts.append(horner(name, h, operator, mine, self._shop, self._num_nodes))
        return parts[0] if len(parts) == 1 else _Sum(parts)

    def hidden(self) -> Rows:
        """Computes the last hidden layer."""
        mixing = [i for i, step in enumerate(self._steps) if isinstance(step, MixHopLayer)]
        ends_in_mixing = isinstance(self._steps[-1], PsumOutput | MixHopLayer)
        if ends_in_mixing and len(mixing) > 1:
            return self._apply(mixing[-1])
        return self._apply(len(self._steps) - 1)

    def all_rows(self, rows: Rows) -> np.ndarray:
        """Computes all rows of a matrix."""
        return np.asarray(self._shop.gathered(ALL_ROWS, rows, self._num_nodes))

    def _apply(self, end: int) -> Rows:
        """Applies the first steps, with the jumping connections between them."""
        jumping = isinstance(self._model, MixHopModel) and self._model.architecture.jumping
        starts = [i for i, step in enumerate(self._steps) if isinstance(step, SparseDropout)]
        h, outputs = self._features, []
        for i, step in enumerate(self._steps[:end]):
            if jumping and i in starts[1:]:
                outputs.append(h)
                if i == starts[-1]:
                    h = Beside(outputs)
            h = self._step(step, h)
        return h

    def _step(self, step: keras.layers.Layer, h: Rows) -> Rows:
        if isinstance(step, SparseDropout):
            return h
        if isinstance(step, MixHopLayer):
            return self._mixhop(step, h)
        if isinstance(step, GraphNorm):
            return Applied(h, self._norm(step, h))
        if isinstance(step, PsumOutput):
            return Times(h, psum_matrix(step, h.width))
        if isinstance(step, keras.layers.Dense):
            return Times(h, step.kernel.numpy())
        return Applied(h, _function(step))

    def _directions(self, powers: Sequence[int]) -> list[tuple[int, BlockOperator | None]]:
        """Returns the signs of the powers with their operators."""
        signs = [sign for sign in (1, -1) if any((power < 0) == (sign < 0) for power in powers)]
        if not self._operators:
            return [(sign, None) for sign in signs]
        return [(sign, self._operators[0 if sign > 0 else 1]) for sign in signs]

    def _mixhop(self, layer: MixHopLayer, h: Rows) -> Rows:
        powers = layer.live_powers
        kernels = [layer.kernels[0 if layer.shared_kernel else i] for i in range(len(powers))]
        parts: dict[int, Rows] = {}
        for sign, operator in self._directions(powers):
            mine = {
                abs(power): kernel.numpy()
                for power, kernel in zip(powers, kernels, strict=True)
                if (power < 0) == (sign < 0)
            }
            name = f"{layer.name}{'-back' if sign < 0 else ''}"
            made = mixed(name, h, operator, mine, layer.weights_first, self._shop)
            parts |= {sign * power: rows for power, rows in made.items()}
        result: Rows = Beside([parts[power] for power in powers])
        if layer.bias is not None:
            bias = layer.bias.numpy()
            result = Applied(result, lambda x: x + bias)
        if layer.activation is keras.activations.linear:
            return result
        return Applied(result, _function(layer.activation))

    def _norm(self, norm: GraphNorm, h: Rows) -> Callable[[np.ndarray], np.ndarray]:
        mean, variance = (
            (norm.mean.numpy(), norm.variance.numpy()) if norm.frozen else self._moments(norm, h)
        )
        self.statistics.append((mean, variance))
        scale = (1.0 / np.sqrt(variance.astype(np.float64) + norm.epsilon)).astype(np.float32)
        offset = (norm.beta.numpy() - mean * scale.astype(np.float64)).astype(np.float32)
        return lambda x: x * scale + offset

    def _moments(self, norm: GraphNorm, h: Rows) -> Moments:
        """Computes the mean and the biased variance of each column in double precision."""
        name = f"{norm.name}-moments"
        found = self._shop.scratch.find(name, (2, h.width), np.float64)
        if found is None:
            found = self._computed_moments(f"{name}-blocks", h)
            if isinstance(self._shop.scratch, Scratch):  # otherwise it is cheap to do it again
                found = self._shop.scratch.keep(name, found)
        return found[0], found[1]

    def _computed_moments(self, key: str, h: Rows) -> np.ndarray:
        n = self._num_nodes

        def of(rows: tuple[int, int]) -> np.ndarray:
            block = h.block(*rows).astype(np.float64)
            mean = block.mean(axis=0)
            block -= mean
            return np.stack([np.full_like(mean, len(block)), mean, (block * block).sum(axis=0)])

        count, mean, squares = np.zeros((3, h.width))
        for size, block_mean, block_squares in self._shop.of_blocks(key, of, n):
            total, shift = count + size, block_mean - mean
            squares = squares + block_squares + shift**2 * (count * size / total)
            mean, count = mean + shift * (size / total), total
        return np.stack([mean, squares / n])


class _Sum:
    """The sum of matrices."""

    def __init__(self, parts: Sequence[Rows]) -> None:
        self._parts, self.width = parts, parts[0].width

    def block(self, start: int, stop: int) -> np.ndarray:
        return sum(part.block(start, stop) for part in self._parts)


def _function(function: Callable[[Any], Any]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: np.asarray(function(x))


def psum_matrix(psum: PsumOutput, width: int) -> np.ndarray:
    """Makes the matrix `[width, c]` of a psum: blocks of the identity times `softmax(q)`."""
    shares = tf.nn.softmax(psum.q).numpy()  # Keras would warn about a single group
    matrix = np.kron(shares[:, None], np.eye(psum.num_classes, dtype=np.float32))
    return np.concatenate([matrix, np.zeros((width - len(matrix), psum.num_classes), np.float32)])
