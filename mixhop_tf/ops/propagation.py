"""Products of powers of the adjacency with features; the powers are never formed."""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

from mixhop_tf.ops.sparse import MAX_COLUMNS, column_blocks, sparse_matmul


def plan_bundles(dims: Sequence[int]) -> list[list[tuple[int, int, int]]]:
    """Divides the columns of all powers into bundles that propagate together.

    Args:
        dims: Widths of the powers, in ascending order of the powers, all positive.

    Returns:
        A list of bundles of at most 31 columns, each a list of segments `(index of the power, first
        column, last column + 1)`. Narrow powers share a bundle, wide ones fill several.

    >>> plan_bundles([7, 7, 7])
    [[(0, 0, 7), (1, 0, 7), (2, 0, 7)]]
    >>> plan_bundles([20, 40])
    [[(0, 0, 20)], [(1, 0, 20)], [(1, 20, 40)]]
    """
    bundles: list[list[tuple[int, int, int]]] = []
    room = 0
    for i, dim in enumerate(dims):
        for start, stop in column_blocks(dim):
            if stop - start > room:
                bundles.append([])
                room = MAX_COLUMNS
            bundles[-1].append((i, start, stop))
            room -= stop - start
    return bundles


def propagate_bundle(
    adjacency: tf.SparseTensor, columns: tf.Tensor, powers: Sequence[int], dims: Sequence[int]
) -> list[tf.Tensor]:
    """`Â^j Z_j` for the powers of one bundle; `Z = [Z_0 … ]` holds `d_j` columns for power `j`.

    One product takes the columns of all powers from 1 up, the next one those from 2 up, and so on:
    `Σ_j j·d_j` columns in all.

    Args:
        adjacency: `tf.SparseTensor` `[n, n]`.
        columns: `[n, Σ d_j]`, ordered by ascending power.
        powers: Ascending powers.
        dims: Their widths.

    Returns:
        A list of `[n, d_j]`, one for each power.
    """
    outputs, rest, reached = [], columns, 0
    for i, (power, dim) in enumerate(zip(powers, dims, strict=True)):
        for _ in range(power - reached):
            rest = sparse_matmul(adjacency, rest)
        reached = power
        last = i + 1 == len(dims)
        done, rest = (rest, None) if last else tf.split(rest, [dim, sum(dims[i + 1 :])], axis=1)
        outputs.append(done)
    return outputs


def propagate_powers(
    adjacency: tf.SparseTensor, x: tf.Tensor, powers: Sequence[int]
) -> list[tf.Tensor]:
    """`Â^j X` for each of the ascending `powers`: `max(powers)·s` columns in all."""
    outputs, reached = [], 0
    for power in powers:
        for _ in range(power - reached):
            x = sparse_matmul(adjacency, x)
        reached = power
        outputs.append(x)
    return outputs
