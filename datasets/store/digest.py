"""Fingerprints of a stored graph, computed in blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np
import scipy.sparse as sp

from datasets.checks import IntArray
from datasets.store.arrays import BLOCK, blocks
from datasets.store.rows import Rows

Features = np.ndarray | sp.csr_array
_LENGTH = 16  # hexadecimal digits


def split_digest(labels: IntArray, splits: Sequence[IntArray], num_classes: int) -> str:
    """Fingerprint of labels, splits and the number of classes, which `Graph.replaced` changes."""
    digest = hashlib.sha256(f"{num_classes}".encode())
    for array in (labels, *splits):
        digest.update(f"{array.shape}".encode())
        digest.update(np.ascontiguousarray(array, "<i8").data)
    return digest.hexdigest()


def graph_digest(
    features: Features,
    rows: Rows,
    directed: bool,
    labels: IntArray,
    splits: Sequence[IntArray],
    num_classes: int,
) -> str:
    """Fingerprint of the whole graph, as `trainers.sweeps.config.graph_digest` computes it.

    It hashes the same bytes: those of the CSR parts of the features, the edges, labels, splits and
    weights. They are made in blocks, so that the graph need not fit into memory.
    """
    digest = hashlib.sha256()
    counts = np.concatenate([np.zeros(1, np.int64), *_counts(features)])
    indptr = np.cumsum(counts)
    _add(digest, indptr.shape, [indptr])
    _add(digest, (int(indptr[-1]),), _indices(features))
    loops = len(rows.indptr) - 1
    num_edges = (len(rows.indices) - loops) // (1 if directed else 2)
    _add(digest, (num_edges, 2), (edges for edges, _ in rows.edges(directed)))
    for array in (labels, *splits):
        _add(digest, array.shape, [array])
    shape = tuple(int(each) for each in features.shape)
    digest.update(f"{shape} {num_classes}".encode())
    for values in _values(features):
        digest.update(np.ascontiguousarray(values, "<f4").data)
    if directed:
        digest.update(b"directed")
    if rows.weights is not None:
        digest.update(b"weights")
        for _, weights in rows.edges(directed):
            digest.update(np.ascontiguousarray(weights, "<f4").data)
    return digest.hexdigest()[:_LENGTH]


def _add(digest: hashlib._Hash, shape: tuple[int, ...], parts: Iterator | Sequence) -> None:
    digest.update(f"{shape}".encode())
    for part in parts:
        digest.update(np.ascontiguousarray(part, "<i8").data)


def _dense(features: np.ndarray) -> Iterator[np.ndarray]:
    at_once = max(1, BLOCK // max(1, features.shape[1]))
    for start, stop in blocks(len(features), at_once):
        yield features[start:stop]


def _counts(features: Features) -> Iterator[np.ndarray]:
    if sp.issparse(features):
        yield np.diff(features.indptr).astype(np.int64)
    else:
        yield from (np.count_nonzero(part, axis=1) for part in _dense(features))


def _indices(features: Features) -> Iterator[np.ndarray]:
    if sp.issparse(features):
        for start, stop in blocks(len(features.indices)):
            yield features.indices[start:stop]
    else:
        yield from (np.nonzero(part)[1] for part in _dense(features))


def _values(features: Features) -> Iterator[np.ndarray]:
    if sp.issparse(features):
        for start, stop in blocks(len(features.data)):
            yield features.data[start:stop]
    else:
        yield from (part[part != 0] for part in _dense(features))
