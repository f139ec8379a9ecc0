"""Reads the notations of architectures, also those of the original code."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

ACTIVATIONS = ("relu", "tanh", "sigmoid", "elu")
# Nobody trains larger networks. A larger number is a mistake that would fill the memory.
MAX_POWER, MAX_WIDTH, MAX_LAYERS = 100, 1_000_000, 100
_LONGEST = 100  # characters of a value in a message


def checked_widths(
    powers: Iterable[int], dims: Iterable[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Checks the powers of a layer and their widths, and returns both as tuples."""
    received = f"Received: powers={shown(powers)}, dims={shown(dims)}"
    try:
        powers, dims = checked_powers(powers), tuple(map(_index, dims))
    except TypeError:
        raise ValueError(f"Powers and widths must be whole numbers. {received}") from None
    if len(dims) != len(powers) or min(dims) < 0 or not any(dims):
        raise ValueError(
            "`dims` must hold one width for each power; widths must be 0 or more, and at least one "
            f"positive. {received}"
        )
    if sum(dims) > MAX_WIDTH:
        raise ValueError(f"A layer must have at most {MAX_WIDTH:,} columns. {received}")
    return powers, dims


def checked_powers(powers: Iterable[int]) -> tuple[int, ...]:
    """Checks powers of the adjacency and returns them as a tuple.

    A negative power `-j` is the power `j` of the backward adjacency.

    Raises:
        TypeError: A power is not a whole number.
        ValueError: A power is too large or repeated, or there are none.
    """
    found = tuple(map(_index, powers))
    if not found or len(set(found)) != len(found):
        raise ValueError(f"`powers` must be distinct. Received: powers={shown(found)}")
    if max(map(abs, found)) > MAX_POWER:
        raise ValueError(
            f"`powers` must be at most {MAX_POWER} in magnitude. Received: powers={shown(found)}"
        )
    return found


def checked_hidden_dims(hidden_dims: Iterable[int]) -> tuple[int, ...]:
    """Checks the widths of the hidden layers and returns them as a tuple."""
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
    """Returns a whole number as an `int`. Booleans do not count as numbers."""
    if isinstance(number, bool):
        raise TypeError
    return operator.index(number)


def shown(value: Any) -> str:
    """Writes a value for a message, on one line and at most 100 characters long.

    >>> shown((0, 1)), shown("x" * 200)[-3:]
    ('(0, 1)', 'xx…')
    """
    try:
        text = " ".join(repr(value).split())
    except (ValueError, RecursionError):  # Python refuses to write integers of too many digits
        text = f"a {type(value).__name__}"
    return shortened(text)


def shortened(text: str) -> str:
    """Cuts a text after 100 characters."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def parse_json(text: str) -> Any:
    """Parses JSON.

    Raises:
        ValueError: The text is not JSON, is nested too deeply, or has a number of too many digits.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"it is not JSON: {str(error)[:_LONGEST]}") from None


def propagated_columns(powers: Sequence[int], dims: Sequence[int]) -> int:
    """Counts the columns that an adjacency multiplies if weights come first: `Σ_j |j|·d_j`."""
    return sum(abs(power) * dim for power, dim in zip(powers, dims, strict=True))


def num_propagations(powers: Sequence[int], dims: Sequence[int]) -> int:
    """Counts the products that reach all powers of non-zero width, forward and backward."""
    live = [power for power, dim in zip(powers, dims, strict=True) if dim]
    return max(0, *live) - min(0, *live)


def weights_come_first(powers: Sequence[int], dims: Sequence[int], width: int) -> bool:
    """Says whether `Â^j (H W_j)` propagates at most as many columns as `(Â^j H) W_j`."""
    return propagated_columns(powers, dims) <= num_propagations(powers, dims) * width


def both_ways(powers: Sequence[int]) -> tuple[int, ...]:
    """Adds the backward twin of each power.

    >>> both_ways((0, 1, 2))
    (0, 1, 2, -1, -2)
    """
    return (*powers, *(-power for power in powers if power))


def in_both_directions(
    powers: tuple[int, ...], capacities: list[tuple[int, ...]]
) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """Adds the backward twin of each power, with the same capacity in every layer.

    >>> in_both_directions((0, 1), [(3, 4), (1, 2)])
    ((0, 1, -1), [(3, 4, 4), (1, 2, 2)])
    """
    twins = [
        tuple(each for power, each in zip(powers, layer, strict=True) if power)
        for layer in capacities
    ]
    doubled = [(*layer, *twin) for layer, twin in zip(capacities, twins, strict=True)]
    return both_ways(powers), doubled


def parse_notation(
    notation: str, num_hidden: int, num_classes: int
) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """Returns the powers, and for each layer the capacities of the powers."""
    try:
        fields = [[int(number) for number in part.split(":")] for part in notation.split(",")]
    except ValueError:
        raise ValueError(
            "A notation must be `power` or `power:capacity:…`, in whole numbers, joined by commas. "
            f"Received: {shown(notation)}"
        ) from None
    powers = checked_powers(field[0] for field in fields)
    if all(len(field) == 1 for field in fields):
        return powers, [(1,) * len(powers)] * num_hidden + [(num_classes,) * len(powers)]
    if any(len(field) != num_hidden + 2 for field in fields):
        raise ValueError(
            f"Each power needs {num_hidden + 1} capacities: one for each hidden layer and one "
            f"for the output. Received: {shown(notation)}"
        )
    capacities = [tuple(column) for column in zip(*(field[1:] for field in fields), strict=True)]
    if min(map(min, capacities)) < 0 or not all(map(sum, capacities)):
        raise ValueError(
            "Capacities must be 0 or more, and each layer needs a positive one. "
            f"Received: {shown(notation)}"
        )
    if max(map(max, capacities)) > MAX_WIDTH:
        raise ValueError(f"Capacities must be at most {MAX_WIDTH:,}. Received: {shown(notation)}")
    return powers, capacities


def split_width(width: int, capacities: tuple[int, ...]) -> tuple[int, ...]:
    """Divides a width among the powers in proportion to their capacities.

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
    """Reads a layer list of the original code, `[{"fn": …, "args": […]}, …]`.

    Returns:
        The arguments of each `LayerSpec`, the output, and the dropout before the output.
    """
    layers: list[dict[str, Any]] = []
    dropout, output = 0.0, None
    for definition in definitions:
        function, arguments = definition["fn"], definition.get("args", [])
        follows_layer = bool(layers) and not dropout
        if output is not None:
            raise ValueError(f"Nothing may follow the output layer. Received: fn={shown(function)}")
        if function in ("dropout", "sparse_dropout") and not dropout:
            if not is_rate(arguments[0]):
                raise ValueError(f"Dropout must be in [0, 1). Received: {shown(arguments[0])}")
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
                "The list must be dropout, mixhop_layer, batch_norm and activation of each layer, "
                f"then the output. Received: fn={shown(function)} after {len(layers)} layers"
            )
        if (definition.get("kwargs") or {}).get("activation"):
            raise ValueError(
                f"An activation must be an entry of its own. Received: {shown(definition)}"
            )
    return layers, output or "psum", dropout


def is_rate(rate: Any) -> bool:
    """Says whether a number is a dropout rate: at least 0, and less than 1 in 16 bits.

    Dropout compares 16 random bits with the rate, so a rate close to 1 would drop everything.
    """
    if isinstance(rate, bool | str | bytes) or not hasattr(rate, "__float__"):
        return False
    return bool(0.0 <= rate < 1.0 and round(float(rate) * 2**16) < 2**16)
