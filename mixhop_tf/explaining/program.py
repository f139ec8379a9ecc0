"""A model as a short list of linear stages with entrywise activations between them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

FEATURES = -1  # the source of the first stage

Array = np.ndarray


@dataclasses.dataclass(frozen=True, eq=False)
class Head:
    """An attention head: the vectors that make its scores.

    Args:
        own: Share of a node in the scores of its own row, `[w]`.
        neighbour: Share of a node in the scores of its column, `[w]`.
        slope: Slope of the leaky relu below zero.
        weighted: Whether the adjacency's values count as multiplicities of the edges.
    """

    own: Array
    neighbour: Array
    slope: float
    weighted: bool


@dataclasses.dataclass(frozen=True, eq=False)
class Branch:
    """One power of one stage: it adds `Op^|power| H[:, reads] kernel` to the columns `writes`.

    Args:
        power: The power; a negative one uses the backward operator.
        kernel: float64 `[r, w]`.
        reads: Columns of the stage's input.
        writes: Columns of the stage's output.
        head: Attention that takes the place of the operator's values; None without attention.
    """

    power: int
    kernel: Array
    reads: slice
    writes: slice
    head: Head | None = None

    @property
    def steps(self) -> int:
        """Number of products with the operator."""
        return abs(self.power)

    @property
    def direction(self) -> int:
        """Position of the operator: 0, or 1 for the backward one."""
        return int(self.power < 0)

    @property
    def width(self) -> int:
        """Number of columns `w`."""
        return int(self.kernel.shape[1])


@dataclasses.dataclass(frozen=True, eq=False)
class Stage:
    """A layer with what follows it: `H' = σ(scale · Σ branches + shift)`.

    Args:
        sources: Stages whose outputs, side by side, are the input; `FEATURES` are the features.
        branches: The powers.
        scale: Factors of the columns, `[d]`.
        shift: Offsets of the columns, `[d]`.
        activation: Entrywise function, or None.
        is_layer: Whether the powers of this stage are part of a path. Those of an output that only
            adds up columns are not.
        name: Name of the activation.
    """

    sources: tuple[int, ...]
    branches: tuple[Branch, ...]
    scale: Array
    shift: Array
    activation: Callable[[Array], Array] | None = None
    is_layer: bool = True
    name: str = "linear"

    @property
    def width(self) -> int:
        """Number of columns `d`."""
        return len(self.scale)

    def activated(self, z: Array, part: Array) -> tuple[Array, Array]:
        """Computes `σ(z)` and the slope `(σ(z) - σ(z - part)) / part`.

        Args:
            z: Values `[k, d]`.
            part: What features contributed to them, `[k, d]`.
        """
        if self.activation is None:
            return z, np.ones_like(z)
        # That of Keras gives the same values, more slowly.
        function = _relu if self.name == "relu" else self.activation
        value, before = function(z), z - part
        # Close to zero the quotient loses its digits, and the slope at a nearby point serves.
        step = np.where(np.abs(part) < _TINY, _TINY, part)
        return value, (function(before + step) - function(before)) / step


def _relu(z: Array) -> Array:
    return np.maximum(z, 0.0)


_TINY = 1e-8


@dataclasses.dataclass(frozen=True, eq=False)
class MeanOfTowers:
    """The psum head of N-GCN: `log(Σ_t w_t softmax(z_t) + tiny)`, which is not piecewise linear.

    Args:
        shares: Weights `w` of the towers, `[t]`.
        tiny: Small number that is added.
    """

    shares: Array
    tiny: float

    def _parts(self, z: Array) -> tuple[Array, Array]:
        """Returns the probabilities of each tower `[n, t, c]` and their mean `[n, c]`."""
        towers = z.reshape(len(z), len(self.shares), -1)
        powers = np.exp(towers - towers.max(axis=2, keepdims=True))
        softmax = powers / powers.sum(axis=2, keepdims=True)
        return softmax, np.einsum("t,ntc->nc", self.shares, softmax) + self.tiny

    def logits(self, z: Array) -> Array:
        """Computes the logits `[n, c]` from the towers' `[n, t·c]`."""
        return np.log(self._parts(z)[1])

    def gradient(self, z: Array, direction: Array) -> Array:
        """Computes the gradient of `direction · logits` for one row `z [1, t·c]`."""
        softmax, mean = self._parts(z)
        pull = direction / mean[0]  # [c]
        inner = softmax[0] @ pull  # [t]
        slopes = self.shares[:, None] * softmax[0] * (pull[None, :] - inner[:, None])
        return slopes.reshape(1, -1)


@dataclasses.dataclass(frozen=True, eq=False)
class Program:
    """The stages of a model, from the features to the logits.

    Args:
        stages: The stages in order. The last one gives the logits, or what `readout` makes them of.
        readout: A head that is not piecewise linear, if there is one.
    """

    stages: tuple[Stage, ...]
    readout: MeanOfTowers | None = None

    @property
    def hops(self) -> int:
        """Largest number of products with the operator on a path."""
        reach: list[int] = []
        for stage in self.stages:
            before = max(reach[source] if source >= 0 else 0 for source in stage.sources)
            reach.append(before + max(branch.steps for branch in stage.branches))
        return reach[-1]

    @property
    def has_attention(self) -> bool:
        """Whether a branch has attention."""
        return any(branch.head for stage in self.stages for branch in stage.branches)

    @property
    def method(self) -> str:
        """How the contributions are made: see `Explanation`."""
        if self.readout is not None:
            return "gradient"
        if self.has_attention:
            return "fixed attention"
        return "exact"
