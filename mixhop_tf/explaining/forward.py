"""Computes the rows of every stage that an explanation needs, and remembers them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.explaining.attention import attended
from mixhop_tf.explaining.operators import RowSource
from mixhop_tf.explaining.program import FEATURES, Branch, Program, Stage
from mixhop_tf.inference.rows import Scaled

BOTH = 2  # planes of an array: all of a value, and the part of it that comes from features


class _Table:
    """An array `[n, …]` whose rows are filled when they are first needed."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.rows = np.zeros(shape)  # the system gives memory only to rows that are written
        self._done = np.zeros(shape[0], bool)

    def fill(self, nodes: np.ndarray, compute: Callable[[np.ndarray], np.ndarray]) -> None:
        missing = nodes[~self._done[nodes]]
        if len(missing):
            self.rows[missing] = compute(missing)
            self._done[missing] = True


class Forward:
    """Computes a `Program` on a graph, row by row.

    Args:
        program: The stages.
        sources: The operator, or the forward and the backward one.
        features: The scaled features.
    """

    def __init__(
        self, program: Program, sources: Sequence[RowSource], features: Scaled, num_nodes: int
    ) -> None:
        self.program, self.sources, self.features = program, sources, features
        planes = [1 if stage.sources == (FEATURES,) else BOTH for stage in program.stages]
        self._chains = {
            branch: [_Table((num_nodes, count, branch.width)) for _ in range(branch.steps + 1)]
            for stage, count in zip(program.stages, planes, strict=True)
            for branch in stage.branches
        }
        self._outputs = [_Table((num_nodes, BOTH, stage.width)) for stage in program.stages]
        self._slopes = [_Table((num_nodes, stage.width)) for stage in program.stages]
        self._last_rows: tuple[np.ndarray, Any] = np.empty(0, np.int64), None

    def output(self, i: int, nodes: np.ndarray) -> np.ndarray:
        """Returns rows of stage `i` after its activation, `[k, 2, d]`; see `BOTH`."""
        self._outputs[i].fill(nodes, lambda missing: self._computed(i, missing))
        return self._outputs[i].rows[nodes]

    def slopes(self, i: int, nodes: np.ndarray) -> np.ndarray:
        """Returns the slopes of the activation of stage `i`, `[k, d]`; see `Stage.activated`."""
        self.output(i, nodes)
        return self._slopes[i].rows[nodes]

    def chain(self, i: int, branch: Branch, step: int, nodes: np.ndarray) -> np.ndarray:
        """Returns rows of `Op^step H kernel` of a branch of stage `i`, `[k, planes, w]`."""
        self._fill_chain(i, branch, step, nodes)
        return self._chains[branch][step].rows[nodes]

    def operator(self, i: int, branch: Branch, nodes: np.ndarray, rows: sp.csr_array) -> Any:
        """Returns rows of the operator that a branch multiplies by.

        Args:
            i: Number of the stage.
            branch: The branch.
            nodes: The nodes of the rows.
            rows: The rows `[k, n]` of the model's operator, which attention changes.
        """
        if branch.head is None:
            return rows
        columns = np.unique(rows.indices)
        own = self.chain(i, branch, 0, nodes)[:, 0]
        self.chain(i, branch, 0, columns)
        return attended(rows, branch.head, own, self._chains[branch][0].rows[:, 0])

    def feature_rows(self, nodes: np.ndarray) -> Any:
        """Returns scaled features `[k, s]` in double precision, sparse or dense."""
        known, rows = self._last_rows
        if rows is None or not np.array_equal(known, nodes):
            rows = self.features.take(nodes).astype(np.float64)
            self._last_rows = nodes, rows
        return rows

    def _computed(self, i: int, nodes: np.ndarray) -> np.ndarray:
        """Computes rows of a stage, and stores their slopes."""
        stage = self.program.stages[i]
        total = np.zeros((len(nodes), BOTH, stage.width))
        for branch in stage.branches:
            total[:, :, branch.writes] += self.chain(i, branch, branch.steps, nodes)
        # All values of the first stage come from features, so it has one plane.
        part = total[:, 1] * stage.scale
        z, slope = stage.activated(total[:, 0] * stage.scale + stage.shift, part)
        self._slopes[i].fill(nodes, lambda _: slope)
        return np.stack([z, part * slope], axis=1)

    def _fill_chain(self, i: int, branch: Branch, step: int, nodes: np.ndarray) -> None:
        def compute(missing: np.ndarray) -> np.ndarray:
            if not step:
                return self._read(self.program.stages[i], branch, missing)
            rows = self.sources[branch.direction].take(missing)
            columns = np.unique(rows.indices)
            self._fill_chain(i, branch, step - 1, columns)
            rows = self.operator(i, branch, missing, rows)
            before = self._chains[branch][step - 1].rows
            product = rows @ before.reshape(len(before), -1)
            return product.reshape(len(missing), *before.shape[1:])

        self._chains[branch][step].fill(nodes, compute)

    def _read(self, stage: Stage, branch: Branch, nodes: np.ndarray) -> np.ndarray:
        """Computes `H[:, reads] kernel`."""
        if stage.sources == (FEATURES,):
            return np.asarray(self.feature_rows(nodes) @ branch.kernel)[:, None]
        parts = [self.output(source, nodes) for source in stage.sources]
        h = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=2)
        return h[:, :, branch.reads] @ branch.kernel
