"""The explanation of one answer: arrays that add up to the logit, and their JSON form."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from mixhop_tf.explaining.names import Names
from mixhop_tf.explaining.paths import Path


@dataclasses.dataclass(frozen=True, eq=False)
class TopNode:
    """The features of a node that contributed most.

    Attributes:
        node: The node.
        features: Columns, from the strongest contribution on.
        values: Their scaled values.
        contributions: Their contributions.
    """

    node: int
    features: np.ndarray
    values: np.ndarray
    contributions: np.ndarray


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Explanation:
    """What each node, feature, power and edge contributed to a logit.

    `sum(node_contributions) + constant + rest == logit`. The sums of `by_distance`, of `by_powers`
    and of `feature_contributions` are the same as that of `node_contributions`.

    Attributes:
        node: The node that is explained.
        answer: The class that the model gives the node.
        target: The class whose logit is explained; the answer, unless another was asked for.
        contrast: The class whose logit is subtracted, or None.
        label: The known class of the node, or None.
        logit: The logit of `target`, minus that of `contrast` if there is one.
        logits: All logits, `[c]`.
        probabilities: Probabilities by the model's decision, `[c]`.
        constant: What there would be without features, from offsets alone.
        rest: What the contributions leave out; 0 unless `method` is `gradient`.
        method: `exact` if the constant is the logit of a graph without features. `fixed attention`
            if attention counts as fixed. `gradient` for the psum head of N-GCN.
        note: Says in words what a contribution is.
        nodes: The receptive field, node indices in ascending order, `[k]`.
        distances: Number of steps from the node to each of them, `[k]`.
        node_contributions: `[k]`.
        by_distance: `[d + 1]`.
        powers: Paths: the power in layer 1, layer 2 and so on. None stands for a layer that a
            jumping connection skips. If there are too many paths, those with the same number of
            hops are added up, and a path has one entry: that number.
        by_powers: Contribution of each path.
        feature_contributions: By distance and feature, `[d + 1, s]`.
        edges: Pairs `(reader, read)`, `[e, 2]`.
        edge_contributions: What each edge carried to its reader. What passes an edge twice counts
            twice.
        top: The strongest nodes with their strongest features.
        names: Names of classes, features and nodes.
    """

    node: int
    answer: int
    target: int
    contrast: int | None
    label: int | None
    logit: float
    logits: np.ndarray
    probabilities: np.ndarray
    constant: float
    rest: float
    method: str
    note: str
    nodes: np.ndarray
    distances: np.ndarray
    node_contributions: np.ndarray
    by_distance: np.ndarray
    powers: tuple[Path, ...]
    by_powers: np.ndarray
    feature_contributions: np.ndarray
    edges: np.ndarray
    edge_contributions: np.ndarray
    top: tuple[TopNode, ...]
    names: Names

    @property
    def node_id(self) -> str:
        """Id of the node as the user knows it."""
        return self.names.node(self.node)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes."""
        return self.names.classes

    @property
    def by_feature(self) -> np.ndarray:
        """Contribution of each feature, over all nodes, `[s]`."""
        return self.feature_contributions.sum(axis=0)

    @property
    def total(self) -> float:
        """Contributions, constant and rest added up; the logit, except for rounding."""
        return float(self.node_contributions.sum()) + self.constant + self.rest

    def to_dict(self, top: int = 20) -> dict[str, Any]:
        """Returns plain containers for JSON.

        Args:
            top: Largest number of nodes, features and edges. `others` has the sum of the rest.
        """
        nodes, features, edges = (
            strongest(values, top)
            for values in (self.node_contributions, self.by_feature, self.edge_contributions)
        )
        return {
            "node": self.node,
            "id": self.node_id,
            "answer": self._class(self.answer),
            "target": self._class(self.target),
            "contrast": self._class(self.contrast),
            "label": self._class(self.label),
            "logit": self.logit,
            "probability": float(self.probabilities[self.target]),
            "logits": self.logits.tolist(),
            "probabilities": self.probabilities.tolist(),
            "constant": self.constant,
            "rest": self.rest,
            "method": self.method,
            "note": self.note,
            "by_distance": self._distances(),
            "by_powers": [
                {"powers": list(path), "contribution": float(value)}
                for path, value in zip(self.powers, self.by_powers, strict=True)
            ],
            "by_node": [self._node(i) for i in nodes],
            "by_feature": [self._feature(i) for i in features],
            "edges": [self._edge(i) for i in edges],
            "others": {
                "nodes": _others(self.node_contributions, nodes),
                "features": _others(self.by_feature, features),
                "edges": _others(self.edge_contributions, edges),
            },
        }

    def _class(self, index: int | None) -> dict[str, Any] | None:
        return None if index is None else {"index": index, "name": self.class_names[index]}

    def _distances(self) -> list[dict[str, Any]]:
        counts = np.bincount(self.distances, minlength=len(self.by_distance)).tolist()
        return [
            {"distance": i, "nodes": count, "contribution": float(value)}
            for i, (count, value) in enumerate(zip(counts, self.by_distance, strict=True))
        ]

    def _node(self, i: int) -> dict[str, Any]:
        node = int(self.nodes[i])
        found = next((each for each in self.top if each.node == node), None)
        listed = (
            ()
            if found is None
            else zip(found.features.tolist(), found.values, found.contributions, strict=True)
        )
        return {
            "node": node,
            "id": self.names.node(node),
            "distance": int(self.distances[i]),
            "contribution": float(self.node_contributions[i]),
            "features": [
                {
                    "feature": feature,
                    "name": self.names.feature(feature),
                    "value": float(value),
                    "contribution": float(contribution),
                }
                for feature, value, contribution in listed
            ],
        }

    def _feature(self, i: int) -> dict[str, Any]:
        return {
            "feature": int(i),
            "name": self.names.feature(i),
            "contribution": float(self.by_feature[i]),
            "by_distance": self.feature_contributions[:, i].tolist(),
        }

    def _edge(self, i: int) -> dict[str, Any]:
        reader, read = map(int, self.edges[i])
        return {
            "from": read,
            "to": reader,
            "from_id": self.names.node(read),
            "to_id": self.names.node(reader),
            "contribution": float(self.edge_contributions[i]),
        }


def strongest(values: np.ndarray, top: int) -> list[int]:
    """Returns the positions of the largest magnitudes, without zeros; the first of equals first.

    >>> strongest(np.array([1.0, -3.0, 0.0, 3.0]), 3)
    [1, 3, 0]
    """
    order = np.argsort(-np.abs(values), kind="stable")[:top]
    return [int(i) for i in order if values[i]]


def _others(values: np.ndarray, shown: Sequence[int]) -> dict[str, Any]:
    rest = values.copy()
    rest[list(shown)] = 0.0
    return {"count": int(np.count_nonzero(rest)), "contribution": float(rest.sum())}
