"""Describes the parts of an architecture: its layers, and the adjacency that they multiply by."""

from __future__ import annotations

import dataclasses
from typing import Any

from mixhop_tf.notation import checked_widths, is_rate, shown

DIRECTIONS = ("undirected", "in", "out", "both")
NORMALIZATIONS = ("symmetric", "row", "none")
MAX_HEADS = 1000


@dataclasses.dataclass(frozen=True, kw_only=True)
class AdjacencySpec:
    """Describes how the adjacency `Â` is made from the edges of a graph.

    Args:
        direction: Which neighbours a node reads. `undirected` ignores directions. `in` reads the
            nodes that point to it, `out` the nodes that it points to. `both` reads both, with
            kernels of their own: positive powers follow `in`, negative powers follow `out`.
        normalization: How the entries are scaled. `symmetric` gives `D^-½ (A + I) D^-½`, with the
            sums of rows at the left and those of columns at the right. `row` gives
            `D^-1 (A + I)`, a random walk. `none` leaves the weights unchanged.
        self_loops: Whether to add the self-loops `I`. By default they are added, except with
            `both`: there they would mix the node itself into each of its two neighbourhoods.
    """

    direction: str = "undirected"
    normalization: str = "symmetric"
    self_loops: bool = None  # type: ignore[assignment]  # the direction decides, see below

    def __post_init__(self) -> None:
        if self.self_loops is None:
            object.__setattr__(self, "self_loops", self._usual_loops)
        for name, choices in (("direction", DIRECTIONS), ("normalization", NORMALIZATIONS)):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise ValueError(f"`{name}` must be one of {choices}. Received: {shown(value)}")
        if not isinstance(self.self_loops, bool):
            raise ValueError(f"`self_loops` must be a bool. Received: {shown(self.self_loops)}")

    @property
    def is_directed(self) -> bool:
        """Whether the directions of the edges matter."""
        return self.direction != "undirected"

    @property
    def _usual_loops(self) -> bool:
        return self.direction != "both"

    def turned(self, direction: str) -> AdjacencySpec:
        """Returns a copy with another direction; self-loops follow its default, if they did."""
        is_usual = self.self_loops == self._usual_loops
        loops = {} if is_usual else {"self_loops": self.self_loops}
        return AdjacencySpec(direction=direction, normalization=self.normalization, **loops)

    def summing(self) -> AdjacencySpec:
        """Returns a copy that adds up the neighbours, unless it has another scaling than usual."""
        if self.normalization != NORMALIZATIONS[0]:
            return self
        return dataclasses.replace(self, normalization="none")

    def __str__(self) -> str:
        parts = [f"direction {self.direction}"] if self.is_directed else []
        if self.normalization != "symmetric":
            parts.append(f"{self.normalization} normalization".replace("none", "no"))
        if self.self_loops != self._usual_loops:
            parts.append("self-loops" if self.self_loops else "no self-loops")
        return ", ".join(parts)


@dataclasses.dataclass(frozen=True, kw_only=True)
class LayerSpec:
    """Describes a MixHop layer with its surroundings: `σ(norm(MixHop(dropout(H))))`.

    Example:
    >>> from mixhop_tf import LayerSpec
    >>> LayerSpec(powers=(0, 1, 2), dims=(24, 18, 18), activation="relu", batch_norm=True).width
    60

    Args:
        powers: Distinct powers of the adjacency. A negative power `-j` is the power `j` of the
            backward adjacency; see `AdjacencySpec`.
        dims: Width of each power. Widths may be 0, but at least one must be positive.
        activation: Name of a Keras activation, or None for no activation.
        batch_norm: Whether batch norm follows the layer, before the activation.
        dropout: Rate at which training drops entries of the layer's input.
        heads: Number of attention heads of each power; 0 for a layer without attention. A layer
            with attention has a bias, unless batch norm follows.
        attention_dropout: Rate at which training drops attention coefficients.
        drop_values: Whether training also drops the values that attention weighs, at the rate
            `dropout`.
    """

    powers: tuple[int, ...]
    dims: tuple[int, ...]
    activation: str | None = None
    batch_norm: bool = False
    dropout: float = 0.0
    heads: int = 0
    attention_dropout: float = 0.0
    drop_values: bool = False

    def __post_init__(self) -> None:
        powers, dims = checked_widths(self.powers, self.dims)
        object.__setattr__(self, "powers", powers)
        object.__setattr__(self, "dims", dims)
        if not isinstance(self.activation, str | None):
            raise ValueError(
                f"`activation` must be a name or None. Received: {shown(self.activation)}"
            )
        for name in ("batch_norm", "drop_values"):
            if not isinstance(getattr(self, name), bool):
                value = shown(getattr(self, name))
                raise ValueError(f"`{name}` must be a bool. Received: {value}")
        for name in ("dropout", "attention_dropout"):
            if not is_rate(getattr(self, name)):
                value = shown(getattr(self, name))
                raise ValueError(f"`{name}` must be in [0, 1). Received: {value}")
        is_count = isinstance(self.heads, int) and not isinstance(self.heads, bool)
        if not is_count or not 0 <= self.heads <= MAX_HEADS:
            raise ValueError(
                f"`heads` must be a whole number from 0 to {MAX_HEADS:,}. "
                f"Received: heads={shown(self.heads)}"
            )
        for name in ("attention_dropout", "drop_values"):
            if getattr(self, name) and not self.heads:
                value = getattr(self, name)
                raise ValueError(f"`{name}` needs `heads`. Received: {name}={value}, heads=0")

    @property
    def width(self) -> int:
        """Number of output columns."""
        return sum(self.dims)

    @property
    def has_bias(self) -> bool:
        """Whether the layer adds a bias."""
        return bool(self.heads) and not self.batch_norm

    @property
    def num_attention_weights(self) -> int:
        """Number of entries of the bias and of the attention vectors, two for each column."""
        columns = sum(dim for power, dim in zip(self.powers, self.dims, strict=True) if power)
        return (2 * columns if self.heads else 0) + self.has_bias * self.width

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields; those that earlier versions did not have only if they are set."""
        return without_defaults(self, ("heads", "attention_dropout", "drop_values"))


def without_defaults(spec: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Returns the fields of a specification, without those of `names` that have their default."""
    defaults = {field.name: field.default for field in dataclasses.fields(spec)}
    return {
        name: getattr(spec, name)
        for name in defaults
        if name not in names or getattr(spec, name) != defaults[name]
    }
