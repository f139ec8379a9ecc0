"""Explains the answers of a model on a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.errors import SettingError
from mixhop_tf.explaining.attribution import Attribution, attribute
from mixhop_tf.explaining.explanation import Explanation
from mixhop_tf.explaining.forward import Forward
from mixhop_tf.explaining.names import RUNNER_UP, Names
from mixhop_tf.explaining.notes import note
from mixhop_tf.explaining.operators import row_sources
from mixhop_tf.explaining.read_model import read_model
from mixhop_tf.inference.blocks import can_block, freeze_in_blocks
from mixhop_tf.inference.rows import Scaled
from mixhop_tf.models.freeze import freeze_statistics
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.neighbors import feature_matrix
from mixhop_tf.ops.sparse import sparse_tensor
from mixhop_tf.saved_model import SavedModel
from mixhop_tf.single_thread import single_thread
from mixhop_tf.training.graph import check_direction
from mixhop_tf.training.large import operator_of
from mixhop_tf.training.size import is_large


class Explainer:
    """Explains the answers that a model gives for the nodes of one graph.

    With frozen statistics, every feature of every node in the receptive field contributes to a
    logit along every path of powers. The logit is the sum of these contributions and a constant,
    which is the logit without any features. Between linear layers, an activation counts with the
    slope of the line from its value without features to its value with them. For relu this is the
    gradient, except in units that features switch on or off. The explainer computes in double
    precision, in the receptive field only, and remembers the hidden rows that it has computed.

    Args:
        model: A `GraphModel`, or a `SavedModel` that `load_saved_model` gave.
        graph: The graph: an object with `num_nodes`, `directed`, `edges`, `edge_weights` and
            `features`, such as `GraphData`. `class_names`, `feature_names`, `node_ids` and `labels`
            are used if they are there.
        features: Features `[n, s]` in place of those of the graph.

    Batch norm that is not frozen uses the statistics of this graph.

    Raises:
        SettingError: The graph does not fit the model.

    Example:
    >>> from mixhop_tf import Architecture, Explainer, GraphData, build_model
    >>> graph = GraphData(edges=[[0, 1], [1, 2]], labels=["a", "b", "a"], train=[0], val=[1])
    >>> model = build_model(Architecture.default(2), num_features=3, num_classes=2, seed=0)
    >>> found = Explainer(model, graph).explain(0)
    >>> found.nodes.tolist(), found.distances.tolist()
    ([0, 1, 2], [0, 1, 2])
    >>> abs(found.total - found.logit) < 1e-9
    True
    """

    def __init__(self, model: GraphModel | SavedModel, graph: Any, *, features: Any = None) -> None:
        saved = model if isinstance(model, SavedModel) else None
        keras_model = _keras_model(model)
        features = feature_matrix(graph) if features is None else features
        if features.shape != (graph.num_nodes, keras_model.num_features):
            rule = f"must have the shape [{graph.num_nodes}, {keras_model.num_features}]"
            raise SettingError("features", f"{rule}, but have the shape {list(features.shape)}")
        if keras_model.weighted and graph.edge_weights is None:
            raise SettingError("graph", "must have edge weights, which the model takes")
        check_direction(graph, keras_model.architecture)
        self.graph, self.features = graph, features
        self.model = _frozen(keras_model, graph, features)
        self.program = read_model(self.model)
        self.names = Names.of(graph, saved, keras_model.num_classes, keras_model.num_features)
        self._last: tuple[tuple[int, int, int | None], Attribution] | None = None
        self.forward = Forward(
            self.program,
            row_sources(self.model, graph),
            Scaled(features, self.model),
            graph.num_nodes,
        )

    @single_thread()
    def logits(self, nodes: Sequence[int] | np.ndarray) -> np.ndarray:
        """Computes the logits of some nodes, float64 `[k, c]`, from their receptive fields."""
        rows = self._outputs(np.array([self._checked(node) for node in nodes], np.int64))
        return rows if self.program.readout is None else self.program.readout.logits(rows)

    def answer(self, node: int) -> int:
        """Returns the class that the model gives a node."""
        return int(self.model.decision.answers(self.logits([node]))[0])

    @single_thread()
    def explain(
        self, node: int, target: int | str | None = None, contrast: int | str | None = None
    ) -> Explanation:
        """Explains the answer for one node.

        Args:
            node: Index of the node.
            target: The class to explain, by index or name; None for the model's answer.
            contrast: Explains why it is `target` and not this class: the difference of their
                logits. `runner_up` stands for the most probable other class.

        Raises:
            SettingError: There is no such node or class.
        """
        logits = self.logits([node])[0]
        decision = self.model.decision
        shares = decision.probabilities(logits[None])[0]
        answer = int(decision.answers(logits[None])[0])
        chosen = answer if target is None else self.names.class_index("target", target)
        other = self._contrast(contrast, chosen, shares)
        found = self._attribution(int(node), chosen, other)
        direction = _direction(len(logits), chosen, other)
        return Explanation(
            node=int(node),
            answer=answer,
            target=chosen,
            contrast=other,
            label=_label(self.graph, node),
            logit=float(direction @ logits),
            logits=logits,
            probabilities=shares,
            method=self.program.method,
            note=note(self.program, self.model.scaling),
            names=self.names,
            **found.fields(),
        )

    @single_thread()
    def entries(self, explanation: Explanation) -> sp.csr_array:
        """Computes the contribution of every feature of every node, sparse `[n, s]`."""
        found = self._attribution(explanation.node, explanation.target, explanation.contrast)
        return found.entries(self.graph.num_nodes)

    def _attribution(self, node: int, target: int, contrast: int | None) -> Attribution:
        asked = node, target, contrast
        if self._last is None or self._last[0] != asked:
            self._last = asked, self._attributed(*asked)
        return self._last[1]

    def _attributed(self, node: int, target: int, contrast: int | None) -> Attribution:
        outputs = self._outputs(np.array([node]))
        direction = _direction(self.model.num_classes, target, contrast)
        start, rest = direction[None], 0.0
        readout = self.program.readout
        if readout is not None:
            start = readout.gradient(outputs, direction)
            rest = float(direction @ readout.logits(outputs)[0] - (start * outputs).sum())
        return attribute(self.forward, node, start, rest)

    def _outputs(self, nodes: np.ndarray) -> np.ndarray:
        """Computes the output of the last stage, `[k, d]`."""
        return self.forward.output(len(self.program.stages) - 1, nodes)[:, 0]

    def _checked(self, node: int) -> int:
        if not 0 <= node < self.graph.num_nodes:
            raise SettingError("node", f"must be from 0 to {self.graph.num_nodes - 1}", node)
        return int(node)

    def _contrast(self, contrast: int | str | None, target: int, shares: np.ndarray) -> int | None:
        if contrast is None:
            return None
        if contrast == RUNNER_UP:
            others = shares.copy()
            others[target] = -1.0
            return int(others.argmax())
        found = self.names.class_index("contrast", contrast)
        if found == target:
            raise SettingError("contrast", "must be another class than the target", contrast)
        return found


def explain(
    model: GraphModel | SavedModel,
    graph: Any,
    node: int,
    target: int | str | None = None,
    *,
    contrast: int | str | None = None,
    features: Any = None,
) -> Explanation:
    """Explains the answer for one node; see `Explainer`, which is faster for many nodes."""
    return Explainer(model, graph, features=features).explain(node, target, contrast)


def _keras_model(model: GraphModel | SavedModel) -> GraphModel:
    if not isinstance(model, SavedModel):
        return model
    if model.model is None:
        rule = "must be exported again: an earlier version exported it without its layers"
        raise SettingError("model", rule)
    return model.model


def _frozen(model: GraphModel, graph: Any, features: Any) -> GraphModel:
    """Returns the model with the statistics of the graph in its batch norm."""
    if model.frozen or not model.norms:
        return model
    if is_large(graph) and can_block(model):
        return freeze_in_blocks(model, graph, features=features)
    return freeze_statistics(
        model, (sparse_tensor(sp.csr_array(features)), operator_of(graph, model))
    )


def _direction(num_classes: int, target: int, contrast: int | None) -> np.ndarray:
    """Makes the weights of the logits: 1 for the target, -1 for the contrast."""
    direction = np.zeros(num_classes)
    direction[target] = 1.0
    if contrast is not None:
        direction[contrast] = -1.0
    return direction


def _label(graph: Any, node: int) -> int | None:
    labels = getattr(graph, "labels", None)
    return None if labels is None or labels[node] < 0 else int(labels[node])
