"""Describes MixHop networks: how many columns each power has in each layer."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mixhop_tf.architecture_cost import num_multiply_adds
from mixhop_tf.architecture_text import architecture_text
from mixhop_tf.layer_spec import AdjacencySpec, LayerSpec, without_defaults
from mixhop_tf.notation import (
    MAX_LAYERS,
    checked_hidden_dims,
    in_both_directions,
    is_rate,
    parse_json,
    parse_layer_list,
    parse_notation,
    shown,
    split_width,
)

VERSION = 1
OUTPUTS = ("psum", "dense")
HIDDEN_WIDTH = 60
INPUT_DROPOUT, HIDDEN_DROPOUT = 0.5, 0.9
_PLAIN = AdjacencySpec()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Architecture:
    """Describes the layers of a MixHop network, without its weights.

    With output `psum`, the last layer is the output layer: groups of `c` columns are added up with
    softmax weights. With `dense`, a dense layer without bias follows the last layer.

    Args:
        layers: The MixHop layers, first to last.
        output: How the logits are made: `psum` or `dense`.
        output_dropout: Dropout rate before a `dense` output.
        adjacency: How the adjacency is made from the edges.
        jumping: Whether jumping connections lead to the output: the last layer before a `psum`
            output, or the dense layer, then reads the columns of all layers before it.

    Example:
    >>> from mixhop_tf import Architecture
    >>> print(Architecture.from_notation("0:24:0,1:18:7,2:18:7", hidden_dims=[60], num_classes=7))
    layer  power 0  power 1  power 2  width  then
        1       24       18       18     60  batch norm, relu
        2        0        7        7     14  psum
    """

    uses_weights: ClassVar[bool] = True  # of the edges

    layers: tuple[LayerSpec, ...]
    output: str = "psum"
    output_dropout: float = 0.0
    adjacency: AdjacencySpec = _PLAIN
    jumping: bool = False

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
        if not isinstance(self.adjacency, AdjacencySpec) or not isinstance(self.jumping, bool):
            raise ValueError(
                "`adjacency` must be an `AdjacencySpec`, and `jumping` a bool. Received: "
                f"adjacency={shown(self.adjacency)}, jumping={shown(self.jumping)}"
            )
        backward = any(power < 0 for layer in self.layers for power in layer.powers)
        if backward and self.adjacency.direction != "both":
            raise ValueError(
                "Negative powers need the direction `both`. "
                f"Received: direction={self.adjacency.direction}"
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
        batch_norm: bool = True,
        heads: int = 0,
        attention_dropout: float = 0.0,
        adjacency: AdjacencySpec | None = None,
        jumping: bool = False,
    ) -> Architecture:
        """Reads the notation of the original code.

        `"0,1,2"` gives each power an equal share of every hidden width, and `c` output columns.
        `"power:capacity:…:capacity,…"` gives capacities layer by layer: of a hidden width `T` each
        power gets `round(capacity · T / Σ capacities)`, and the last power gets the rest. The last
        capacities are the output widths. With the direction `both`, a notation without negative
        powers stands for both directions alike.
        """
        hidden_dims = checked_hidden_dims(hidden_dims)
        # Attention makes the rows sum to one itself, so even attention is a random walk.
        adjacency = adjacency or AdjacencySpec(normalization="row" if heads else "symmetric")
        powers, capacities = parse_notation(notation, len(hidden_dims), num_classes)
        if adjacency.direction == "both" and min(powers) >= 0:
            powers, capacities = in_both_directions(powers, capacities)
        attention: dict[str, Any] = {"heads": heads, "attention_dropout": attention_dropout}
        widths = [
            split_width(width, shares)
            for width, shares in zip(hidden_dims, capacities[:-1], strict=True)
        ]
        hidden = [
            LayerSpec(
                powers=powers,
                dims=dims,
                activation=activation,
                batch_norm=batch_norm,
                dropout=hidden_dropout if i else input_dropout,
                **attention,
            )
            for i, dims in enumerate(widths)
        ]
        output = LayerSpec(
            powers=powers,
            dims=capacities[-1],
            dropout=hidden_dropout if hidden else input_dropout,
            **attention,
        )
        return cls(layers=(*hidden, output), adjacency=adjacency, jumping=jumping)

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
            if "adjacency" in fields:
                fields["adjacency"] = AdjacencySpec(**fields["adjacency"])
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
        """Returns the architecture in plain containers, with a version.

        Fields that earlier versions did not have are left out if they have their default, so that
        an architecture without them gives the same text as before.
        """
        content = {"version": VERSION, **without_defaults(self, ("adjacency", "jumping"))}
        content["layers"] = tuple(layer.to_dict() for layer in self.layers)
        if "adjacency" in content:
            content["adjacency"] = dataclasses.asdict(self.adjacency)
        return content

    def to_json(self) -> str:
        """Writes JSON that `from_json` reads; equal architectures give equal text."""
        return json.dumps(self.to_dict(), indent=1) + "\n"

    @property
    def has_attention(self) -> bool:
        """Whether a layer has attention."""
        return any(layer.heads for layer in self.layers)

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

    def read_widths(self, num_features: int) -> tuple[int, ...]:
        """Returns the number of columns that each layer reads, and then the output."""
        widths = [num_features, *(layer.width for layer in self.layers)]
        if self.jumping:
            reader = self.jump_target
            widths[reader] = sum(widths[1 : reader + 1]) if reader else num_features
        return tuple(widths)

    @property
    def jump_target(self) -> int:
        """The reader of jumping connections: index of the last layer, or one more if dense."""
        return len(self.layers) - (self.output == "psum")

    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Counts the trainable weights: kernels, attention, offsets, output weights."""
        *widths, last = self.read_widths(num_features)
        total = sum(
            width * layer.width + layer.num_attention_weights + layer.batch_norm * layer.width
            for width, layer in zip(widths, self.layers, strict=True)
        )
        return total + (last * num_classes if self.output == "dense" else last // num_classes)

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

        The coefficients of attention are not counted.

        Args:
            num_features: Width of the input.
            num_classes: Number of classes.
            num_nodes: Number of nodes of the graph.
            adjacency_non_zeros: Number of entries of the normalised adjacency: two for each edge
                (one, if directions matter) and one for each node.
            feature_non_zeros: Number of entries of sparse features; None if they are dense.
        """
        *widths, last = self.read_widths(num_features)
        total = num_multiply_adds(
            self.layers, widths, num_nodes, adjacency_non_zeros, feature_non_zeros
        )
        return total + num_nodes * last * (num_classes if self.output == "dense" else 1)

    def __str__(self) -> str:
        return architecture_text(self.layers, self.output, self.adjacency, self.jumping)
