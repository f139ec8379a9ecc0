"""Writes an architecture as a table."""

from __future__ import annotations

from collections.abc import Sequence

from mixhop_tf.layer_spec import LayerSpec


def table_of(layers: Sequence[LayerSpec], output: str, is_both: bool) -> str:
    """Returns a table with a row for each layer.

    Args:
        layers: The layers.
        output: How the logits are made.
        is_both: Whether the network reads both directions of the edges.
    """
    powers = in_order({power for layer in layers for power in layer.powers})
    rows = [["layer", *(power_name(power, is_both) for power in powers), "width", "then"]]
    for i, layer in enumerate(layers, start=1):
        dims = dict(zip(layer.powers, layer.dims, strict=True))
        then = ["batch norm"] if layer.batch_norm else []
        if layer.heads:
            then.insert(0, f"{layer.heads} attention head" + "s" * (layer.heads > 1))
        if layer.activation:
            then.append(layer.activation)
        if i == len(layers):
            then.append(output)
        widths = [str(dims.get(power, "-")) for power in powers]
        rows.append([str(i), *widths, str(layer.width), ", ".join(then)])
    lengths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([*(cell.rjust(n) for cell, n in zip(row[:-1], lengths, strict=False)), row[-1]])
        for row in rows
    )


def in_order(powers: set[int]) -> list[int]:
    """Sorts powers: forward ones first, then backward ones."""
    return sorted(powers, key=lambda power: (power < 0, abs(power)))


def power_name(power: int, is_both: bool = False) -> str:
    """Returns the name of a power.

    >>> power_name(2), power_name(2, is_both=True), power_name(-2)
    ('power 2', 'in 2', 'out 2')
    """
    if power < 0:
        return f"out {-power}"
    return f"in {power}" if is_both and power else f"power {power}"


def power_names(powers: Sequence[int]) -> list[str]:
    """Names the powers of one network; backward powers tell that it reads both directions."""
    return [power_name(power, min(powers) < 0) for power in powers]
