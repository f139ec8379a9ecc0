"""Propagates the features over the whole graph once, before training."""

from __future__ import annotations

import shutil
import tempfile
from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.errors import SettingError
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.ops.sparse import sparse_tensor

_CHUNK = 1 << 17  # rows that are made at once
_IN_MEMORY = 1 << 28  # bytes; larger arrays are mapped from a file


def propagated_features(
    model: MixHopModel, rows: list[Neighbors], matrix: np.ndarray | sp.csr_array
) -> list[np.ndarray]:
    """Computes `Â^j X` for the powers `j` of the first layer, with the degrees of the whole graph.

    Args:
        model: The model, which scales the features.
        rows: The rows of the graph, one for each direction that the model reads.
        matrix: The features `X [n, s]`.

    Returns:
        For each power of non-zero width an array `[n, s]`, which may be mapped from a temporary
        file.

    Raises:
        SettingError: They do not fit on the disk.
    """
    powers = model.first_layer.live_powers
    _check_room(matrix.shape, max(abs(power) for power in powers) * len(rows) + 1)
    scaled = _scaled(model, matrix)
    found = {0: scaled}
    for sign, each in zip((1, -1), rows, strict=False):
        wanted = [sign * power for power in powers if sign * power > 0]
        adjacency = _Adjacency(each, model.architecture.adjacency)
        hop = scaled
        for power in range(1, max(wanted, default=0) + 1):
            hop = adjacency.times(hop)
            found[sign * power] = hop
    return [found[power] for power in powers]


class _Adjacency:
    """Multiplies by `Â = D_r (A + I) D_c` in blocks of rows, with diagonal `D_r` and `D_c`."""

    def __init__(self, rows: Neighbors, spec: AdjacencySpec) -> None:
        self._rows, self._spec = rows, spec
        row_sums, column_sums = _sums(rows)
        if not spec.self_loops:
            row_sums, column_sums = row_sums - 1, column_sums - 1
        ones = np.ones(rows.num_nodes)
        with np.errstate(divide="ignore"):
            left, right = {
                "symmetric": (1 / np.sqrt(row_sums), 1 / np.sqrt(column_sums)),
                "row": (1 / row_sums, ones),
                "none": (ones, ones),
            }[spec.normalization]
        # A row without entries stays zero.
        self._left, self._right = (np.where(np.isfinite(d), d, 0.0) for d in (left, right))

    def times(self, x: np.ndarray) -> np.ndarray:
        """Computes `Â X`."""
        result = _empty(x.shape)
        right = self._right.astype(np.float32)
        scaled = x
        if not np.all(right == 1):
            scaled = _empty(x.shape)
            for start, stop in _chunks(len(x)):
                scaled[start:stop] = x[start:stop] * right[start:stop, None]
        for start, stop in _chunks(len(x)):
            block = self._rows.rows(start, stop) @ scaled
            if not self._spec.self_loops:
                block = block - scaled[start:stop]
            result[start:stop] = block * self._left[start:stop, None]
        return result


def _sums(rows: Neighbors) -> tuple[np.ndarray, np.ndarray]:
    """Adds up the rows and the columns of `A + I`."""
    n = rows.num_nodes
    row_sums, column_sums = np.zeros(n), np.zeros(n)
    for start, stop in _chunks(n):
        block = rows.rows(start, stop)
        row_sums[start:stop] = block.sum(axis=1, dtype=np.float64)
        column_sums += np.bincount(block.indices, block.data, n)
    return row_sums, column_sums


def _scaled(model: MixHopModel, matrix: Any) -> np.ndarray:
    """Scales the features as the model does in inference, as a dense array."""
    result = _empty(matrix.shape)
    for start, stop in _chunks(matrix.shape[0]):
        rows = matrix[start:stop]
        if sp.issparse(rows):
            scaled = model.normalize(sparse_tensor(rows))
            dense = scaled if not hasattr(scaled, "dense_shape") else _dense(scaled)
        else:
            dense = model.normalize(np.asarray(rows, np.float32))
        result[start:stop] = np.asarray(dense)
    return result


def _dense(tensor: Any) -> np.ndarray:
    rows, columns = tensor.indices.numpy().T
    shape = tuple(tensor.dense_shape.numpy())
    return sp.csr_array((tensor.values.numpy(), (rows, columns)), shape=shape).toarray()


def _chunks(count: int) -> list[tuple[int, int]]:
    return [(start, min(start + _CHUNK, count)) for start in range(0, count, _CHUNK)]


def _empty(shape: tuple[int, ...]) -> np.ndarray:
    """Makes an array, in a temporary file if it is large."""
    if 4 * shape[0] * shape[1] <= _IN_MEMORY:
        return np.empty(shape, np.float32)
    file: Any = tempfile.TemporaryFile()  # noqa: SIM115  # the map keeps it open
    return np.memmap(file, np.float32, "w+", shape=shape)


def _check_room(shape: tuple[int, ...], count: int) -> None:
    needed = 4 * shape[0] * shape[1] * (count + 1)
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if needed > _IN_MEMORY and needed > free:
        rule = (
            f"with precompute=yes need {needed / 1e9:,.1f} GB in {tempfile.gettempdir()}, where "
            f"{free / 1e9:,.1f} GB are free; leave precompute out, or set TMPDIR to another folder"
        )
        raise SettingError("batches", rule)
