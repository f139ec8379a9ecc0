"""Reader for files in Planetoid's form: `ind.<name>.{allx,ally,tx,ty,graph,test.index}`."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from datasets.checks import MAX_NODES, UNKNOWN, IntArray, canonical_edges
from datasets.errors import DataError
from datasets.formats.unpickle import load_pickle
from datasets.graph import Graph

PARTS = ("allx", "ally", "tx", "ty", "graph", "test.index")
NUM_VAL = 500
_MAX_DIGITS = 20


def part_names(name: str) -> tuple[str, ...]:
    """File names of a graph in Planetoid's form."""
    return tuple(f"ind.{name}.{part}" for part in PARTS)


def read(
    folder: Path,
    name: str,
    *,
    num_train: int,
    num_val: int = NUM_VAL,
    raw_features: bool = False,
    class_names: tuple[str, ...] = (),
    node_ids: Any = None,
) -> Graph:
    """The graph in `folder/ind.<name>.*`.

    Row `i` of `allx` is node `i`; row `k` of `tx` is node `test.index[k]`. A node that neither file
    holds (a hole in Citeseer's test indices) has no features and no label. The first `num_train`
    nodes train, the next `num_val` validate, those of `test.index` test.

    Args:
        folder: Where the files are.
        name: The middle part of their names.
        num_train, num_val: Sizes of the split; validation ends where `allx` ends.
        raw_features: Keep the stored values. By default every stored non-zero becomes 1.
        class_names, node_ids: Passed on to `Graph`.
    """
    paths = dict(zip(PARTS, (folder / part for part in part_names(name)), strict=True))
    for path in paths.values():
        if not path.is_file():
            raise DataError(
                f"{path} is missing; a graph in Planetoid's form needs "
                f"{', '.join(part_names(name))}."
            )
    files = _read_files(folder, name, paths)
    num_listed, test = len(files.ally), files.test
    num_nodes = max(num_listed, int(test.max(initial=-1)) + 1)
    # A hole takes the empty row that ends the stack.
    rows = np.full(num_nodes, num_listed + len(files.ty))
    rows[:num_listed] = np.arange(num_listed)
    rows[test] = num_listed + np.arange(len(files.ty))
    empty = sp.csr_array((1, files.allx.shape[1]))
    features = sp.vstack([files.allx, files.tx, empty], format="csr")[rows]
    features.eliminate_zeros()
    if not np.isfinite(features.data).all():
        raise DataError(f"{folder}: ind.{name}.allx or tx holds a feature that is not finite.")
    if not raw_features:
        features.data[:] = 1.0  # FIDELITY: the original binarises, Pubmed's TF-IDF values included.
    one_hot = np.vstack([files.ally, files.ty, np.zeros((1, files.ally.shape[1]))])[rows]
    labels = np.where(one_hot.any(axis=1), one_hot.argmax(axis=1), UNKNOWN)
    return Graph(
        name=name,
        num_nodes=num_nodes,
        num_classes=files.ally.shape[1],
        features=features,
        edges=canonical_edges(adjacency_pairs(paths["graph"]), num_nodes, name),
        labels=labels,
        train=np.arange(num_train),
        val=np.arange(num_train, min(num_train + num_val, num_listed)),
        test=np.sort(test),
        class_names=class_names,
        node_ids=node_ids,
    )


class _Files(NamedTuple):
    """The rows of a graph's files, seen to belong together."""

    allx: sp.csr_array
    tx: sp.csr_array
    ally: np.ndarray
    ty: np.ndarray
    test: IntArray


