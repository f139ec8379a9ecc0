"""Reads files in Planetoid's format: `ind.<name>.{allx,ally,tx,ty,graph,test.index}`."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from datasets.checks import MAX_NODES, UNKNOWN, IntArray
from datasets.edge_lists import canonical_edges
from datasets.errors import DataError
from datasets.formats.unpickle import load_pickle
from datasets.graph import Graph

PARTS = ("allx", "ally", "tx", "ty", "graph", "test.index")
NUM_VAL = 500
_MAX_DIGITS = 20


def part_names(name: str) -> tuple[str, ...]:
    """Lists the file names of a graph in Planetoid's format."""
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
    """Reads the graph in `folder/ind.<name>.*`.

    Row `i` of `allx` is node `i`; row `k` of `tx` is node `test.index[k]`. A node in neither file
    (a gap in Citeseer's test indices) has no features and no label. The first `num_train` nodes
    train, the next `num_val` validate, and those in `test.index` test.

    Args:
        folder: The folder with the files.
        name: The middle part of the file names.
        num_train: Number of training nodes.
        num_val: Number of validation nodes; there are fewer if `allx` has fewer rows.
        raw_features: Whether to keep the stored values. By default each stored non-zero becomes 1.
        class_names: Names of the classes, for `Graph`.
        node_ids: Ids of the nodes, for `Graph`.

    Returns:
        The graph.

    Raises:
        DataError: A file is missing or invalid, or the files do not fit together.
    """
    paths = dict(zip(PARTS, (folder / part for part in part_names(name)), strict=True))
    for path in paths.values():
        if not path.is_file():
            raise DataError(
                f"{path} is missing; a graph in Planetoid's format needs "
                f"{', '.join(part_names(name))}."
            )
    files = _read_files(folder, name, paths)
    num_listed, test = len(files.ally), files.test
    num_nodes = max(num_listed, int(test.max(initial=-1)) + 1)
    # A node in neither file gets the empty row at the end of the stack.
    rows = np.full(num_nodes, num_listed + len(files.ty))
    rows[:num_listed] = np.arange(num_listed)
    rows[test] = num_listed + np.arange(len(files.ty))
    empty = sp.csr_array((1, files.allx.shape[1]))
    features = sp.vstack([files.allx, files.tx, empty], format="csr")[rows]
    features.eliminate_zeros()
    if not np.isfinite(features.data).all():
        raise DataError(
            f"{folder}: ind.{name}.allx or tx has a feature that is not finite; fetch the files "
            "again."
        )
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
    """Holds the rows of a graph's files, after checking that they fit together."""

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
            f"{folder}: ind.{name}.{{allx,ally}} or {{tx,ty,test.index}} differ in the number of "
            "rows; fetch the files again."
        )
    if allx.shape[1] != tx.shape[1] or ally.shape[1] != ty.shape[1]:
        raise DataError(
            f"{folder}: ind.{name}.{{allx,tx}} or {{ally,ty}} differ in the number of columns; "
            "fetch the files again."
        )
    if len(test) and test.min() < len(ally):
        raise DataError(
            f"{paths['test.index']}: node {test.min()} is already a row of ind.{name}.allx; correct"
            " it, or fetch the files again."
        )
    # A node is either a row, or takes at least a byte in the graph file.
    most = len(ally) + len(ty) + paths["graph"].stat().st_size
    if test.max(initial=-1) >= most:
        raise DataError(
            f"{paths['test.index']}: node {test.max():,} is more than files of this size can "
            f"hold; correct it, or fetch ind.{name}.* again."
        )
    return _Files(allx, tx, ally, ty, test)


def read_folder(folder: Path, *, raw_features: bool = False) -> Graph:
    """Reads the only graph in `folder`; the rows of `ind.<name>.y` are the training nodes."""
    names = sorted(
        path.name.removeprefix("ind.").removesuffix(".graph") for path in folder.glob("ind.*.graph")
    )
    if len(names) != 1:
        raise DataError(
            f"{folder} has {len(names)} graphs in Planetoid's format; it must have exactly one."
        )
    labelled = folder / f"ind.{names[0]}.y"
    if not labelled.is_file():
        raise DataError(f"{labelled} is missing; add it: it has a row for each training node.")
    return read(folder, names[0], num_train=len(_label_rows(labelled)), raw_features=raw_features)


def adjacency_pairs(path: Path) -> IntArray:
    """Reads a pickled `{node: [neighbours]}` as int64 pairs `[k, 2]`."""
    lists = load_pickle(path)
    odd = DataError(f"{path} must hold a dictionary from each node to the list of its neighbours.")
    try:
        counts = [len(neighbours) for neighbours in lists.values()]
    except (TypeError, AttributeError):
        raise odd from None
    # Lists can be shared, so a short file can describe more edges than memory holds.
    if sum(counts) > path.stat().st_size:
        raise DataError(
            f"{path} lists more neighbours than a file of its size can hold; fetch it again."
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
        # Only these parts are used; any other attributes in the pickle are dropped.
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
            # The length is checked first: Python refuses numbers of more than 4,300 digits.
            if len(text) > _MAX_DIGITS or not text.isdecimal() or int(text) > MAX_NODES:
                raise DataError(
                    f"{path}:{number}: {text[:40]!r} is not a node index; write a whole number."
                )
            nodes.append(int(text))
    if len(set(nodes)) != len(nodes):
        raise DataError(f"{path} lists a node twice; remove one of the two lines.")
    return np.array(nodes, dtype=np.int64)
