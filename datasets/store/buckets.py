"""Sorts edges into the rows of `A + I` on disk: first into buckets of rows, then bucket by bucket.

An entry of row `i` and column `j` is the key `(i - first row of the bucket) << 32 | j`. All entries
of a bucket fit into memory, so that sorting its keys gives its rows.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from datasets.checks import IntArray
from datasets.edge_lists import checked_weights
from datasets.store.arrays import BLOCK, blocks, finish, write_array
from datasets.store.spool import Spool

ENTRIES = 2**23  # about how many entries a bucket should get
_MOST = 250  # buckets, since each is an open file
_SMALL = np.iinfo(np.int32).max
_COLUMN = np.int64(2**32 - 1)
_WEIGHTED = np.dtype([("key", "<i8"), ("weight", "<f8")])


@dataclasses.dataclass(frozen=True)
class Plan:
    """How rows are divided into buckets.

    Args:
        num_nodes: Number of nodes `n`.
        rows: Rows of a bucket; the last may have fewer.
        weighted: Whether entries have weights.
    """

    num_nodes: int
    rows: int
    weighted: bool

    @classmethod
    def of(cls, num_nodes: int, entries: int, weighted: bool) -> Plan:
        """Divides `n` rows that have about so many entries."""
        count = min(max(1, -(-(entries + num_nodes) // ENTRIES)), _MOST, num_nodes)
        return cls(num_nodes, -(-num_nodes // count), weighted)

    @property
    def count(self) -> int:
        """Number of buckets."""
        return -(-self.num_nodes // self.rows)


def add_edges(
    spool: Spool, plan: Plan, edges: IntArray, weights: np.ndarray | None, directed: bool
) -> None:
    """Puts edges into buckets; self-loops are dropped.

    Undirected edges go into the rows of both ends, directed ones into the rows of `out-*` and,
    the other way round, of `in-*`.

    Args:
        spool: Where the buckets are.
        plan: How rows are divided.
        edges: Pairs of nodes, integers `[k, 2]`.
        weights: float64 `[k]`, or None.
        directed: Whether directions count.
    """
    for start, stop in blocks(len(edges), BLOCK // 2):
        first, second = edges[start:stop, 0], edges[start:stop, 1]
        values = None if weights is None else weights[start:stop]
        kept = first != second
        if not kept.all():
            first, second = first[kept], second[kept]
            values = None if values is None else values[kept]
        if directed:
            _put(spool, plan, "out", first, second, values)
            _put(spool, plan, "in", second, first, values)
        else:
            # The entries of a pair stay in the order of the input, whichever way each was written.
            # So the sum of their weights has the same bits in both rows, and in `merged_edges`.
            low, high = np.minimum(first, second), np.maximum(first, second)
            _put(spool, plan, "out", low, high, values)
            _put(spool, plan, "out", high, low, values)


def _put(
    spool: Spool,
    plan: Plan,
    side: str,
    rows: IntArray,
    columns: IntArray,
    weights: np.ndarray | None,
) -> None:
    bucket = (rows // plan.rows).astype(np.uint8)
    keys = ((rows - bucket.astype(np.int64) * plan.rows) << 32) | columns
    if weights is None:
        entries: Any = keys
    else:
        entries = np.empty(len(keys), _WEIGHTED)
        entries["key"], entries["weight"] = keys, weights
    order = np.argsort(bucket, kind="stable")
    ends = np.cumsum(np.bincount(bucket, minlength=plan.count))
    entries = entries[order]
    for place, part in enumerate(np.split(entries, ends[:-1])):
        if len(part):
            spool.append(f"{side}-{place:03d}", part)


class RowWriter:
    """Writes the rows of one side, bucket by bucket.

    Args:
        folder: Where the buckets are.
        out: Spool of the files `<prefix>indices.npy`, `counts` and `weights.npy`.
        plan: How rows are divided.
        prefix: Start of the names of the files.
        where: Name of the graph in messages.
    """

    def __init__(self, folder: Path, out: Spool, plan: Plan, prefix: str, where: str):
        self._folder, self._out, self._plan = folder, out, plan
        self._where, self._side = where, "in" if prefix else "out"
        self._indices, self._weights = f"{prefix}indices.npy", f"{prefix}weights.npy"
        self._counts = f"{prefix}counts"
        self._kind = index_type(plan.num_nodes)

    def write(self, bucket: int) -> None:
        """Sorts a bucket and appends its rows."""
        plan = self._plan
        path = self._folder / f"{self._side}-{bucket:03d}"
        kind = _WEIGHTED if plan.weighted else np.dtype("<i8")
        entries = np.fromfile(path, kind) if path.is_file() else np.empty(0, kind)
        first = bucket * plan.rows
        num_rows = min(plan.rows, plan.num_nodes - first)
        own = (np.arange(num_rows) << 32) | np.arange(first, first + num_rows)
        if plan.weighted:
            keys, weights = _merged(entries, own, first, self._where)
            self._out.append(self._weights, weights)
        else:
            keys = np.concatenate([entries, own])
            del entries
            keys.sort()
            keys = keys[np.diff(keys, prepend=-1) != 0]
        self._out.append(self._indices, (keys & _COLUMN).astype(self._kind))
        ends = np.searchsorted(keys, np.arange(1, num_rows + 1) << 32)
        self._out.append(self._counts, np.diff(ends, prepend=0).astype("<i8"))

    def finish(self, target: Path, prefix: str) -> tuple[int, list[str]]:
        """Completes the files of the side; returns the number of entries and the names."""
        counts = np.fromfile(target / self._counts, "<i8")
        indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        write_array(target / f"{prefix}indptr.npy", indptr)
        size = int(indptr[-1])
        finish(target / self._indices, self._kind, (size,))
        names = [f"{prefix}indptr.npy", self._indices]
        if self._plan.weighted:
            finish(target / self._weights, "<f4", (size,))
            names.append(self._weights)
        return size, names


def _merged(
    entries: np.ndarray, own: IntArray, first: int, where: str
) -> tuple[IntArray, np.ndarray]:
    """Adds up the weights of equal keys, and adds the self-loops."""
    order = np.argsort(entries["key"], kind="stable")
    keys, values = entries["key"][order], entries["weight"][order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1) != 0)
    keys = keys[starts]
    sums = np.add.reduceat(values, starts) if len(starts) else values
    pairs = np.stack([(keys >> 32) + first, keys & _COLUMN], axis=1)
    sums = checked_weights(where, sums, pairs)  # each weight is valid, but a sum may not be
    keys, sums = np.concatenate([keys, own]), np.concatenate([sums, np.ones(len(own))])
    order = np.argsort(keys)
    return keys[order], sums[order].astype("<f4")


def index_type(num_nodes: int) -> np.dtype:
    """The type of indices: int32 where it suffices."""
    return np.dtype("<i4" if num_nodes <= _SMALL else "<i8")
