"""Multiplies rows by powers of the adjacency, a chunk of columns at a time."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from mixhop_tf.inference.rows import Rows, Stored, Times
from mixhop_tf.ops.block_operator import BlockOperator

_BLOCK = 16_384  # rows that are read at once


def row_blocks(num_nodes: int) -> list[tuple[int, int]]:
    """Divides rows into blocks, `(first row, last row + 1)`."""
    return [(start, min(start + _BLOCK, num_nodes)) for start in range(0, num_nodes, _BLOCK)]


@dataclasses.dataclass(frozen=True)
class Workshop:
    """What every computation in blocks needs.

    Args:
        scratch: Keeps finished columns: a `Scratch`, or `Parts` of several processes.
        pool: The threads.
        max_bytes: Memory for the columns that are multiplied at once.
        on_columns: Function that is called with the number of columns that were multiplied.
    """

    scratch: Any
    pool: ThreadPoolExecutor
    max_bytes: int
    on_columns: Callable[[float], Any] = lambda _: None

    def chunk(self, num_nodes: int) -> int:
        """Number of columns to multiply at once: two copies of them must fit."""
        return max(1, self.max_bytes // (8 * num_nodes))

    def gather(self, rows: Rows, num_nodes: int, columns: slice = slice(None)) -> np.ndarray:
        """Computes some columns of all rows, float32 `[n, k]`."""
        start, stop, _ = columns.indices(rows.width)
        result = np.empty((num_nodes, stop - start), np.float32)

        def fill(ends: tuple[int, int]) -> None:
            first, last = ends
            block = rows.block(first, last)[:, start:stop]
            result[first:last] = block.toarray() if hasattr(block, "toarray") else block

        for _ in self.pool.map(fill, row_blocks(num_nodes)):
            pass
        return result

    def gathered(self, key: str, rows: Rows, n: int, columns: slice = slice(None)) -> Any:  # noqa: ARG002
        """Computes some columns of all rows, float32 `[n, k]`.

        The methods from here on take a name for what they compute. Other processes may need it;
        see `PartShop`.
        """
        return self.gather(rows, n, columns)

    def product(
        self,
        key: str,  # noqa: ARG002
        operator: BlockOperator,
        z: np.ndarray,
        *,
        overwrite: bool = False,
    ) -> Any:
        """Computes `Â Z`, float32 `[n, k]`; with `overwrite`, `Z` may change."""
        return operator.product(z, overwrite=overwrite)

    def of_blocks(
        self,
        key: str,  # noqa: ARG002
        function: Callable[[tuple[int, int]], np.ndarray],
        n: int,
    ) -> Iterable[np.ndarray]:
        """Calls a function for all blocks of rows, and yields its answers in their order."""
        return self.pool.map(function, row_blocks(n))


def mixed(
    name: str,
    rows: Rows,
    operator: BlockOperator | None,
    kernels: Mapping[int, np.ndarray],
    weights_first: bool,
    shop: Workshop,
) -> dict[int, Rows]:
    """Computes `Â^j H W_j` for each power `j`.

    Args:
        name: Name of the layer among the stored columns.
        rows: The rows of `H`.
        operator: Multiplies by `Â`; None if there is only power 0.
        kernels: `W_j [s, d_j]` by power.
        weights_first: Whether `H W_j` is multiplied by the adjacency, or `H`, which may be
            narrower.
        shop: Memory, threads and stored columns.
    """
    found: dict[int, Rows] = {}
    if weights_first:
        for power, kernel in kernels.items():
            product = Times(rows, kernel)
            if not power or operator is None:
                found[power] = product
                continue
            chunks = _propagated(f"{name}-power{power}", product, [power], operator, shop)
            found[power] = Stored([columns[power] for columns in chunks])
        return found
    powers = sorted(power for power in kernels if power)
    chunks = _propagated(name, rows, powers, operator, shop) if operator and powers else []
    for power, kernel in kernels.items():
        read = Stored([columns[power] for columns in chunks]) if power else rows
        found[power] = Times(read, kernel)
    return found


def horner(
    name: str,
    rows: Rows,
    operator: BlockOperator | None,
    kernels: Mapping[int, np.ndarray],
    shop: Workshop,
    n: int,
) -> Rows:
    """Computes `Σ_j Â^j H W_j` for kernels of equal width, with `max(j)` products."""
    powers, highest = sorted(kernels), max(kernels)
    width = kernels[highest].shape[1]
    chunks = []
    for start, stop in _chunks(width, shop.chunk(n)):
        key = f"{name}-{start}"
        total = shop.scratch.find(key, (n, stop - start))
        if total is None:
            # All powers in one pass over the rows, which are costly to read.
            pieces = [kernels[power][:, start:stop] for power in powers]
            wide = Times(rows, np.concatenate(pieces, axis=1))
            columns = np.asarray(shop.gathered(f"{key}-rows", wide, n))
            parts = dict(zip(powers, np.split(columns, len(powers), axis=1), strict=True))
            total = np.ascontiguousarray(parts[highest])
            for power in range(highest, 0, -1):
                if operator is not None:
                    total = np.asarray(shop.product(f"{key}-product{power}", operator, total))
                    shop.on_columns(stop - start)
                if power - 1 in parts:
                    total += parts[power - 1]
            total = shop.scratch.keep(key, total)
        else:
            shop.on_columns(highest * (stop - start))
        chunks.append(total)
    return Stored(chunks)


def _propagated(
    name: str, rows: Rows, powers: list[int], operator: BlockOperator, shop: Workshop
) -> list[dict[int, np.ndarray]]:
    """Computes `Â^j H` for ascending positive powers, chunk by chunk of the columns of `H`."""
    n, found = operator.num_nodes, []
    for start, stop in _chunks(rows.width, shop.chunk(n)):
        keys = {power: f"{name}-{power}-{start}" for power in powers}
        shape = (n, stop - start)
        stored = {power: shop.scratch.find(key, shape) for power, key in keys.items()}
        done = {power: array for power, array in stored.items() if array is not None}
        if len(done) == len(keys):
            shop.on_columns(max(powers) * (stop - start))
            found.append(done)
            continue
        columns = shop.gathered(f"{name}-rows-{start}", rows, n, slice(start, stop))
        made: dict[int, np.ndarray] = {}
        for power in range(1, max(powers) + 1):
            # Columns that stay in memory must not change.
            is_free = not any(each is columns for each in made.values())
            key = f"{name}-{power}-{start}"
            columns = shop.product(key, operator, columns, overwrite=is_free)
            shop.on_columns(stop - start)
            if power in keys:
                made[power] = shop.scratch.keep(keys[power], columns)
        found.append(made)
    return found


def _chunks(width: int, most: int) -> list[tuple[int, int]]:
    """Divides columns into the fewest chunks of nearly equal width.

    >>> _chunks(10, 4)
    [(0, 3), (3, 6), (6, 10)]
    """
    count = max(1, -(-width // most))
    ends = [width * i // count for i in range(count + 1)]
    return list(itertools.pairwise(ends))
