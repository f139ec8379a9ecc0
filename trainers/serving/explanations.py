"""Explains the answer for a node of a graph that changes."""

from __future__ import annotations

from typing import Any

from mixhop_tf import Explainer
from trainers.serving.served_graph import ServedGraph


class Explanations:
    """Explains answers from the part of the graph that they depend on.

    Args:
        served: The graph and its model.
    """

    def __init__(self, served: ServedGraph) -> None:
        self._served = served

    def explain(self, name: str, top: int) -> dict[str, Any]:
        """Explains the answer for a node.

        Args:
            name: Id of the node.
            top: Largest number of nodes, features and edges to list.

        Returns:
            What `Explanation.to_dict` gives. Nodes have their ids; the numbers are those of the
            part of the graph.
        """
        part = self._served.around(name)
        explainer = Explainer(self._served.model, part)
        return explainer.explain(part.position).to_dict(top=top)
