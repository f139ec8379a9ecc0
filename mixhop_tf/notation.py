"""Notations of architectures, those of the original code included."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

ACTIVATIONS = ("relu", "tanh", "sigmoid", "elu")
# Far beyond what anyone trains. More is a slip, and would take all memory or never end.
MAX_POWER, MAX_WIDTH, MAX_LAYERS = 100, 1_000_000, 100
_LONGEST = 100  # characters of a value in a message


def checked_widths(
    powers: Iterable[int], dims: Iterable[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Powers and their widths as tuples, after a check that they make a layer."""
    received = f"Received: powers={shown(powers)}, dims={shown(dims)}"
    try:
        powers, dims = checked_powers(powers), tuple(map(_index, dims))
    except TypeError:
        raise ValueError(f"Powers and widths must be whole numbers. {received}") from None
    if len(dims) != len(powers) or min(dims) < 0 or not any(dims):
        raise ValueError(
            f"`dims` must hold a width for each power, none negative and not all 0. {received}"
        )
    if sum(dims) > MAX_WIDTH:
        raise ValueError(f"A layer must have {MAX_WIDTH:,} columns at most. {received}")
    return powers, dims


def checked_powers(powers: Iterable[int]) -> tuple[int, ...]:
    """Powers of the adjacency as a tuple. What is no whole number raises a `TypeError`."""
    found = tuple(map(_index, powers))
    if not found or len(set(found)) != len(found) or min(found) < 0:
        raise ValueError(
            f"`powers` must be distinct and not negative. Received: powers={shown(found)}"
        )
    if max(found) > MAX_POWER:
        raise ValueError(f"`powers` must be {MAX_POWER} at most. Received: powers={shown(found)}")
    return found


def checked_hidden_dims(hidden_dims: Iterable[int]) -> tuple[int, ...]:
    """Widths of the hidden layers as a tuple."""
    try:
        found = tuple(map(_index, hidden_dims))
    except TypeError:
        raise ValueError(
            f"`hidden_dims` must be whole numbers. Received: {shown(hidden_dims)}"
        ) from None
    if len(found) >= MAX_LAYERS or any(not 0 < width <= MAX_WIDTH for width in found):
        raise ValueError(
            f"`hidden_dims` must be fewer than {MAX_LAYERS} widths, each from 1 to {MAX_WIDTH:,}. "
            f"Received: hidden_dims={shown(found)}"
        )
    return found


def _index(number: Any) -> int:
    """A whole number; true and false are none."""
    if isinstance(number, bool):
        raise TypeError
    return operator.index(number)


