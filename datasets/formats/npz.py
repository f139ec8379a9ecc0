"""Reads and writes a graph in one `.npz` file.

- `edges`: integers `[k, 2]`. Repeated edges and self-loops are cleaned up.
- `edge_weights`, optional: positive numbers `[k]`. The weights of repeated edges add up.
- `directed`, optional: whether `edges` has directions. Only a reader who asks for directions gets
  them; without this array, `edges` is then taken as it is.
- `features`, optional: numbers `[n, s]`, or instead the CSR parts `features_data`,
  `features_indices`, `features_indptr` and `features_shape`. Without them, features are computed
  from the edges (see `structural.py`).
- `labels`: `[n]`, integers (-1 = unknown) or strings (`""` = unknown, `"-1"` is a class).
- `train`, `val`, `test`, optional: node indices, or boolean masks `[n]`, or the masks of several
  splits, `[k, n]` or `[n, k]`; `seed` selects one of them.
- `class_names`, optional: strings. Integer labels are indices into it. By default the distinct
  labels are the classes.
- `node_ids`, optional: strings `[n]`. `feature_names`, optional: strings `[s]`.
- `name`, optional: a string. The default is the name of the file.

The names that other libraries use for these arrays are accepted, too (see `npz_names.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from datasets.atomic import replacing
from datasets.checks import SPLITS, UNKNOWN
from datasets.class_index import class_index, without_gaps, written_labels
from datasets.errors import DataError, short
from datasets.formats.npz_edges import DIRECTED, WEIGHTS, read_edges
from datasets.formats.npz_members import read_arrays
from datasets.formats.npz_names import CSR_PARTS, PASSED_OVER, csr_matrix, in_our_names
from datasets.graph import Graph
from datasets.paths import readable_name
from datasets.recipes.recipe import Recipe
from datasets.stand_ins import with_stand_ins
from datasets.structural import SPECTRAL

_TEXTS = ("class_names", "node_ids", "feature_names")
_NEEDED = ("edges", "labels")
_MIN_NODES, _NODES_PER_END = 100_000, 10  # limits of a graph that consists of edges alone
_KEYS = ("edges", "features", "labels", *SPLITS, WEIGHTS, DIRECTED, *_TEXTS, "name")


def read(
    path: Path,
    class_names: Sequence[str] | None = None,
    which_split: int = 0,
    stand_ins: str = SPECTRAL,
    recipe: Recipe | None = None,
    *,
    weight: str | None = None,
    directed: bool = False,
) -> Graph:
    """Reads the graph in `path`.

    Args:
        path: The file.
        class_names: The classes, if they are known; then the graph needs no labels.
        which_split: Index of the split to use if the file holds several.
        stand_ins: Features of a graph without any, `spectral` or `local`.
        recipe: The recipe of a trained model, which may say another kind.
        weight: Array with the weights of edges; by default `edge_weights`, `edge_weight` or
            `weight`, if there is one. `none` ignores weights.
        directed: Whether edges keep their direction.

    Returns:
        The graph.

    Raises:
        DataError: The file is invalid; the message names the array.
    """
    arrays = in_our_names(path, read_arrays(path, PASSED_OVER), weight)
    unknown = set(arrays) - {*_KEYS, *(f"features_{part}" for part in CSR_PARTS)}
    if unknown:
        raise DataError(
            f"{path} has an unknown key {short(min(unknown))!r}; rename it to one of "
            f"{', '.join(_KEYS)}, or remove it."
        )
    if class_names is not None and "labels" not in arrays and "edges" in arrays:
        arrays["labels"] = np.full(_num_nodes(path, arrays), UNKNOWN)
        arrays["class_names"] = np.array(class_names)
    for key in _NEEDED:
        if key not in arrays:
            raise DataError(
                f"{path} has no array {key!r} (it has {', '.join(sorted(arrays)) or 'none at all'})"
                "; add it."
            )

    texts = {key: _texts(path, key, arrays[key]) for key in _TEXTS if key in arrays}
    given_names = tuple(texts["class_names"]) if "class_names" in texts else None
    labels, classes = _labels(path, arrays["labels"], given_names)
    if not classes and class_names is not None:
        classes = tuple(class_names)
    if not classes:
        raise DataError(f"{path}: all labels are unknown; label at least one node.")
    features = _features(path, arrays)
    num_nodes = len(labels) if features is None else features.shape[0]
    ids = texts.get("node_ids")
    edges, weights = read_edges(path, arrays, num_nodes, directed=directed, node_ids=ids)
    names = tuple(texts["feature_names"]) if "feature_names" in texts else None
    lacks_features = features is None
    if lacks_features:
        features = sp.csr_array(np.empty((num_nodes, 0), np.float32))
    graph = Graph(
        name=" ".join(_texts(path, "name", arrays["name"].ravel()))
        if "name" in arrays
        else readable_name(path.stem),
        num_nodes=num_nodes,
        num_classes=len(classes),
        features=features,
        edges=edges,
        edge_weights=weights,
        directed=directed,
        labels=labels,
        class_names=classes,
        node_ids=None if ids is None else np.array(ids),
        feature_names=None if lacks_features else names,
        **{
            split: _indices(path, split, arrays.get(split), num_nodes, which_split)
            for split in SPLITS
        },
    )
    return with_stand_ins(graph, str(path), stand_ins, recipe) if lacks_features else graph


def write(graph: Graph, path: Path) -> Path:
    """Writes `graph` to `path`."""
    arrays: dict[str, Any] = {
        field: getattr(graph, field) for field in ("name", "edges", DIRECTED, "labels", *SPLITS)
    }
    if graph.edge_weights is not None:
        arrays[WEIGHTS] = graph.edge_weights
    arrays |= {f"features_{part}": getattr(graph.features, part) for part in CSR_PARTS}
    arrays["class_names"] = np.array(graph.class_names)
    if graph.node_ids is not None:
        arrays["node_ids"] = graph.node_ids
    if graph.feature_names is not None:
        arrays["feature_names"] = np.array(graph.feature_names)
    with replacing(path) as temporary:
        np.savez_compressed(temporary, allow_pickle=False, **arrays)
    return path


def _num_nodes(path: Path, arrays: dict[str, np.ndarray]) -> int:
    """Counts the nodes of a file without labels."""
    features = _features(path, arrays)
    if features is not None:
        return int(features.shape[0])
    if "node_ids" in arrays and arrays["node_ids"].ndim:
        return len(arrays["node_ids"])
    edges = arrays["edges"]
    if edges.dtype.kind not in "iuf" or not np.isfinite(edges).all():
        raise DataError(f"{path}: `edges` must hold whole numbers only.")
    count = int(edges.max()) + 1 if edges.size else 0
    # Only the largest index says how many nodes there are, and it may be wrong.
    if count > _MIN_NODES + _NODES_PER_END * edges.size:
        raise DataError(
            f"{path}: `edges` names node {count - 1:,}, but has only {len(edges):,} edges; number "
            "the nodes 0, 1, 2, …, or save `labels` or `node_ids`."
        )
    return count


def _features(path: Path, arrays: dict[str, np.ndarray]) -> Any:
    """Returns the features in the form that the file has, or None."""
    parts = [f"features_{part}" for part in CSR_PARTS]
    given = [part for part in parts if part in arrays]
    if "features" in arrays and arrays["features"].shape[1:] == (0,):
        return None  # without columns there are no features
    if "features" in arrays:
        if given:
            raise DataError(f"{path} has both 'features' and {given[0]!r}; keep one of them.")
        if arrays["features"].ndim != 2:
            raise DataError(
                f"{path}: `features` must have the shape [n, s], but it is "
                f"{arrays['features'].shape}."
            )
        return arrays["features"]
    if not given:
        return None
    return csr_matrix(path, "features", arrays)


def _labels(
    path: Path, raw: np.ndarray, class_names: tuple[str, ...] | None
) -> tuple[Any, tuple[str, ...]]:
    if raw.ndim == 2 and raw.shape[1] == 1:
        raw = raw[:, 0]
    if raw.ndim != 1:
        raise DataError(
            f"{path}: `labels` must have the shape [n], but it is {raw.shape}; if it has a column "
            "for each class, save labels.argmax(1)."
        )
    if raw.dtype.kind in "US":
        text = [value.strip() for value in _texts(path, "labels", raw)]
        if class_names is None:
            return written_labels(str(path), text)
        text = without_gaps(str(path), text, class_names)
        strange = set(text) - {"", *class_names}
        if strange:
            raise DataError(
                f"{path}: label {min(strange)!r} is not in `class_names`; add it there or change "
                "the label."
            )
        return class_index(text, class_names)
    if raw.dtype.kind not in "iuf" or not np.isfinite(raw).all() or (raw != np.floor(raw)).any():
        raise DataError(f"{path}: `labels` must be whole numbers (-1 = unknown) or strings.")
    if class_names is not None:
        return raw, class_names
    if (raw < UNKNOWN).any():
        raise DataError(f"{path}: `labels` holds {raw.min():g}; only -1 (unknown) is negative.")
    return class_index(["" if value == UNKNOWN else str(int(value)) for value in raw.tolist()])


def _texts(path: Path, key: str, array: np.ndarray) -> list[str]:
    if array.ndim != 1:
        raise DataError(
            f"{path}: `{key}` must be a list of strings, but its shape is {array.shape}."
        )
    try:
        if array.dtype.kind == "S":
            return [value.decode("utf-8") for value in array.tolist()]
        texts = [str(value) for value in array.tolist()]
        "".join(texts).encode("utf-8")  # fails on half a surrogate pair
        return texts
    except (ValueError, SystemError):  # NumPy accepts code points that Python does not
        raise DataError(f"{path}: `{key}` is not UTF-8 text; save it as strings.") from None


def _indices(path: Path, split: str, array: np.ndarray | None, num_nodes: int, which: int) -> Any:
    if array is None:
        return []
    if array.dtype.kind not in "biuf":
        raise DataError(
            f"{path}: `{split}` must be node indices or masks, but its dtype is {array.dtype}."
        )
    if array.ndim == 2:
        array = _one_of_many(path, split, array, num_nodes, which)
    elif array.shape == (num_nodes,) and num_nodes > 2 and np.isin(array, (0, 1)).all():
        array = array.astype(bool)  # n zeros and ones are a mask, not node indices
    if array.dtype == bool:
        if array.shape != (num_nodes,):
            raise DataError(
                f"{path}: the mask `{split}` must have one entry for each of the {num_nodes:,} "
                "nodes."
            )
        return np.flatnonzero(array)
    return array


def _one_of_many(
    path: Path, split: str, masks: np.ndarray, num_nodes: int, which: int
) -> np.ndarray:
    """Selects the mask of one split from those of several."""
    if num_nodes not in masks.shape or not np.isin(masks, (0, 1)).all():
        raise DataError(
            f"{path}: `{split}` must be the masks of several splits, [k, {num_nodes}], but its "
            f"shape is {list(masks.shape)}."
        )
    rows = masks if masks.shape[1] == num_nodes else masks.T
    if which >= len(rows):
        raise DataError(
            f"{path} has {len(rows)} splits, so it has no split {which}; choose a split seed from "
            f"0 to {len(rows) - 1}."
        )
    return rows[which].astype(bool)
