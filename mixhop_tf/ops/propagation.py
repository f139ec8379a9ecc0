"""Multiplies features by powers of the adjacency, without computing the powers."""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

from mixhop_tf.ops.sparse import MAX_COLUMNS, column_blocks, sparse_matmul
from mixhop_tf.tensors import Operator


def by_direction(
    adjacency: Operator, powers: Sequence[int]
) -> list[tuple[tf.SparseTensor, list[int]]]:
    """Divides powers into forward and backward ones.

    Args:
        adjacency: One adjacency, or the pair `(forward, backward)`, which negative powers need.
        powers: Distinct powers; `-j` is the power `j` of the backward adjacency.

    Returns:
        A list of an adjacency and the positions of its powers, in the order in which the powers are
        reached. Without backward powers it has one entry.
    """
    is_pair = isinstance(adjacency, tuple | list)
    forward, backward = adjacency if is_pair else (adjacency, None)
    order = sorted(range(len(powers)), key=lambda i: abs(powers[i]))
    found = []
    for matrix, positions in (
        (forward, [i for i in order if powers[i] >= 0]),
        (backward, [i for i in order if powers[i] < 0]),
    ):
        if positions and matrix is None:
            raise ValueError(
                "Negative powers need a pair of adjacencies, (forward, backward). "
                f"Received: powers={tuple(powers)} and one adjacency"
            )
        if positions:
            found.append((matrix, positions))
    return found


def plan_bundles(dims: Sequence[int]) -> list[list[tuple[int, int, int]]]:
    """Divides the columns of all powers into bundles that propagate together.

    Args:
        dims: Positive widths of the powers, in ascending order of the powers.

    Returns:
        A list of bundles of at most 31 columns. Each bundle is a list of segments `(index of the
        power, first column, last column + 1)`. Narrow powers share a bundle. Wide powers fill
        several.

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
    """Computes `Â^j Z_j` for the powers `j` of one bundle.

    The first product takes the columns of all powers from 1 up, the second one those from 2 up, and
    so on. Together they take `Σ_j j·d_j` columns.

    Args:
        adjacency: The adjacency `Â`, a `tf.SparseTensor` `[n, n]`.
        columns: The columns `Z_j` side by side, `[n, Σ d_j]`, ordered by ascending power.
        powers: The powers `j`, in ascending order.
        dims: Width `d_j` of each power.

    Returns:
        A list with the product `[n, d_j]` for each power.
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
    """Computes `Â^j X` for ascending `powers`, with `max(powers)·s` columns in total."""
    outputs, reached = [], 0
    for power in powers:
        for _ in range(power - reached):
            x = sparse_matmul(adjacency, x)
        reached = power
        outputs.append(x)
    return outputs
