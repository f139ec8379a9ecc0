"""Products with a dense factor that is larger than the cache."""

from __future__ import annotations

import itertools

import numpy as np
import scipy.sparse as sp

# A dense factor of more bytes does not stay in the cache.
_CACHE = 1 << 24
# Entries whose rows of the dense factor are copied at once; the copies stay in the cache.
_ENTRIES = 1 << 14


def is_far(dense: np.ndarray) -> bool:
    """Says whether the rows of a dense factor come from memory, and not from the cache."""
    return dense.nbytes > _CACHE


def fast_width(num_rows: int, width: int) -> int:
    """Returns the number of columns with which a product of a large factor is fastest.

    Rows of 16 or 32 bytes are copied by one instruction, and are in one line of the cache.
    """
    is_large = 4 * num_rows * width > _CACHE
    return {3: 4, 5: 8, 6: 8, 7: 8}.get(width, width) if is_large else width


def near_product(
    indptr: np.ndarray,
    indices: np.ndarray,
    weights: np.ndarray | None,
    dense: np.ndarray,
    result: np.ndarray,
) -> None:
    """Computes `S D` with the bits of SciPy's product.

    Rows of `D` come from memory in a random order. A product waits for nearly every one of them,
    but a mere copy waits for many at the same time. So the rows that a few rows of `S` need are
    copied first, one after the other, and then multiplied.

    Args:
        indptr: Ends of the rows of `S`, int64 `[m + 1]`; they count from the first entry of `S`.
        indices: Columns of the entries.
        weights: float32 values of the entries; None if all are one.
        dense: `D`, float32 `[n, k]`.
        result: Array for the first columns of the product, float32 `[m, d]` with `d <= k`.
    """
    width = result.shape[1]
    inner = np.searchsorted(indptr, np.arange(0, indptr[-1], _ENTRIES))
    ends = np.unique([0, *inner, len(result)])
    most = int(np.diff(indptr[ends]).max(initial=0))
    places, ones = np.arange(most, dtype=np.int32), np.ones(most, np.float32)
    copied = np.empty((most, dense.shape[1]), np.float32)
    for first, last in itertools.pairwise(ends):
        part = slice(indptr[first], indptr[last])
        count = int(indptr[last] - indptr[first])
        values = ones[:count] if weights is None else weights[part]
        rows = (indptr[first : last + 1] - indptr[first]).astype(np.int32)
        matrix = sp.csr_array((values, places[:count], rows), shape=(last - first, count))
        # Any mode but "raise" copies straight into `out`; all indices are valid.
        near = dense.take(indices[part], axis=0, out=copied[:count], mode="clip")
        result[first:last] = (matrix @ near)[:, :width]
