"""Makes the features of a mapped table of nodes, block by block."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from datasets.recipes.recipe import Recipe
from datasets.store.arrays import BLOCK, blocks
from datasets.store.features import DENSE_FILE, SHARE, SPARSE_FILES
from datasets.store.manifest import DENSE, SPARSE
from datasets.store.progress import Progress
from datasets.store.spool import Spool
from datasets.tables.table import Table

_INT32 = np.iinfo(np.int32).max


def write_parts(out: Spool, recipe: Recipe, table: Table) -> tuple[str, list[Any]]:
    """Writes the features.

    Args:
        out: Gets the files.
        recipe: How features are made.
        table: The table of nodes.

    Returns:
        The kind of the features, and name, type and shape of each file.

    Raises:
        DataError: A cell is no number; the message names the line.
    """
    width = len(recipe.feature_names)
    shape = table.num_rows, width
    counts = [_counts(part) for part in _parts(recipe, table, "counting features")]
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(counts))])
    size = int(indptr[-1])
    if size >= SHARE * shape[0] * width:
        for part in _parts(recipe, table, "writing features"):
            dense = part.toarray() if sp.issparse(part) else part
            out.append(DENSE_FILE, dense.astype("<f4", copy=False) + np.float32(0))  # no -0.0
        return DENSE, [[DENSE_FILE, "<f4", shape]]
    kind = "<i4" if max(size, width) <= _INT32 else "<i8"
    data, indices, ends = SPARSE_FILES
    for part in _parts(recipe, table, "writing features"):
        matrix = sp.csr_array(part)
        matrix.eliminate_zeros()
        matrix.sort_indices()
        out.append(data, matrix.data.astype("<f4", copy=False))
        out.append(indices, matrix.indices.astype(kind, copy=False))
    out.append(ends, indptr.astype(kind))
    files = [[data, "<f4", (size,)], [indices, kind, (size,)], [ends, kind, (len(indptr),)]]
    return SPARSE, files


def _parts(recipe: Recipe, table: Table, what: str) -> Iterator[np.ndarray | sp.csr_array]:
    faults = table.faults()
    at_once = max(1, BLOCK // max(1, len(recipe.feature_names)))
    with Progress(what, table.num_rows, unit="row") as progress:
        for start, stop in blocks(table.num_rows, at_once):
            columns = {
                name: each.slice(start, stop - start) for name, each in table.columns.items()
            }
            part = dataclasses.replace(table, columns=columns, num_rows=stop - start)
            found = part.faults()
            yield recipe.matrix(part, found)
            if found:
                recipe.features(table, faults)  # the whole table knows the lines
                faults.check()
            progress.at(stop)


def _counts(part: np.ndarray | sp.csr_array) -> np.ndarray:
    if sp.issparse(part):
        matrix = part.copy()
        matrix.eliminate_zeros()
        return np.diff(matrix.indptr)
    return np.count_nonzero(part, axis=1)