def shown(value: Any) -> str:
    """A value as a message shows it.

    >>> shown((0, 1)), shown("x" * 200)[-3:]
    ('(0, 1)', 'xx…')
    """
    try:
        text = " ".join(repr(value).split())
    except (ValueError, RecursionError):  # an integer of more digits than Python writes
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def parse_json(text: str) -> Any:
    """What JSON text holds.

    Raises:
        ValueError: It is not JSON, or nested too deeply, or a number has too many digits.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"it is not JSON: {str(error)[:_LONGEST]}") from None


def propagated_columns(powers: Sequence[int], dims: Sequence[int]) -> int:
    """`Σ_j j·d_j`: columns that the adjacency multiplies when the weights come first."""
    return sum(power * dim for power, dim in zip(powers, dims, strict=True))


def largest_power(powers: Sequence[int], dims: Sequence[int]) -> int:
    """The largest power that has any columns."""
    return max(power for power, dim in zip(powers, dims, strict=True) if dim)


def weights_come_first(powers: Sequence[int], dims: Sequence[int], width: int) -> bool:
    """Whether `Â^j (H W_j)` multiplies no more columns by the adjacency than `(Â^j H) W_j` does."""
    return propagated_columns(powers, dims) <= largest_power(powers, dims) * width


def parse_notation(
    notation: str, num_hidden: int, num_classes: int
) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """The powers, and the capacities of the powers for each layer."""
    try:
        fields = [[int(number) for number in part.split(":")] for part in notation.split(",")]
    except ValueError:
        raise ValueError(
            "The notation is power or power:capacity:… , separated by commas, in whole numbers. "
            f"Received: {shown(notation)}"
        ) from None
    powers = checked_powers(field[0] for field in fields)
    if all(len(field) == 1 for field in fields):
        return powers, [(1,) * len(powers)] * num_hidden + [(num_classes,) * len(powers)]
    if any(len(field) != num_hidden + 2 for field in fields):
        raise ValueError(
            f"With {num_hidden} hidden widths each power takes {num_hidden + 1} capacities. "
            f"Received: {shown(notation)}"
        )
    capacities = [tuple(column) for column in zip(*(field[1:] for field in fields), strict=True)]
    if min(map(min, capacities)) < 0 or not all(map(sum, capacities)):
        raise ValueError(
            f"Capacities must not be negative, nor all 0 in one layer. Received: {shown(notation)}"
        )
    if max(map(max, capacities)) > MAX_WIDTH:
        raise ValueError(f"Capacities must be {MAX_WIDTH:,} at most. Received: {shown(notation)}")
    return powers, capacities


def split_width(width: int, capacities: tuple[int, ...]) -> tuple[int, ...]:
    """Shares of a width in proportion to the capacities.

    >>> split_width(60, (24, 18, 18)), split_width(5, (1, 1))
    ((24, 18, 18), (2, 3))
    """
    total = sum(capacities)
    # FIDELITY: as in the original, halves round to even and the last power takes the rest.
    shares = [round(capacity * width / total) for capacity in capacities[:-1]]
    return (*shares, width - sum(shares))


def parse_layer_list(
    definitions: Sequence[Mapping[str, Any]],
) -> tuple[list[dict[str, Any]], str, float]:
    """Layer specifications, output and output dropout from a list of `{"fn": …, "args": […]}`."""
    layers: list[dict[str, Any]] = []
    dropout, output = 0.0, None
    for definition in definitions:
        function, arguments = definition["fn"], definition.get("args", [])
        follows_layer = bool(layers) and not dropout
        if output is not None:
            raise ValueError(f"Nothing may follow the output layer. Received: fn={shown(function)}")
        if function in ("dropout", "sparse_dropout") and not dropout:
            if not is_rate(arguments[0]):
                raise ValueError(f"Dropout must lie in [0, 1). Received: {shown(arguments[0])}")
            dropout = float(arguments[0])
        elif function == "mixhop_layer":
            powers, dims = arguments[0], arguments[1]
            layers.append({"powers": powers, "dims": dims, "dropout": dropout})
            dropout = 0.0
        elif function == "batch_norm" and follows_layer and len(layers[-1]) == 3:
            layers[-1]["batch_norm"] = True
        elif function in ACTIVATIONS and follows_layer and "activation" not in layers[-1]:
            layers[-1]["activation"] = function
        elif function in ("dense", "psum_output"):
            output = "dense" if function == "dense" else "psum"
        elif function not in ("sparse_tensor_to_dense", "l2_normalize") or layers:
            raise ValueError(
                "The list must be dropout, mixhop_layer, batch_norm, activation for each layer and "
                f"then the output. Received: fn={shown(function)} after {len(layers)} layers"
            )
        if (definition.get("kwargs") or {}).get("activation"):
            raise ValueError(f"An activation stands by itself. Received: {shown(definition)}")
    return layers, output or "psum", dropout


def is_rate(rate: Any) -> bool:
    """Whether a dropout rate leaves anything. Dropout draws 16 random bits for an entry."""
    if isinstance(rate, bool | str | bytes) or not hasattr(rate, "__float__"):
        return False
    return bool(0.0 <= rate < 1.0 and round(float(rate) * 2**16) < 2**16)
