"""Counts the arithmetic of an architecture."""

from __future__ import annotations

from collections.abc import Sequence

from mixhop_tf.layer_spec import LayerSpec
from mixhop_tf.notation import num_propagations, propagated_columns, weights_come_first


def num_multiply_adds(
    layers: Sequence[LayerSpec],
    widths: Sequence[int],
    num_nodes: int,
    adjacency_non_zeros: int,
    feature_non_zeros: int | None,
) -> int:
    """Counts the multiply-adds of the layers, each of which reads one of the `widths`."""
    total = 0
    for i, (width, layer) in enumerate(zip(widths, layers, strict=True)):
        # Attention needs the products with the weights.
        first = bool(layer.heads) or weights_come_first(layer.powers, layer.dims, width)
        sparse = feature_non_zeros is not None and i == 0 and first
        total += layer.width * (feature_non_zeros or 0 if sparse else num_nodes * width)
        total += adjacency_non_zeros * (
            propagated_columns(layer.powers, layer.dims)
            if first
            else num_propagations(layer.powers, layer.dims) * width
        )
    return total
