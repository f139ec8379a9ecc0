"""Explains many nodes, and adds up what decides the answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mixhop_tf.delta import opposite_signs
from mixhop_tf.explaining.backward import Backward
from mixhop_tf.explaining.explainer import Explainer
from mixhop_tf.explaining.explanation import Explanation
from mixhop_tf.explaining.field import Field
from mixhop_tf.explaining.names import RUNNER_UP
from mixhop_tf.explaining.paths import Path, has_many_paths
from mixhop_tf.explaining.program import Branch, Program
from mixhop_tf.explaining.summary import (
    ALL,
    ClassShares,
    DeltaUse,
    ModelExplanation,
    PowerShare,
)
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.saved_model import SavedModel

_MOST_NODES = 2_000
_SUBSTANTIAL = 0.1  # share of the magnitude from which a power counts


def explain_model(
    model: GraphModel | SavedModel,
    graph: Any,
    *,
    features: Any = None,
    nodes: Sequence[int] | np.ndarray | None = None,
    seed: int = 0,
    on_progress: Callable[[float], Any] = lambda _: None,
) -> ModelExplanation:
    """Says which hops, powers and features decide the answers of a model, class by class.

    It explains the difference between the logits of the answer and of the runner-up, node by node.

    Args:
        model: A `GraphModel` or a `SavedModel`, as for `Explainer`.
        graph: The graph, as for `Explainer`.
        features: Features `[n, s]` in place of those of the graph.
        nodes: The nodes to explain. By default all, or 2,000 of them drawn at random.
        seed: Seed of the draw.
        on_progress: Function that is called with the share that is done, from 0 to 1.

    >>> from mixhop_tf import Architecture, GraphData, build_model, explain_model
    >>> graph = GraphData(edges=[[0, 1], [1, 2]], labels=["a", "b", "a"], train=[0], val=[1])
    >>> model = build_model(Architecture.default(2), num_features=3, num_classes=2, seed=0)
    >>> [power.columns for power in explain_model(model, graph).layers[0]]
    [20, 20, 20]
    """
    explainer = Explainer(model, graph, features=features)
    chosen = drawn_nodes(graph.num_nodes, seed) if nodes is None else np.asarray(nodes)
    contrast = RUNNER_UP if explainer.model.num_classes > 1 else None
    totals, deltas = _Totals(explainer), _Deltas(explainer)
    for done, node in enumerate(chosen.tolist(), start=1):
        found = explainer.explain(node, contrast=contrast)
        totals.add(found)
        deltas.add(found)
        on_progress(done / len(chosen))
    return ModelExplanation(
        nodes=len(chosen),
        layers=_layers(explainer.program, totals.path_shares()),
        classes=totals.classes(),
        paths=totals.path_shares(),
        deltas=deltas.result(len(chosen)),
        names=explainer.names,
    )


def drawn_nodes(num_nodes: int, seed: int) -> np.ndarray:
    """Returns all nodes, or 2,000 drawn at random, in ascending order."""
    if num_nodes <= _MOST_NODES:
        return np.arange(num_nodes)
    drawn = np.random.default_rng(seed).choice(num_nodes, _MOST_NODES, replace=False)
    return np.sort(drawn)


class _Totals:
    """Adds up explanations."""

    def __init__(self, explainer: Explainer) -> None:
        self._names = explainer.names
        size = explainer.program.hops + 1
        rows = explainer.model.num_classes
        self._counts = np.zeros(rows, np.int64)
        self._shares, self._means = np.zeros((rows, size)), np.zeros((rows, size))
        self._constants = np.zeros(rows)
        self._features = np.zeros((rows, explainer.model.num_features))
        self._paths: dict[Path, np.ndarray] = {}

    def add(self, found: Explanation) -> None:
        row, values = found.answer, found.by_distance
        self._counts[row] += 1
        self._shares[row, : len(values)] += _shares(values)
        self._means[row, : len(values)] += values
        self._constants[row] += found.constant
        self._features[row] += found.by_feature
        shares = _shares(found.by_powers)
        for path, share, value in zip(found.powers, shares, found.by_powers, strict=True):
            self._paths.setdefault(path, np.zeros(2))
            self._paths[path] += share, value

    def classes(self) -> tuple[ClassShares, ...]:
        rows = [(ALL, np.arange(len(self._counts)))]
        rows += [
            (name, np.array([i])) for i, name in enumerate(self._names.classes) if self._counts[i]
        ]
        return tuple(self._class(name, chosen) for name, chosen in rows)

    def _class(self, name: str, rows: np.ndarray) -> ClassShares:
        count = max(1, int(self._counts[rows].sum()))
        return ClassShares(
            name=name,
            nodes=int(self._counts[rows].sum()),
            shares=self._shares[rows].sum(axis=0) / count,
            means=self._means[rows].sum(axis=0) / count,
            constant=float(self._constants[rows].sum()) / count,
            features=self._features[rows].sum(axis=0) / count,
        )

    def path_shares(self) -> dict[Path, tuple[float, float]]:
        """Returns the mean share and the mean contribution of each path."""
        count = max(1, int(self._counts.sum()))
        return {
            path: (float(share) / count, float(value) / count)
            for path, (share, value) in self._paths.items()
        }


def _shares(values: np.ndarray) -> np.ndarray:
    """Returns the share of each value in the sum of magnitudes."""
    magnitudes = np.abs(values)
    return magnitudes / max(magnitudes.sum(), np.finfo(float).tiny)


def _layers(
    program: Program, paths: dict[Path, tuple[float, float]]
) -> tuple[tuple[PowerShare, ...], ...]:
    """Counts columns, parameters and contributions of each power of each layer."""
    stages = [stage for stage in program.stages if stage.is_layer]
    known = not has_many_paths(program)
    layers = []
    for i, stage in enumerate(stages):
        powers = list(dict.fromkeys(branch.power for branch in stage.branches))
        mine = {p: [b for b in stage.branches if b.power == p] for p in powers}
        columns = {p: sum(branch.width for branch in mine[p]) for p in powers}
        sizes = {p: sum(branch.kernel.size for branch in mine[p]) for p in powers}
        layers.append(
            tuple(
                PowerShare(
                    power=power,
                    columns=columns[power],
                    column_share=columns[power] / sum(columns.values()),
                    parameters=sizes[power],
                    parameter_share=sizes[power] / sum(sizes.values()),
                    contribution_share=_through(paths, i, power) if known else None,
                )
                for power in powers
            )
        )
    return tuple(layers)


def _through(paths: dict[Path, tuple[float, float]], layer: int, power: int) -> float:
    """Adds up the shares of the paths that use a power in a layer."""
    return sum(share for path, (share, _) in paths.items() if path[layer] == power)


class _Deltas:
    """Counts nodes that are decided by differences, and what passes through delta operators."""

    def __init__(self, explainer: Explainer) -> None:
        self._explainer = explainer
        self._pairs: Counter[tuple[int, int]] = Counter()
        self._known = not has_many_paths(explainer.program)
        self._flagged: dict[Branch, np.ndarray] = {}
        stages = explainer.program.stages
        if getattr(explainer.model, "shared_first_kernel", False) and len(stages) > 1:
            self._num_powers = len(stages[0].branches)
            self._flagged = {
                branch: opposite_signs(branch.kernel, self._num_powers)
                for branch in stages[1].branches
            }
        self._used, self._passed = 0.0, 0.0

    def add(self, found: Explanation) -> None:
        if self._known and found.powers and len(found.powers[0]):
            self._count_pair(found)
        if self._flagged:
            self._measure(found)

    def _count_pair(self, found: Explanation) -> None:
        by_power: dict[int, float] = defaultdict(float)
        for path, value in zip(found.powers, found.by_powers.tolist(), strict=True):
            if path[0] is not None:
                by_power[path[0]] += value
        least = _SUBSTANTIAL * sum(map(abs, by_power.values()))
        plus, minus = (choose(by_power, key=lambda power: by_power[power]) for choose in (max, min))
        if by_power[plus] > least and -by_power[minus] > least:
            self._pairs[plus, minus] += 1

    def _measure(self, found: Explanation) -> None:
        """Adds up what passes through each feature of the first layer into the second."""
        start = np.zeros((1, self._explainer.model.num_classes))
        start[0, found.target] = 1.0
        if found.contrast is not None:
            start[0, found.contrast] = -1.0
        forward = self._explainer.forward
        root = Field(np.array([found.node]), forward.sources, [])

        def observe(i: int, branch: Branch, nodes: np.ndarray, slopes: np.ndarray) -> None:
            if i == 1:
                h = forward.output(0, nodes)[:, 1]
                passed = np.abs((h.T @ slopes) * branch.kernel)
                by_feature = passed.reshape(self._num_powers, -1, branch.width).sum(axis=0)
                self._used += float(by_feature[self._flagged[branch]].sum())
                self._passed += float(by_feature.sum())

        Backward(forward, root, start, by_path=False, observe=observe)

    def result(self, num_nodes: int) -> DeltaUse:
        count = max(1, num_nodes)
        pairs = tuple((plus, minus, n / count) for (plus, minus), n in self._pairs.most_common())
        share = sum(self._pairs.values()) / count
        if not self._flagged:
            return DeltaUse(difference_share=share, pairs=pairs)
        return DeltaUse(
            difference_share=share,
            pairs=pairs,
            count=int(sum(each.sum() for each in self._flagged.values())),
            total=sum(each.size for each in self._flagged.values()),
            used_share=self._used / self._passed if self._passed else 0.0,
        )
