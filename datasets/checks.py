"""Checks of the fields of a `Graph`.

Each check returns the field in its final form, or raises a `DataError` that says what is wrong.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse as sp
from numpy.typing import NDArray

from datasets.errors import DataError, few, short
from datasets.tables.whole_numbers import only_marks

IntArray = NDArray[np.int64]
UNKNOWN = -1
SPLITS = ("train", "val", "test")
MAX_NODES = 2**31 - 1  # so that a pair of nodes fits into an int64
MAX_NAME = 1000  # characters of a node id; a stray quote in a file produces much longer ones


def positive(name: str, what: str, value: Any) -> int:
    """Checks a number of nodes or classes, which must be at least 1."""
    number = whole_number(f"{name}: the number of {what}", value)
    if not number:
        raise DataError(f"{name}: the graph is empty: it has no {what}.")
    if number > MAX_NODES:
        raise DataError(f"{name}: the graph has more than {MAX_NODES:,} {what}; use a smaller one.")
    return number


def whole_number(what: str, value: Any) -> int:
    """Checks that a value is a whole number and not negative."""
    try:
        number = operator.index(value)
    except TypeError:
        raise DataError(f"{what} must be a whole number, but is {short(repr(value))}.") from None
    if number < 0:
        raise DataError(f"{what} must not be negative, but is {short(number)}.")
    return number


def split_name(word: Any) -> str | None:
    """Returns the split that a word names, `""` for an empty word, or None for any other word."""
    if not isinstance(word, str):
        return "" if word is None else None
    known = {"": "", "train": "train", "val": "val", "validation": "val", "test": "test"}
    return known.get(word.strip().lower())


def integers(name: str, field: str, values: Any) -> IntArray:
    """Makes a read-only int64 copy; floats are accepted only if they are whole numbers."""
    try:
        array = np.array(values)
        if array.size == 0:
            array = array.astype(np.int64)
        if array.dtype == np.int64:
            array.flags.writeable = False
            return array
        with np.errstate(invalid="ignore"):
            if array.dtype.kind not in "iuf" or not np.array_equal(array, array.astype(np.int64)):
                raise ValueError
    except (ValueError, TypeError, OverflowError):
        raise DataError(f"{name}: `{field}` must hold whole numbers only.") from None
    array = array.astype(np.int64)
    array.flags.writeable = False
    return array


def checked_features(name: str, features: Any, num_nodes: int) -> sp.csr_array:
    """Converts to float32 CSR `[n, s]` with sorted indices, finite values and no stored zeros."""
    try:
        if not sp.issparse(features):
            features = np.asarray(features)
        if features.dtype.kind not in "biuf":
            raise TypeError(f"its type is {features.dtype}")
        matrix = sp.csr_array(features, dtype=np.float32, copy=True)
        matrix.check_format(full_check=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        if max(matrix.nnz, *matrix.shape) <= np.iinfo(np.int32).max:
            matrix.indices = matrix.indices.astype(np.int32, copy=False)
            matrix.indptr = matrix.indptr.astype(np.int32, copy=False)
    except (ValueError, TypeError, IndexError) as error:
        raise DataError(f"{name}: `features` is not a matrix of numbers ({error}).") from None
    if matrix.ndim != 2 or matrix.shape[0] != num_nodes:
        raise DataError(
            f"{name}: `features` must have a row for each of the {num_nodes:,} nodes, but its "
            f"shape is {matrix.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(matrix.data))
    if len(bad):
        row = int(np.searchsorted(matrix.indptr, bad[0], side="right")) - 1
        raise DataError(
            f"{name}: feature {matrix.indices[bad[0]]} of node {row} is {matrix.data[bad[0]]}, not "
            f"a finite float32; replace or remove such values ({len(bad):,} in all)."
        )
    for part in (matrix.data, matrix.indices, matrix.indptr):
        part.flags.writeable = False
    return matrix


def checked_labels(name: str, labels: Any, num_nodes: int, num_classes: int) -> IntArray:
    """Converts to int64 `[n]`, each in `-1 … c-1`."""
    array = integers(name, "labels", labels)
    if array.shape != (num_nodes,):
        raise DataError(
            f"{name}: `labels` must have one entry for each of the {num_nodes:,} nodes, but its "
            f"shape is {array.shape}."
        )
    outside = np.flatnonzero((array < UNKNOWN) | (array >= num_classes))
    if len(outside):
        raise DataError(
            f"{name}: node {outside[0]} has label {array[outside[0]]}, but classes are numbered "
            f"from 0 to {num_classes - 1} (-1 = unknown); correct such labels ({len(outside):,} in "
            "all)."
        )
    return array


def checked_split(name: str, split: str, index: Any, labels: IntArray) -> IntArray:
    """Converts to int64 indices of labelled nodes; each node may appear once."""
    index = integers(name, split, index)
    if index.ndim != 1:
        raise DataError(
            f"{name}: `{split}` must be a list of node indices, but its shape is {index.shape}."
        )
    outside = index[(index < 0) | (index >= len(labels))]
    if len(outside):
        raise DataError(
            f"{name}: `{split}` names node {few(outside)}, but nodes are numbered from 0 to "
            f"{len(labels) - 1}."
        )
    seen = np.zeros(len(labels), bool)
    seen[index] = True
    if np.count_nonzero(seen) != len(index):
        nodes, counts = np.unique(index, return_counts=True)
        raise DataError(f"{name}: `{split}` names node {few(nodes[counts > 1])} more than once.")
    unlabelled = index[labels[index] == UNKNOWN]
    if len(unlabelled):
        raise DataError(
            f"{name}: `{split}` names node {few(unlabelled)}, whose label is unknown; label it or "
            "leave it out."
        )
    return index


def check_disjoint(name: str, splits: dict[str, IntArray]) -> None:
    """Refuses a node that is in two splits."""
    for first, second in itertools.combinations(splits, 2):
        seen = np.zeros(
            max((int(each.max(initial=0)) for each in splits.values()), default=0) + 1, bool
        )
        seen[splits[first]] = True
        shared = np.sort(splits[second][seen[splits[second]]])
        if len(shared):
            raise DataError(
                f"{name}: the splits overlap: node {few(shared)} is in both `{first}` and "
                f"`{second}`; a node may be in only one of them."
            )


def checked_class_names(name: str, class_names: Any, num_classes: int) -> tuple[str, ...]:
    """Checks that every class has a distinct name; the default names are `"0"`, `"1"`, …."""
    names = tuple(str(item) for item in class_names or ()) or tuple(map(str, range(num_classes)))
    if len(names) != num_classes or len(set(names)) != num_classes:
        raise DataError(
            f"{name}: `class_names` must be {num_classes} distinct names, but is {few(names, 10)}."
        )
    _check_names(name, "class_names", names)
    return names


def checked_name(name: Any) -> str:
    """Checks that the name of a graph is text that files and terminals can show."""
    if not isinstance(name, str) or not name.isprintable() or len(name) > MAX_NAME:
        raise DataError(
            f"A graph's name must be at most {MAX_NAME:,} characters on one line, but is "
            f"{short(repr(name))}."
        )
    return name


def checked_node_ids(name: str, node_ids: Any, num_nodes: int) -> NDArray[np.str_] | None:
    """Checks that every node has a distinct id, if ids are given."""
    if node_ids is None:
        return None
    if _are_plain(node_ids, num_nodes):
        ids = node_ids.astype(f"<U{max(map(len, node_ids.tolist()))}")
        ids.flags.writeable = False
        return ids
    texts = [str(item) for item in node_ids]
    if len(texts) != num_nodes:
        raise DataError(
            f"{name}: `node_ids` must name each of the {num_nodes:,} nodes, but names "
            f"{len(texts):,}."
        )
    _check_names(name, "node_ids", texts)
    if len(set(texts)) != num_nodes:
        distinct, counts = np.unique(np.array(texts), return_counts=True)
        raise DataError(
            f"{name}: duplicate node id {few(distinct[counts > 1])}; ids must be distinct."
        )
    ids = np.array(texts)
    ids.flags.writeable = False
    return ids


def _are_plain(node_ids: Any, num_nodes: int) -> bool:
    """Whether an array holds distinct ids of printable ASCII, which needs no look at each."""
    if not isinstance(node_ids, np.ndarray) or node_ids.dtype.kind != "U":
        return False
    if node_ids.shape != (num_nodes,) or node_ids.dtype.itemsize > 4 * MAX_NAME:
        return False
    texts = pa.array(node_ids, pa.large_string())
    return only_marks(texts) and pc.count_distinct(texts).as_py() == num_nodes


def checked_feature_names(
    name: str, feature_names: Any, num_features: int
) -> tuple[str, ...] | None:
    """Checks that every column has a distinct name, if names are given."""
    if feature_names is None:
        return None
    names = tuple(str(item) for item in feature_names)
    if len(names) != num_features or len(set(names)) != num_features:
        raise DataError(
            f"{name}: `feature_names` must be {num_features} distinct names, but is "
            f"{few(names, 10)}."
        )
    _check_names(name, "feature_names", names)
    return names


def _check_names(name: str, field: str, texts: Iterable[str]) -> None:
    for text in texts:
        if not text or text != text.strip() or not text.isprintable():
            raise DataError(
                f"{name}: {short(repr(text))} in `{field}` is not a valid name; use text without "
                "line breaks and without spaces at the ends."
            )
        if len(text) > MAX_NAME:
            raise DataError(
                f"{name}: {text[:40]!r}… in `{field}` is longer than {MAX_NAME:,} characters."
            )
