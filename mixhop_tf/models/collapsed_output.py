"""Computes a psum output before the propagation instead of after it.

The layer and the psum are linear, so the kernels of all groups of one power can be added up:

`Σ_k softmax(q)_k Â^j(k) H W_k = Σ_j Â^j H V_j` with `V_j = Σ_{k of power j} softmax(q)_k W_k`.

This takes `c` columns for each power, no matter how many groups the power has, and one product with
the adjacency for each step from one power to the next. It makes wide networks several times faster.
A network with about one group for each power would gain nothing, so it does not use this.
"""

from __future__ import annotations

from collections.abc import Sequence

import keras
import tensorflow as tf

from mixhop_tf.layers import MixHopLayer, PsumOutput
from mixhop_tf.ops.propagation import by_direction
from mixhop_tf.ops.sparse import sparse_matmul
from mixhop_tf.tensors import Operator


def can_collapse(mixhop: keras.layers.Layer, psum: keras.layers.Layer) -> bool:
    """Says whether two steps are a MixHop layer and its psum, with many more groups than powers."""
    return are_linear(mixhop, psum) and 2 * psum.q.shape[0] >= 3 * len(mixhop.live_powers)


def are_linear(mixhop: keras.layers.Layer, psum: keras.layers.Layer) -> bool:
    """Says whether two steps are a MixHop layer and its psum whose kernels can be added up."""
    return (
        type(mixhop) is MixHopLayer  # attention makes other operators than the adjacency
        and isinstance(psum, PsumOutput)
        and not (mixhop.shared_kernel or mixhop.normalize_rows or mixhop.use_bias)
        and all(dim % psum.num_classes == 0 for dim in mixhop.dims)
    )


def summed_kernels(mixhop: MixHopLayer, psum: PsumOutput) -> list[tf.Tensor]:
    """Computes `V_j [s, c]` for each power of non-zero width."""
    dims = [dim for dim in mixhop.dims if dim]
    shares = tf.split(tf.nn.softmax(psum.q), [dim // psum.num_classes for dim in dims])
    return [
        tf.einsum("ikc,k->ic", tf.reshape(kernel, [kernel.shape[0], -1, psum.num_classes]), share)
        for kernel, share in zip(mixhop.kernels, shares, strict=True)
    ]


def collapsed_logits(
    mixhop: MixHopLayer, psum: PsumOutput, h: tf.Tensor, adjacency: Operator
) -> tf.Tensor:
    """Computes `psum(mixhop((h, adjacency)))` for a dense `h` with the summed kernels."""
    kernels = summed_kernels(mixhop, psum)
    return horner(mixhop, [tf.matmul(h, kernel) for kernel in kernels], adjacency)


def horner(mixhop: MixHopLayer, products: Sequence[tf.Tensor], adjacency: Operator) -> tf.Tensor:
    """Computes `Σ_j Â^j Z_j` for the products `Z_j = H V_j [n, c]` of each live power."""
    logits = 0.0
    for matrix, positions in by_direction(adjacency, mixhop.live_powers):
        columns = {abs(mixhop.live_powers[i]): products[i] for i in positions}
        # Horner's rule needs one product for each step between powers.
        total = 0.0
        for power in range(max(columns), -1, -1):
            if power in columns:
                total = total + columns[power]
            if power:
                total = sparse_matmul(matrix, total)
        logits = logits + total
    return logits