def _read_files(folder: Path, name: str, paths: Mapping[str, Path]) -> _Files:
    allx, tx = (_feature_rows(paths[part]) for part in ("allx", "tx"))
    ally, ty = (_label_rows(paths[part]) for part in ("ally", "ty"))
    test = _test_index(paths["test.index"])
    if allx.shape[0] != len(ally) or tx.shape[0] != len(ty) or len(ty) != len(test):
        raise DataError(
            f"{folder}: the rows of ind.{name}.{{allx,ally}} or {{tx,ty,test.index}} differ in "
            "number."
        )
    if allx.shape[1] != tx.shape[1] or ally.shape[1] != ty.shape[1]:
        raise DataError(f"{folder}: ind.{name}.{{allx,tx}} or {{ally,ty}} differ in their columns.")
    if len(test) and test.min() < len(ally):
        raise DataError(
            f"{paths['test.index']}: node {test.min()} is already a row of ind.{name}.allx."
        )
    # A node is a row, or a hole that the graph file may list in a byte or more.
    most = len(ally) + len(ty) + paths["graph"].stat().st_size
    if test.max(initial=-1) >= most:
        raise DataError(
            f"{paths['test.index']}: node {test.max():,} is more than files of this size can "
            f"hold; correct it, or fetch ind.{name}.* again."
        )
    return _Files(allx, tx, ally, ty, test)


def read_folder(folder: Path, *, raw_features: bool = False) -> Graph:
    """The one graph in Planetoid's form that `folder` holds, split as its `ind.<name>.y` says."""
    names = sorted(
        path.name.removeprefix("ind.").removesuffix(".graph") for path in folder.glob("ind.*.graph")
    )
    if len(names) != 1:
        raise DataError(
            f"{folder} holds {len(names)} graphs in Planetoid's form; it must hold exactly one."
        )
    labelled = folder / f"ind.{names[0]}.y"
    if not labelled.is_file():
        raise DataError(f"{labelled} is missing; its rows say how many nodes train.")
    return read(folder, names[0], num_train=len(_label_rows(labelled)), raw_features=raw_features)


def adjacency_pairs(path: Path) -> IntArray:
    """A pickled `{node: [neighbours]}` as int64 pairs `[k, 2]`."""
    lists = load_pickle(path)
    odd = DataError(f"{path} must hold a dictionary from each node to the list of its neighbours.")
    try:
        counts = [len(neighbours) for neighbours in lists.values()]
    except (TypeError, AttributeError):
        raise odd from None
    # Lists may be shared: a short file can stand for more than memory holds.
    if sum(counts) > path.stat().st_size:
        raise DataError(
            f"{path} has more neighbours than a file of its size can list; fetch it again."
        )
    try:
        sources = np.repeat(np.array([operator.index(node) for node in lists], np.int64), counts)
        targets = np.array(
            [operator.index(node) for neighbours in lists.values() for node in neighbours], np.int64
        )
    except (TypeError, ValueError, OverflowError):
        raise odd from None
    return np.stack([sources, targets], axis=1)


def _feature_rows(path: Path) -> sp.csr_array:
    matrix = load_pickle(path)
    try:
        # The parts, not the object: what a pickle put into the object's other attributes is left
        # behind.
        matrix = sp.csr_array(
            (matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape, dtype=np.float32
        )
        matrix.check_format(full_check=True)
        return matrix
    except (AttributeError, TypeError, ValueError, IndexError):
        raise DataError(f"{path} must hold a SciPy CSR matrix of features.") from None


def _label_rows(path: Path) -> np.ndarray:
    rows = load_pickle(path)
    if not (isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.dtype.kind in "iufb"):
        raise DataError(f"{path} must hold a NumPy array of one-hot labels.")
    if not np.isin(rows, (0, 1)).all() or (rows.sum(axis=1) > 1).any():
        raise DataError(f"{path} must hold one-hot labels: one 1 in a row, or none.")
    return rows


def _test_index(path: Path) -> IntArray:
    nodes: list[int] = []
    with open(path, encoding="ascii", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            text = line.strip()
            if not text:
                continue
            # The length first: Python reads no number of more than 4,300 digits.
            if len(text) > _MAX_DIGITS or not text.isdecimal() or int(text) > MAX_NODES:
                raise DataError(f"{path}:{number}: {text[:40]!r} is not a node index.")
            nodes.append(int(text))
    if len(set(nodes)) != len(nodes):
        raise DataError(f"{path} names a node twice.")
    return np.array(nodes, dtype=np.int64)
