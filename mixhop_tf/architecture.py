"""Describes MixHop networks: how many columns each power has in each layer."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

from mixhop_tf.notation import (
    MAX_LAYERS,
    checked_hidden_dims,
    checked_widths,
    is_rate,
    largest_power,
    parse_json,
    parse_layer_list,
    parse_notation,
    propagated_columns,
    shown,
    split_width,
    weights_come_first,
)

VERSION = 1
OUTPUTS = ("psum", "dense")
HIDDEN_WIDTH = 60
INPUT_DROPOUT, HIDDEN_DROPOUT = 0.5, 0.9


@dataclasses.dataclass(frozen=True, kw_only=True)
class LayerSpec:
    """Describes a MixHop layer with its surroundings: `σ(norm(MixHop(dropout(H))))`.

    Example:
    >>> from mixhop_tf import LayerSpec
    >>> LayerSpec(powers=(0, 1, 2), dims=(24, 18, 18), activation="relu", batch_norm=True).width
    60

    Args:
        powers: Distinct non-negative powers of the adjacency.
        dims: Width of each power. Widths may be 0, but at least one must be positive.
        activation: Name of a Keras activation, or None for no activation.
        batch_norm: Whether batch norm follows the layer, before the activation.
        dropout: Rate at which training drops entries of the layer's input.
    """

    powers: tuple[int, ...]
    dims: tuple[int, ...]
    activation: str | None = None
    batch_norm: bool = False
    dropout: float = 0.0

    def __post_init__(self) -> None:
        powers, dims = checked_widths(self.powers, self.dims)
        object.__setattr__(self, "powers", powers)
        object.__setattr__(self, "dims", dims)
        if not isinstance(self.activation, str | None):
            raise ValueError(
                f"`activation` must be a name or None. Received: {shown(self.activation)}"
            )
        if not isinstance(self.batch_norm, bool):
            raise ValueError(f"`batch_norm` must be a bool. Received: {shown(self.batch_norm)}")
        if not is_rate(self.dropout):
            raise ValueError(f"`dropout` must be in [0, 1). Received: {shown(self.dropout)}")

    @property
    def width(self) -> int:
        """Number of output columns."""
        return sum(self.dims)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Architecture:
    """Describes the layers of a MixHop network, without its weights.

    With output `psum`, the last layer is the output layer: groups of `c` columns are added up with
    softmax weights. With `dense`, a dense layer without bias follows the last layer.

    Args:
        layers: The MixHop layers, first to last.
        output: How the logits are made: `psum` or `dense`.
        output_dropout: Dropout rate before a `dense` output.

    Example:
    >>> from mixhop_tf import Architecture
    >>> print(Architecture.from_notation("0:24:0,1:18:7,2:18:7", hidden_dims=[60], num_classes=7))
    layer  power 0  power 1  power 2  width  then
        1       24       18       18     60  batch norm, relu
        2        0        7        7     14  psum
    """

    layers: tuple[LayerSpec, ...]
    output: str = "psum"
    output_dropout: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", tuple(self.layers))
        if not self.layers or not all(isinstance(layer, LayerSpec) for layer in self.layers):
            raise ValueError(
                f"`layers` must hold one or more `LayerSpec`. Received: layers={shown(self.layers)}"
            )
        if len(self.layers) > MAX_LAYERS:
            raise ValueError(
                f"Use {MAX_LAYERS} layers at most. Received: {len(self.layers):,} layers"
            )
        if self.output not in OUTPUTS:
            raise ValueError(
                f"`output` must be one of {OUTPUTS}. Received: output={shown(self.output)}"
            )
        if not is_rate(self.output_dropout):
            received = shown(self.output_dropout)
            raise ValueError(f"`output_dropout` must be in [0, 1). Received: {received}")
        if self.output == "psum" and self.output_dropout:
            raise ValueError(
                "A psum output has no dropout; set that of the last layer instead. "
                f"Received: output_dropout={self.output_dropout}"
            )

    @classmethod
    def default(
        cls, num_classes: int, powers: Sequence[int] = (0, 1, 2), **options: Any
    ) -> Architecture:
        """Makes the paper's default: powers share 60 columns, then each power has `c` columns."""
        return cls.from_notation(",".join(map(str, powers)), num_classes=num_classes, **options)

    @classmethod
    def baseline(cls, num_classes: int, **options: Any) -> Architecture:
        """Makes the paper's baseline, a vanilla GCN: the default with `P = {1}`."""
        return cls.default(num_classes, powers=(1,), **options)

    @classmethod
    def from_notation(
        cls,
        notation: str,
        *,
        num_classes: int,
        hidden_dims: Sequence[int] = (HIDDEN_WIDTH,),
        activation: str = "relu",
        input_dropout: float = INPUT_DROPOUT,
        hidden_dropout: float = HIDDEN_DROPOUT,
    ) -> Architecture:
        """Reads the notation of the original code.

        `"0,1,2"` gives each power an equal share of every hidden width, and `c` output columns.
        `"power:capacity:…:capacity,…"` gives capacities layer by layer: of a hidden width `T` each
        power gets `round(capacity · T / Σ capacities)`, and the last power gets the rest. The last
        capacities are the output widths.
        """
        hidden_dims = checked_hidden_dims(hidden_dims)
        powers, capacities = parse_notation(notation, len(hidden_dims), num_classes)
        widths = [
            split_width(width, shares)
            for width, shares in zip(hidden_dims, capacities[:-1], strict=True)
        ]
        hidden = [
            LayerSpec(
                powers=powers,
                dims=dims,
                activation=activation,
                batch_norm=True,
                dropout=hidden_dropout if i else input_dropout,
            )
            for i, dims in enumerate(widths)
        ]
        output = LayerSpec(
            powers=powers, dims=capacities[-1], dropout=hidden_dropout if hidden else input_dropout
        )
        return cls(layers=(*hidden, output))

    @classmethod
    def from_json(cls, text: str) -> Architecture:
        """Reads what `to_json` wrote, or a layer list of the original code."""
        try:
            content = parse_json(text)
        except ValueError as error:
            raise ValueError(f"This is not the JSON of an architecture: {error}") from None
        if isinstance(content, list):
            return cls.from_layer_list(content)
        return cls.from_dict(content)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Architecture:
        """Restores an architecture from what `to_dict` returned."""
        if not isinstance(content, Mapping):
            raise ValueError(f"This is not the JSON of an architecture: {shown(content)}")
        version = content.get("version")
        if version != VERSION or isinstance(version, bool):
            raise ValueError(
                f"Only version {VERSION} of an architecture can be read. "
                f"Received: version={shown(version)}"
            )
        fields = {key: value for key, value in content.items() if key != "version"}
        try:
            return cls(**fields | {"layers": [LayerSpec(**layer) for layer in content["layers"]]})
        except (LookupError, TypeError) as error:
            raise ValueError(f"This is not the JSON of an architecture: {shown(error)}") from None

    @classmethod
    def from_layer_list(cls, definitions: Sequence[Mapping[str, Any]]) -> Architecture:
        """Reads a layer list of the original code (`fn` and `args` of each layer)."""
        try:
            layers, output, output_dropout = parse_layer_list(definitions)
        except (LookupError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"This is not the JSON of an architecture: {shown(error)}") from None
        return cls(
            layers=tuple(LayerSpec(**layer) for layer in layers),
            output=output,
            output_dropout=output_dropout,
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the architecture in plain containers, with a version."""
        return {"version": VERSION, **dataclasses.asdict(self)}

    def to_json(self) -> str:
        """Writes JSON that `from_json` reads; equal architectures give equal text."""
        return json.dumps(self.to_dict(), indent=1) + "\n"

    def unit_sizes(self, num_classes: int) -> tuple[int, ...]:
        """Returns the number of columns in a unit of each layer.

        Pruning keeps or removes whole units. A unit is one column. Before a psum output it is a
        group of `c` columns, because each group needs a column for every class.
        """
        last = num_classes if self.output == "psum" else 1
        return (1,) * (len(self.layers) - 1) + (last,)

    def with_dropout(self, first: float | None, others: float | None) -> Architecture:
        """Returns a copy with these dropout rates at the input and later; None keeps a rate."""
        rates = [first, *[others] * len(self.layers)]
        layers = tuple(
            layer if rate is None else dataclasses.replace(layer, dropout=rate)
            for layer, rate in zip(self.layers, rates, strict=False)
        )
        output = self.output_dropout
        if self.output == "dense" and others is not None:
            output = others
        return dataclasses.replace(self, layers=layers, output_dropout=output)

    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Counts the trainable weights: kernels, batch-norm offsets, output weights."""
        total, width = 0, num_features
        for layer in self.layers:
            total += width * layer.width + layer.batch_norm * layer.width
            width = layer.width
        return total + (width * num_classes if self.output == "dense" else width // num_classes)

    def num_multiply_adds(
        self,
        num_features: int,
        num_classes: int,
        *,
        num_nodes: int,
        adjacency_non_zeros: int,
        feature_non_zeros: int | None = None,
    ) -> int:
        """Counts the multiply-adds of a forward pass, in the order that `MixHopLayer` uses.

        Args:
            num_features: Width of the input.
            num_classes: Number of classes.
            num_nodes: Number of nodes of the graph.
            adjacency_non_zeros: Number of entries of the normalised adjacency: two for each edge
                and one for each node.
            feature_non_zeros: Number of entries of sparse features; None if they are dense.
        """
        total, width = 0, num_features
        for i, layer in enumerate(self.layers):
            first = weights_come_first(layer.powers, layer.dims, width)
            sparse = feature_non_zeros is not None and i == 0 and first
            total += layer.width * (feature_non_zeros or 0 if sparse else num_nodes * width)
            total += adjacency_non_zeros * (
                propagated_columns(layer.powers, layer.dims)
                if first
                else largest_power(layer.powers, layer.dims) * width
            )
            width = layer.width
        return total + num_nodes * width * (num_classes if self.output == "dense" else 1)

    def __str__(self) -> str:
        powers = sorted({power for layer in self.layers for power in layer.powers})
        rows = [["layer", *(f"power {power}" for power in powers), "width", "then"]]
        for i, layer in enumerate(self.layers, start=1):
            dims = dict(zip(layer.powers, layer.dims, strict=True))
            then = ["batch norm"] if layer.batch_norm else []
            if layer.activation:
                then.append(layer.activation)
            if i == len(self.layers):
                then.append(self.output)
            widths = [str(dims.get(power, "-")) for power in powers]
            rows.append([str(i), *widths, str(layer.width), ", ".join(then)])
        lengths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(
                [*(cell.rjust(n) for cell, n in zip(row[:-1], lengths, strict=False)), row[-1]]
            )
            for row in rows
        )
