"""Which nodes of a graph say how good a model's predictions are, and what they say."""

from __future__ import annotations

import numpy as np

import datasets
import mixhop_tf
from datasets.checks import UNKNOWN
from mixhop_tf import evaluate
from mixhop_tf.training.validation import majority_class, positive_class
from trainers.runs.metrics import Scored, scored

Answer = dict[str, np.ndarray]


def nodes_to_score(
    graph: datasets.Graph, new: list[str] | None, same_split: bool
) -> tuple[np.ndarray, str, str]:
    """Chooses the nodes to score: never a training or validation node that is known as one.

    Args:
        graph: The graph, with labels of some nodes.
        new: Ids of the nodes that were not in the training graph; None if this is unknown.
        same_split: Whether the graph has the split that the model was trained with.

    Returns:
        The labelled nodes to score, what they are called, and a sentence about them, which may be
        empty.
    """
    labelled = np.flatnonzero(graph.labels != UNKNOWN)
    if same_split:
        note = "" if len(graph.test) else "The split has no test nodes, so nothing is scored."
        return graph.test, "test", note if len(labelled) else ""
    if new and graph.node_ids is not None:
        unseen = np.isin(graph.node_ids[labelled].astype(str), new)
        if unseen.any():
            note = "Only labelled nodes that are new to the model are scored."
            return labelled[unseen], "new", note
    note = (
        "The split of the training is unknown here, so all labelled nodes are scored; the model "
        "may have been trained on some of them, which flatters the scores."
    )
    return labelled, "all labelled", note if len(labelled) else ""


def score(
    graph: datasets.Graph,
    answer: Answer,
    nodes: np.ndarray,
    model: mixhop_tf.SavedModel,
    *,
    name: str = "test",
    same_split: bool = True,
) -> Scored | None:
    """Computes every metric of some nodes.

    Args:
        graph: The graph.
        answer: What the model gave for all nodes.
        nodes: The nodes to score, which have labels.
        model: The model.
        name: What the nodes are called.
        same_split: Whether the training nodes of the graph are those of the model. They decide
            which class is the most frequent, and which is looked for.

    Returns:
        The metrics; None if there are no nodes.
    """
    if not len(nodes):
        return None
    labels, shares = graph.labels[nodes], answer["probabilities"][nodes]
    found = evaluate(
        labels,
        shares,
        predicted=answer["labels"][nodes],
        class_names=graph.class_names,
        majority=majority_class(graph) if same_split else None,
        positive=positive_class(graph) if same_split else model.decision.positive,
    )
    return scored(labels, answer["logits"][nodes], shares, model.decision, found, name)


def split_names(graph: datasets.Graph, same_split: bool) -> list[str]:
    """The part of the split that each node is in: `train`, `val`, `test`, or nothing."""
    names = [""] * graph.num_nodes
    if same_split:
        for part in datasets.checks.SPLITS:
            for node in getattr(graph, part).tolist():
                names[node] = part
    return names
