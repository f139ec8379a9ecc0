"""Features in files: a dense matrix, or the three parts of a CSR matrix if most are zero."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp

from datasets.memory import check_fits
from datasets.recipes.recipe import dense_csr
from datasets.store.arrays import BLOCK, blocks, damaged, header, write_array
from datasets.store.manifest import DENSE, SPARSE, Manifest
from datasets.store.rows import check_bounds, check_indptr

DENSE_FILE = "features.npy"
SPARSE_FILES = ("features_data.npy", "features_indices.npy", "features_indptr.npy")
SHARE = 0.5  # of entries that are not zero, from which dense takes less space


def write_features(folder: Path, features: sp.csr_array) -> tuple[str, list[str]]:
    """Writes features into a store; returns their kind, and the files."""
    num_nodes, width = features.shape
    if features.nnz < SHARE * num_nodes * width:
        parts = features.data, features.indices, features.indptr
        for name, part in zip(SPARSE_FILES, parts, strict=True):
            write_array(folder / name, part)
        return SPARSE, list(SPARSE_FILES)
    dense = DenseWriter(folder, num_nodes, width)
    for start, stop in blocks(num_nodes, max(1, BLOCK // max(1, width))):
        dense.write(features[start:stop].toarray())
    return DENSE, dense.close()


class DenseWriter:
    """Writes the rows of a dense matrix one block after the other."""

    def __init__(self, folder: Path, num_nodes: int, width: int):
        self._file = open(folder / DENSE_FILE, "wb")  # noqa: SIM115 - closed in `close`
        self._file.write(header(np.dtype("<f4"), (num_nodes, width)))

    def write(self, rows: np.ndarray) -> None:
        """Appends rows."""
        self._file.write(np.ascontiguousarray(rows, "<f4").data)

    def close(self) -> list[str]:
        """Closes the file, and returns its name in a list."""
        self._file.close()
        return [DENSE_FILE]


def map_features(folder: Path, manifest: Manifest) -> np.ndarray | sp.csr_array:
    """Maps the features of a store; the indices of CSR are checked, since compiled code uses them.

    Raises:
        DataError: The files do not fit the manifest.
    """
    shape = manifest.num_nodes, manifest.num_features
    if manifest.features == DENSE:
        matrix = manifest.array(folder, DENSE_FILE)
        if matrix.shape != shape or matrix.dtype != np.float32:
            raise damaged(folder / DENSE_FILE, "does not fit the manifest")
        return matrix
    data, indices, indptr = (manifest.array(folder, name) for name in SPARSE_FILES)
    fits = data.dtype == np.float32 and data.ndim == 1 and indices.shape == data.shape
    if not fits or indices.dtype != indptr.dtype or indptr.shape != (shape[0] + 1,):
        raise damaged(folder / SPARSE_FILES[0], "does not fit the manifest")
    check_indptr(folder / SPARSE_FILES[2], indptr, len(indices))
    check_bounds(folder / SPARSE_FILES[1], indices, shape[1])
    sparse = sp.csr_array((data, indices, indptr), shape=shape, copy=False)
    sparse.has_sorted_indices = sparse.has_canonical_format = True
    return sparse


def as_csr(folder: Path, features: np.ndarray | sp.csr_array) -> sp.csr_array:
    """The features as CSR in memory, or as they are mapped if they are CSR already."""
    if sp.issparse(features):
        return features
    check_fits(f"The features of {folder} as a sparse matrix", 3 * features.nbytes)
    matrix = dense_csr(features)
    for part in (matrix.data, matrix.indices, matrix.indptr):
        part.flags.writeable = False
    return matrix


def check_features(path: Path, features: np.ndarray | sp.csr_array) -> None:
    """Refuses features that are not finite."""
    values = features.data if sp.issparse(features) else features
    for start, stop in blocks(len(values)):
        if not np.isfinite(values[start:stop]).all():
            raise damaged(path, "holds features that are not finite")
