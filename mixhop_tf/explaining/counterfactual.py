"""Finds a few edges or features without which the model would give another answer."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.errors import SettingError
from mixhop_tf.explaining.explainer import Explainer
from mixhop_tf.explaining.explanation import Explanation
from mixhop_tf.explaining.local_graph import LocalGraph, Pair
from mixhop_tf.explaining.names import KINDS, RUNNER_UP, Names
from mixhop_tf.layers import Standardize
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.sparse import sparse_tensor
from mixhop_tf.saved_model import SavedModel

_TRIED = 5  # candidates that are tried in each round


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Counterfactual:
    """A few edges or features without which the answer is another one.

    Attributes:
        node: The node.
        kind: `edges` or `features`.
        found: Whether the answer changes.
        removed: Pairs of nodes whose edges are taken away, or pairs `(node, feature)`.
        before, after: The answers with and without them.
        probability_before, probability_after: Probability of the answer `before`.
        names: Names of classes, features and nodes.
    """

    node: int
    kind: str
    found: bool
    removed: tuple[Pair, ...]
    before: int
    after: int
    probability_before: float
    probability_after: float
    names: Names

    def to_dict(self) -> dict[str, Any]:
        """Returns plain containers for JSON."""
        names = self.names
        if self.kind == "edges":
            removed: list[dict[str, Any]] = [
                {"from": u, "to": v, "from_id": names.node(u), "to_id": names.node(v)}
                for u, v in self.removed
            ]
        else:
            removed = [
                {"node": u, "id": names.node(u), "feature": f, "name": names.feature(f)}
                for u, f in self.removed
            ]
        return {
            "node": self.node,
            "id": names.node(self.node),
            "kind": self.kind,
            "found": self.found,
            "removed": removed,
            "before": self._answer(self.before, self.probability_before),
            "after": self._answer(self.after, self.probability_after),
        }

    def _answer(self, answer: int, probability: float) -> dict[str, Any]:
        name = {"index": answer, "name": self.names.classes[answer]}
        return {"answer": name, "probability": probability}


def counterfactual(
    model: GraphModel | SavedModel,
    graph: Any,
    node: int,
    kind: str = "edges",
    *,
    most: int = 10,
    features: Any = None,
) -> Counterfactual:
    """Looks for a few edges or features without which the model gives another answer.

    Each round takes the strongest contributions to the difference between the answer and the
    runner-up, tries to take each of them away, and keeps what lowers the probability of the answer
    most. At the end everything that turns out to be unnecessary is put back, and the model itself
    checks the result. Without an edge, degrees change, too. Without a feature, its row is scaled
    anew; if the model standardises features, the feature becomes the mean of the training graph.
    Batch norm keeps its statistics.

    Args:
        model: A `GraphModel` or a `SavedModel`, as for `Explainer`.
        graph: The graph, as for `Explainer`.
        node: Index of the node.
        kind: `edges` or `features`.
        most: Largest number of edges or features to take away.
        features: Features `[n, s]` in place of those of the graph.

    Returns:
        What was taken away. If nothing changes the answer, `found` is False.

    >>> from mixhop_tf import Architecture, GraphData, build_model, counterfactual
    >>> graph = GraphData(edges=[[0, 1], [1, 2]], labels=["a", "b", "a"], train=[0], val=[1])
    >>> model = build_model(Architecture.default(2), num_features=3, num_classes=2, seed=0)
    >>> counterfactual(model, graph, 0).kind
    'edges'
    """
    if kind not in KINDS:
        raise SettingError("kind", f"must be one of {', '.join(KINDS)}", kind)
    if most < 1:
        raise SettingError("most", "must be 1 or more", most)
    whole = Explainer(model, graph, features=features)
    search = _Search(whole, node, kind)
    removed = search.run(most)
    before, after = search.answer_of_model([]), search.answer_of_model(removed)
    members = search.local.members
    return Counterfactual(
        node=int(node),
        kind=kind,
        found=before[0] != after[0],
        removed=tuple(
            (int(members[u]), int(members[v]) if kind == "edges" else v) for u, v in removed
        ),
        before=before[0],
        after=after[0],
        probability_before=float(before[1][before[0]]),
        probability_after=float(after[1][before[0]]),
        names=whole.names,
    )


class _Search:
    """Takes edges or features away, one after the other.

    Args:
        whole: Explains the graph as it is.
        node: The node.
        kind: `edges` or `features`.
    """

    def __init__(self, whole: Explainer, node: int, kind: str) -> None:
        self.answer = whole.answer(node)
        self._model, self._kind = whole.model, kind
        self.local = LocalGraph.around(whole.graph, whole.features, node, whole.program.hops)
        self._means = None
        if isinstance(whole.model.scale_features, Standardize):
            self._means = whole.model.scale_features.mean.numpy()

    def run(self, most: int) -> list[Pair]:
        """Returns what was taken away; local positions."""
        removed: list[Pair] = []
        while len(removed) < most:
            explainer = self._explainer(removed)
            found = explainer.explain(self.local.node, self.answer, RUNNER_UP)
            if found.answer != self.answer:
                break
            tried = self._candidates(explainer, found, removed)
            if not tried:
                break
            shares = [self._probability([*removed, each]) for each in tried]
            removed.append(tried[int(np.argmin(shares))])
        return self._needed(removed)

    def answer_of_model(self, removed: list[Pair]) -> tuple[int, np.ndarray]:
        """Runs the Keras model, and returns its answer and the probabilities `[c]`."""
        graph = self._without(removed)
        weights = graph.edge_weights if self._model.weighted else None
        operator = self._model.operator(graph.edges, graph.num_nodes, weights)
        x = sparse_tensor(sp.csr_array(graph.features))
        logits = self._model((x, operator)).numpy()[[graph.node]]
        decision = self._model.decision
        return int(decision.answers(logits)[0]), decision.probabilities(logits)[0]

    def _needed(self, removed: list[Pair]) -> list[Pair]:
        """Puts back what is not needed for another answer."""
        if not self._changes(removed):
            return removed
        for each in list(removed):
            fewer = [other for other in removed if other != each]
            if self._changes(fewer):
                removed = fewer
        return removed

    def _changes(self, removed: list[Pair]) -> bool:
        return self._explainer(removed).answer(self.local.node) != self.answer

    def _probability(self, removed: list[Pair]) -> float:
        logits = self._explainer(removed).logits([self.local.node])
        return float(self._model.decision.probabilities(logits)[0, self.answer])

    def _without(self, removed: list[Pair]) -> LocalGraph:
        if self._kind == "edges":
            return self.local.without_edges(removed)
        return self.local.without_features(removed, self._means)

    def _explainer(self, removed: list[Pair]) -> Explainer:
        return Explainer(self._model, self._without(removed))

    def _candidates(
        self, explainer: Explainer, found: Explanation, removed: list[Pair]
    ) -> list[Pair]:
        """Returns the strongest contributions that speak for the answer."""
        totals: dict[Pair, float] = {}
        if self._kind == "edges":
            for (u, v), value in zip(found.edges.tolist(), found.edge_contributions, strict=True):
                pair = (min(u, v), max(u, v))
                totals[pair] = totals.get(pair, 0.0) + float(value)
        else:
            entries = explainer.entries(found).tocoo()
            best = np.argsort(-entries.data, kind="stable")[: _TRIED + len(removed)]
            totals = {
                (int(entries.row[i]), int(entries.col[i])): float(entries.data[i]) for i in best
            }
        order = sorted(totals, key=lambda pair: -totals[pair])
        gone = set(removed)
        return [pair for pair in order if totals[pair] > 0 and pair not in gone][:_TRIED]
