"""The rows of `A + I` of a stored graph, and the edges in them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from datasets.checks import IntArray
from datasets.store.arrays import blocks, damaged, row_blocks
from datasets.store.manifest import Manifest

OUT, IN = "", "in_"  # prefixes of files: rows of targets, or rows of sources


@dataclasses.dataclass(frozen=True, eq=False)
class Rows:
    """Holds the rows of `A + I`, mapped from files.

    Row `i` has the columns `indices[indptr[i] : indptr[i + 1]]`, in ascending order, with `i`
    itself, whose weight is 1.

    Args:
        indptr: int64 `[n + 1]`.
        indices: int32 or int64 `[k]`.
        weights: float32 `[k]`; None if all are one.
    """

    indptr: np.ndarray
    indices: np.ndarray
    weights: np.ndarray | None

    @classmethod
    def read(cls, folder: Path, manifest: Manifest, prefix: str = OUT) -> Rows:
        """Maps the files; `indptr` is checked, `indices` are not (see `check_bounds`)."""
        indptr = manifest.array(folder, f"{prefix}indptr.npy")
        indices = manifest.array(folder, f"{prefix}indices.npy")
        weights = None
        if manifest.weighted:
            weights = manifest.array(folder, f"{prefix}weights.npy")
        path = folder / f"{prefix}indptr.npy"
        if indptr.dtype != np.int64 or indptr.shape != (manifest.num_nodes + 1,):
            raise damaged(path, "has another shape than the manifest says")
        check_indptr(path, indptr, len(indices))
        sides = 1 if manifest.directed else 2
        if len(indices) != manifest.num_nodes + sides * manifest.num_edges:
            raise damaged(folder / f"{prefix}indices.npy", "has the wrong number of entries")
        fits = indices.ndim == 1 and indices.dtype.kind == "i"
        if weights is not None:
            fits = fits and weights.shape == indices.shape and weights.dtype == np.float32
        if not fits:
            raise damaged(folder / f"{prefix}indices.npy", "does not fit the manifest")
        return cls(indptr, indices, weights)

    def edges(self, directed: bool) -> Iterator[tuple[IntArray, np.ndarray | None]]:
        """Yields edges int64 `[k, 2]` and their weights in blocks, in the order of `Graph.edges`.

        Each undirected edge comes once, from its smaller node to its larger one.
        """
        for start, stop in row_blocks(self.indptr):
            first, last = int(self.indptr[start]), int(self.indptr[stop])
            columns = np.asarray(self.indices[first:last])
            counts = np.diff(self.indptr[start : stop + 1])
            rows = np.repeat(np.arange(start, stop), counts)
            kept = rows != columns if directed else rows < columns
            weights = None if self.weights is None else self.weights[first:last][kept]
            yield np.stack([rows[kept], columns[kept]], axis=1).astype(np.int64), weights


def check_indptr(path: Path, indptr: np.ndarray, entries: int) -> None:
    """Refuses row pointers that fall, or that lead outside the entries."""
    ok = len(indptr) and indptr[0] == 0 and indptr[-1] == entries
    for start, stop in blocks(len(indptr) - 1 if ok else 0):
        ok = ok and bool((np.diff(indptr[start : stop + 1]) >= 0).all())
    if not ok:
        raise damaged(path, "does not divide the entries into rows")


def check_bounds(path: Path, indices: np.ndarray, limit: int) -> None:
    """Refuses indices outside `0 … limit-1`, which compiled code would follow out of the arrays."""
    for start, stop in blocks(len(indices)):
        part = indices[start:stop]
        if part.min() < 0 or part.max() >= limit:
            raise damaged(path, f"holds an index outside 0 … {limit - 1}")


def check_rows(path: Path, rows: Rows) -> None:
    """Refuses rows that are not in ascending order, lack their own node, or have bad weights."""
    for start, stop in row_blocks(rows.indptr):
        first, last = int(rows.indptr[start]), int(rows.indptr[stop])
        columns = rows.indices[first:last].astype(np.int64)
        counts = np.diff(rows.indptr[start : stop + 1])
        own = np.repeat(np.arange(start, stop), counts)
        falls = np.flatnonzero(np.diff(columns) <= 0) + 1
        is_start = np.isin(falls, rows.indptr[start : stop + 1] - first)
        weights = None if rows.weights is None else rows.weights[first:last]
        if not is_start.all() or np.count_nonzero(own == columns) != stop - start:
            raise damaged(path, "has rows that are not in order")
        if weights is not None and not (
            (weights > 0).all()
            and np.isfinite(weights).all()
            and (weights[own == columns] == 1).all()
        ):
            raise damaged(path, "has weights that are not positive")
