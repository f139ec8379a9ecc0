"""Translates the array names of other libraries, so that their `.npz` files can be read unchanged.

- PyG's `Data` has `x`, `edge_index` (`[2, k]`), `edge_weight`, `y`, `train_mask`, `val_mask` and
  `test_mask`. Its `edge_attr`, `edge_type` and `num_nodes` are skipped.
- The heterophilous graphs of Platonov et al. (2023) have `node_features` and `node_labels`, and
  `train_masks`, `val_masks` and `test_masks` for several splits.
- The graphs of Shchur et al. (2018) have the CSR parts `adj_data`, … of the adjacency and
  `attr_data`, … of the features, or `attr_matrix`; `node_names` and `attr_names`. Their `metadata`
  is skipped, and `adj_data` holds weights only if the user names it.
"""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from datasets.checks import SPLITS
from datasets.errors import DataError
from datasets.formats.npz_edges import DIRECTED, WEIGHTS, weight_arrays

log = logging.getLogger(__name__)

CSR_PARTS = ("data", "indices", "indptr", "shape")
PASSED_OVER = ("num_nodes", "metadata")
_OURS = {
    "x": "features",
    "node_features": "features",
    "attr_matrix": "features",
    "y": "labels",
    "label": "labels",
    "node_labels": "labels",
    "node_names": "node_ids",
    "attr_names": "feature_names",
    **{f"{split}_{ending}": split for split in SPLITS for ending in ("mask", "masks")},
    **{f"attr_{part}": f"features_{part}" for part in CSR_PARTS},
}
_ADJACENCY = tuple(f"adj_{part}" for part in CSR_PARTS)
_VALUES = _ADJACENCY[0]
# Arrays that never hold the weights of edges.
_TAKEN = {
    *_OURS,
    *_OURS.values(),
    *_ADJACENCY[1:],
    *("edges", "edge_index", "class_names", "name", DIRECTED),
}


def in_our_names(
    path: Path, arrays: dict[str, np.ndarray], weight: str | None = None
) -> dict[str, np.ndarray]:
    """Renames the arrays to the names of `npz.py`; unknown keys stay unchanged.

    Args:
        path: The file.
        arrays: Its arrays.
        weight: Name of the array with the weights of edges; None for the usual names, `none` for
            no weights.
    """
    found: dict[str, np.ndarray] = {}
    said: dict[str, str] = {}

    def put(key: str, name: str, array: np.ndarray) -> None:
        if name in found:
            raise DataError(f"{path} has both {said[name]!r} and {key!r}; keep one of them.")
        found[name], said[name] = array, key

    weights, unused = weight_arrays(path, arrays, weight, _TAKEN)
    for key, array in arrays.items():
        if key == "edge_index":
            put(key, "edges", _columns(path, array))
        elif key in weights and key != _VALUES:
            put(key, WEIGHTS, array)
        elif key not in unused and key not in _ADJACENCY:
            put(key, _OURS.get(key, key), array)
    if set(_ADJACENCY) & set(arrays):
        pairs, values = _entries(path, arrays)
        put(_VALUES, "edges", pairs)
        if _VALUES in weights:
            put(_VALUES, WEIGHTS, values)
        elif (values != 1).any() and not weights:
            log.info("%s: the values of adj_data are not used as weights of edges", path)
    return found


def _columns(path: Path, array: np.ndarray) -> np.ndarray:
    """Transposes `edge_index`, which has one edge per column."""
    if array.ndim != 2 or array.shape[0] != 2:
        raise DataError(
            f"{path}: `edge_index` must have the shape [2, k], one column per edge, but it is "
            f"{list(array.shape)}."
        )
    return array.T


def _entries(path: Path, arrays: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Lists the pairs of nodes that a stored adjacency connects, and the value of each."""
    adjacency = csr_matrix(path, "adj", arrays)
    if adjacency.shape[0] != adjacency.shape[1]:
        raise DataError(f"{path}: the adjacency must be square, but it is {adjacency.shape}.")
    entries = adjacency.tocoo()
    is_edge = entries.data != 0
    return np.stack(entries.coords, axis=1)[is_edge], entries.data[is_edge]


def csr_matrix(path: Path, name: str, arrays: dict[str, np.ndarray]) -> sp.csr_array:
    """Builds a matrix from the CSR parts `<name>_data`, `<name>_indices`, …."""
    parts = [f"{name}_{part}" for part in CSR_PARTS]
    for part in parts:
        if part not in arrays:
            raise DataError(f"{path}: {part!r} is missing; save all of {', '.join(parts)}.")
    data, indices, indptr, shape = (arrays[part] for part in parts)
    if any(array.dtype.kind not in "iu" for array in (indices, indptr, shape)):
        raise DataError(f"{path}: the CSR indices of `{name}` must be whole numbers.")
    if data.dtype.kind not in "biuf":
        raise DataError(f"{path}: `{parts[0]}` must hold numbers, but its dtype is {data.dtype}.")
    try:
        matrix = sp.csr_array((data, indices, indptr), shape=tuple(shape))
        matrix.check_format(full_check=True)
    except (ValueError, TypeError) as error:
        raise DataError(
            f"{path}: the CSR parts of `{name}` do not fit together ({error})."
        ) from None
    return matrix
