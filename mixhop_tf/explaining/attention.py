"""The coefficients of an attention head for some rows."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from mixhop_tf.explaining.program import Head


def attended(rows: sp.csr_array, head: Head, own: np.ndarray, values: np.ndarray) -> sp.csr_array:
    """Replaces the values of an operator's rows by the coefficients of a head.

    Args:
        rows: Rows of the adjacency, `[k, m]`.
        head: The head.
        own: `H W` of the nodes of these rows, `[k, w]`.
        values: `H W` of the nodes of the columns, `[m, w]`.

    Returns:
        `T` with the entries `a_uv exp(e_uv) / Σ_w a_uw exp(e_uw)`.
    """
    counts = np.diff(rows.indptr)
    owners = np.repeat(np.arange(len(counts)), counts)
    scores = (own @ head.own)[owners] + (values[rows.indices] @ head.neighbour)
    scores = np.where(scores > 0, scores, head.slope * scores)
    largest = np.full(len(counts), -np.inf)
    np.maximum.at(largest, owners, scores)
    powers = np.exp(scores - largest[owners])
    if head.weighted:
        powers = powers * rows.data
    sums = np.bincount(owners, powers, minlength=len(counts))
    shares = powers / np.where(sums > 0, sums, 1.0)[owners]
    return sp.csr_array((shares, rows.indices, rows.indptr), shape=rows.shape)
