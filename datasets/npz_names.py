"""The names that others give to the arrays of a graph, so that their `.npz` files are read as is.

- Of PyG's `Data`: `x`, `edge_index` (`[2, k]`), `y`, `train_mask`, `val_mask`, `test_mask`.
- Of the heterophilous graphs of Platonov et al. (2023): `node_features`, `node_labels`, and of
  several splits `train_masks`, `val_masks`, `test_masks`.
- Of the graphs of Shchur et al. (2018): CSR parts `adj_data`, … of the adjacency and `attr_data`, …
  of the features, `node_names`, `attr_names`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp

from datasets.checks import SPLITS
from datasets.errors import DataError

CSR_PARTS = ("data", "indices", "indptr", "shape")
_OURS = {
    "x": "features",
    "node_features": "features",
    "y": "labels",
    "label": "labels",
    "node_labels": "labels",
    "node_names": "node_ids",
    "attr_names": "feature_names",
    **{f"{split}_{ending}": split for split in SPLITS for ending in ("mask", "masks")},
    **{f"attr_{part}": f"features_{part}" for part in CSR_PARTS},
}
_ADJACENCY = tuple(f"adj_{part}" for part in CSR_PARTS)


def in_our_names(path: Path, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays under the names of `npz.py`; keys that nobody knows stay as they are."""
    found: dict[str, np.ndarray] = {}
    said: dict[str, str] = {}

    def put(key: str, name: str, array: np.ndarray) -> None:
        if name in found:
            raise DataError(f"{path} has both {said[name]!r} and {key!r}; keep one of them.")
        found[name], said[name] = array, key

    for key, array in arrays.items():
        if key == "edge_index":
            put(key, "edges", _columns(path, array))
        elif key not in _ADJACENCY:
            put(key, _OURS.get(key, key), array)
    if set(_ADJACENCY) & set(arrays):
        put(_ADJACENCY[0], "edges", _entries(path, arrays))
    return found


def _columns(path: Path, array: np.ndarray) -> np.ndarray:
    """`edge_index` has an edge a column."""
    if array.ndim != 2 or array.shape[0] != 2:
        raise DataError(
            f"{path}: `edge_index` must have the shape [2, k], one column an edge, but it is "
            f"{list(array.shape)}."
        )
    return array.T


def _entries(path: Path, arrays: dict[str, np.ndarray]) -> np.ndarray:
    """The pairs of nodes that a stored adjacency joins."""
    try:
        data, indices, indptr, shape = (arrays[key] for key in _ADJACENCY)
        adjacency = sp.csr_array((data, indices, indptr), shape=tuple(shape))
        adjacency.check_format(full_check=True)
    except (ValueError, TypeError, LookupError) as error:
        raise DataError(
            f"{path}: {', '.join(_ADJACENCY)} make no adjacency ({error}); save `edges` [k, 2] "
            "instead."
        ) from None
    return np.stack(adjacency.nonzero(), axis=1)
