"""Goes back from one logit to the features, along every path of powers."""

from __future__ import annotations

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from mixhop_tf.explaining.field import Field, Hop, join
from mixhop_tf.explaining.forward import Forward
from mixhop_tf.explaining.paths import Path, has_many_paths
from mixhop_tf.explaining.program import FEATURES, Branch, Stage

Observe = Callable[[int, Branch, np.ndarray, np.ndarray], Any]
Parts = dict[Path, list[tuple[Field, np.ndarray]]]


@dataclasses.dataclass(frozen=True, eq=False)
class Leaf:
    """What a branch of the first stage passes on to the features.

    Args:
        path: Powers from the first layer to the last.
        branch: The branch.
        nodes: Nodes `[k]`.
        slopes: Derivative of the logit by the columns of `X kernel`, `[k, w]`.
    """

    path: Path
    branch: Branch
    nodes: np.ndarray
    slopes: np.ndarray


class Backward:
    """Follows one logit, or a weighted sum of logits, back to the features.

    Args:
        forward: The values of all stages.
        root: A field of one node.
        start: Derivative by the output of the last stage, `[1, d]`.
        by_path: Whether paths stay apart; otherwise all are added up and edges get their flow.
        observe: Function that is called with the number of a stage, a branch, nodes, and the
            derivative by the columns of `H kernel` of these nodes.
    """

    def __init__(
        self,
        forward: Forward,
        root: Field,
        start: np.ndarray,
        *,
        by_path: bool,
        observe: Observe = lambda *_: None,
    ) -> None:
        self._forward, self._by_path, self._observe = forward, by_path, observe
        self._merges = by_path and has_many_paths(forward.program)
        self.leaves: list[Leaf] = []
        stages = forward.program.stages
        self._parts: list[Parts] = [defaultdict(list) for _ in stages]
        self._parts[-1][()].append((root, start))
        for i in range(len(stages) - 1, -1, -1):
            for path, parts in self._parts[i].items():
                self._stage(i, path, *join(parts))
            self._parts[i].clear()

    def _stage(self, i: int, path: Path, field: Field, g: np.ndarray) -> None:
        stage = self._forward.program.stages[i]
        g = g * self._forward.slopes(i, field.nodes) * stage.scale
        for branch in stage.branches:
            columns = g[:, branch.writes]
            if columns.any():
                longer = self._longer(path, branch.power) if stage.is_layer else path
                self._pass_on(i, stage, branch, longer, *self._walk(i, branch, field, columns))

    def _walk(
        self, i: int, branch: Branch, field: Field, g: np.ndarray
    ) -> tuple[Field, np.ndarray]:
        """Multiplies by the transposed operator once for each step of the power."""
        for step in range(branch.steps, 0, -1):
            hop = field.step(branch.direction)
            values = None  # those of the rows
            if branch.head is not None:
                values = self._forward.operator(i, branch, field.nodes, hop.rows).data
            if not self._by_path:
                self._add_flow(i, branch, step, hop, hop.rows.data if values is None else values, g)
            g = hop.transposed(values) @ g
            field = hop.read
        return field, g

    def _add_flow(
        self, i: int, branch: Branch, step: int, hop: Hop, values: np.ndarray, g: np.ndarray
    ) -> None:
        """Adds what each entry carries: derivative of the reader × entry × value that is read."""
        read = self._forward.chain(i, branch, step - 1, hop.read.nodes)[:, -1]
        hop.flow += values * np.einsum("ew,ew->e", g[hop.owners], read[hop.places])

    def _pass_on(
        self, i: int, stage: Stage, branch: Branch, path: Path, field: Field, g: np.ndarray
    ) -> None:
        """Hands the derivative by `H kernel` to the features, or to the stages before."""
        self._observe(i, branch, field.nodes, g)
        if stage.sources == (FEATURES,):
            self.leaves.append(Leaf(path, branch, field.nodes, g))
            return
        stages = self._forward.program.stages
        ends = list(itertools.accumulate((stages[s].width for s in stage.sources), initial=0))
        g_in = np.zeros((len(g), ends[-1]))
        g_in[:, branch.reads] = g @ branch.kernel.T
        for source, (start, stop) in zip(stage.sources, itertools.pairwise(ends), strict=True):
            skipped = sum(stages[s].is_layer for s in range(source + 1, i))
            longer = path
            for _ in range(skipped):
                longer = self._longer(longer, None)
            self._parts[source][longer].append((field, g_in[:, start:stop]))

    def _longer(self, path: Path, power: int | None) -> Path:
        if not self._by_path:
            return ()
        if self._merges:
            return ((path[0] or 0 if path else 0) + abs(power or 0),)
        return (power, *path)
