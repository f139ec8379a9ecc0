"""Features of nodes that change."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.errors import SettingError
from mixhop_tf.live.rows import Changes, Entries, gather_rows
from mixhop_tf.models.servable import LARGEST


class LiveFeatures:
    """The features of all nodes, some of which change.

    Args:
        loaded: Features as they were loaded, a CSR array or a dense one `[n, s]`. A dense array may
            be mapped from a file.
    """

    def __init__(self, loaded: Any) -> None:
        self._is_sparse = hasattr(loaded, "tocsr")
        self._loaded: Any = loaded.tocsr() if self._is_sparse else loaded
        if self._is_sparse and not self._loaded.has_canonical_format:
            self._loaded = self._loaded.copy()
            self._loaded.sum_duplicates()
        self._changes = Changes(loaded.shape[0])
        self.width = int(loaded.shape[1])

    def check(self, row: Any) -> np.ndarray:
        """Checks the features of a node, float32 `[s]`.

        Raises:
            SettingError: The row has another length, or holds something else than small numbers.
        """
        rule = f"must be {self.width:,} numbers, one for each column of the model"
        try:
            values = np.asarray(row, np.float64)
        except (TypeError, ValueError, OverflowError):
            raise SettingError("features", rule) from None
        if values.shape != (self.width,):
            raise SettingError("features", f"{rule}, but have the shape {values.shape}")
        small = np.abs(values) < LARGEST  # false for NaN
        if not small.all():
            rule = f"must be finite and less than {LARGEST:g} in magnitude"
            raise SettingError("features", rule, values[~small][0].item())
        return values.astype(np.float32)

    def put(self, node: int, row: np.ndarray) -> None:
        """Replaces the features of a node by a row that `check` returned."""
        columns = np.flatnonzero(row)
        self._changes.put(node, columns, row[columns])

    def entries(self, nodes: np.ndarray) -> Entries:
        """Returns the entries of these rows in row-major order; a row is a position in `nodes`."""
        same, changed = self._changes.split(nodes)
        if self._is_sparse:
            counts, places = gather_rows(self._loaded.indptr, nodes[same])
            rows = np.repeat(same, counts)
            columns = self._loaded.indices[places].astype(np.int64)
            values = self._loaded.data[places]
        else:
            dense = np.asarray(self._loaded[nodes[same]])
            found, columns = np.nonzero(dense)
            rows, values = same[found], dense[found, columns]
        if not len(changed):
            return rows, columns, values.astype(np.float32)
        others = self._changes.entries(nodes, changed)
        rows = np.concatenate([rows, others[0]])
        order = np.argsort(rows, kind="stable")  # the columns of a row ascend already
        columns = np.concatenate([columns, others[1]])[order]
        return rows[order], columns, np.concatenate([values, others[2]])[order].astype(np.float32)

    def matrix(self, nodes: np.ndarray) -> sp.csr_array:
        """Returns the features of these nodes, `[k, s]`."""
        rows, columns, values = self.entries(nodes)
        return sp.csr_array((values, (rows, columns)), shape=(len(nodes), self.width))
