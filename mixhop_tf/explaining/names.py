"""Names of classes, features and nodes for people."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from mixhop_tf.errors import SettingError

RUNNER_UP = "runner_up"  # stands for the most probable class that is not the target
KINDS = ("edges", "features")  # what a counterfactual takes away


@dataclasses.dataclass(frozen=True, eq=False)
class Names:
    """Names of classes, features and nodes; without names, their numbers.

    Args:
        classes: Names of the classes.
        features: Names of the feature columns, if there are any.
        nodes: Ids of the nodes, if there are any.
    """

    classes: tuple[str, ...]
    features: Sequence[str] | None = None
    nodes: Any = None

    @classmethod
    def of(cls, graph: Any, saved: Any, num_classes: int, num_features: int) -> Names:
        """Takes the names from a `SavedModel`, or from the graph, if their numbers fit."""
        classes = getattr(saved, "class_names", None) or getattr(graph, "class_names", None)
        features = getattr(saved, "feature_names", None) or getattr(graph, "feature_names", None)
        if classes is None or len(classes) != num_classes:
            classes = tuple(map(str, range(num_classes)))
        if features is not None and len(features) != num_features:
            features = None
        return cls(tuple(classes), features, getattr(graph, "node_ids", None))

    def node(self, node: int) -> str:
        """Returns the id of a node."""
        return str(node) if self.nodes is None else str(self.nodes[node])

    def feature(self, feature: int) -> str:
        """Returns the name of a feature."""
        return str(feature) if self.features is None else str(self.features[feature])

    def class_index(self, argument: str, given: int | str) -> int:
        """Finds a class by its index or its name."""
        if isinstance(given, str) and given in self.classes:
            return self.classes.index(given)
        if not isinstance(given, str) and 0 <= given < len(self.classes):
            return int(given)
        some = ", ".join(self.classes[:3])
        rule = f"must be a class from 0 to {len(self.classes) - 1}, or its name, such as {some}"
        raise SettingError(argument, rule, given)
