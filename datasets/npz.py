"""A graph in one `.npz` file.

- `edges`: integers `[k, 2]`; other directions, repeated edges and self-loops are cleaned up.
- `features`: numbers `[n, s]`; or in its place the CSR parts `features_data`, `features_indices`,
  `features_indptr` and `features_shape`.
- `labels`: `[n]`, integers (-1 = unknown) or strings (`""` = unknown).
- `train`, `val`, `test`, optional: node indices, or boolean masks `[n]`.
- `class_names`, optional: strings; integer labels then count into it. Without it the distinct
  labels are the classes.
- `node_ids`, optional: strings `[n]`.
- `name`, optional: a string; the file's name otherwise.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from datasets.atomic import replacing
from datasets.checks import SPLITS, UNKNOWN, canonical_edges
from datasets.class_index import class_index
from datasets.errors import DataError
from datasets.graph import Graph

_CSR_PARTS = ("data", "indices", "indptr", "shape")
_OPTIONAL = (*SPLITS, "class_names", "node_ids", "name")


def read(path: Path) -> Graph:
    """The graph in `path`."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files}
    except Exception as error:  # a damaged archive can raise nearly anything
        raise DataError(f"{path} is not a readable .npz of plain arrays ({error}).") from None
    unknown = set(arrays) - {
        "edges",
        "features",
        "labels",
        *_OPTIONAL,
        *(f"features_{part}" for part in _CSR_PARTS),
    }
    if unknown:
        raise DataError(
            f"{path} has an unknown key {min(unknown)!r}; see the documented keys in "
            "datasets/npz.py."
        )
    for key in ("edges", "labels"):
        if key not in arrays:
            raise DataError(
                f"{path} has no array {key!r}; it holds {', '.join(sorted(arrays)) or 'nothing'}."
            )

    features = _features(path, arrays)
    num_nodes = features.shape[0]
    labels, class_names = _labels(path, arrays["labels"], arrays.get("class_names"))
    return Graph(
        name=str(arrays["name"]) if "name" in arrays else path.stem,
        num_nodes=num_nodes,
        num_classes=len(class_names),
        features=features,
        edges=canonical_edges(arrays["edges"], num_nodes, str(path)),
        labels=labels,
        class_names=class_names,
        node_ids=arrays.get("node_ids"),
        **{split: _indices(path, split, arrays.get(split), num_nodes) for split in SPLITS},
    )


def write(graph: Graph, path: Path) -> Path:
    """Writes `graph` to `path`."""
    arrays: dict[str, Any] = {
        field: getattr(graph, field) for field in ("name", "edges", "labels", *SPLITS)
    }
    arrays |= {f"features_{part}": getattr(graph.features, part) for part in _CSR_PARTS}
    arrays["class_names"] = np.array(graph.class_names)
    if graph.node_ids is not None:
        arrays["node_ids"] = graph.node_ids
    with replacing(path) as temporary:
        np.savez_compressed(temporary, allow_pickle=False, **arrays)
    return path


def _features(path: Path, arrays: dict[str, np.ndarray]) -> Any:
    if "features" in arrays:
        if arrays["features"].ndim != 2:
            raise DataError(
                f"{path}: `features` must have the shape [n, s], but it is "
                f"{arrays['features'].shape}."
            )
        return arrays["features"]
    try:
        data, indices, indptr, shape = (arrays[f"features_{part}"] for part in _CSR_PARTS)
        return sp.csr_array((data, indices, indptr), shape=tuple(shape))
    except KeyError as missing:
        raise DataError(
            f"{path} has neither an array 'features' nor {missing} of its CSR parts."
        ) from None
    except (ValueError, TypeError) as error:
        raise DataError(
            f"{path}: the CSR parts of `features` do not fit together ({error})."
        ) from None


def _labels(
    path: Path, raw: np.ndarray, class_names: np.ndarray | None
) -> tuple[Any, tuple[str, ...]]:
    if class_names is not None and raw.dtype.kind not in "US":
        return raw, tuple(class_names.astype(str))
    if raw.dtype.kind in "iuf":
        if (raw != np.floor(raw)).any() or (raw < UNKNOWN).any():
            raise DataError(
                f"{path}: `labels` must be whole numbers from -1 (unknown) up, or strings."
            )
        text = ["" if value == UNKNOWN else str(int(value)) for value in raw.tolist()]
    else:
        text = [str(value).strip() for value in raw.astype(str).ravel().tolist()]
    labels, found = class_index(text)
    if class_names is None:
        return labels, found
    names = tuple(class_names.astype(str))
    if not set(found) <= set(names):
        raise DataError(
            f"{path}: label {min(set(found) - set(names))!r} is not among `class_names`."
        )
    return class_index(text, names)[0], names


def _indices(path: Path, split: str, array: np.ndarray | None, num_nodes: int) -> Any:
    if array is None:
        return []
    if array.dtype == bool:
        if array.shape != (num_nodes,):
            raise DataError(
                f"{path}: the mask `{split}` must have one entry for each of the {num_nodes:,} "
                "nodes."
            )
        return np.flatnonzero(array)
    return array
