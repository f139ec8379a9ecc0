"""A trained model beside the graph that it is asked about."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import datasets
import mixhop_tf
from datasets.errors import few
from trainers.runs import prediction
from trainers.sweeps.data_config import DataConfig


@dataclasses.dataclass(frozen=True, eq=False)
class Trained:
    """A model, a graph, and how the two fit.

    Attributes:
        model: The model.
        graph: The graph.
        features: The features of the graph in the columns of the model, `[n, s]`.
        same_split: Whether the graph has the split that the model was trained with.
        new: Ids of the nodes that were not in the training graph; None if this is unknown.
        notes: Sentences for the user.
    """

    model: mixhop_tf.SavedModel
    graph: datasets.Graph
    features: Any
    same_split: bool
    new: list[str] | None
    notes: tuple[str, ...]


def load(
    path: Path,
    data: DataConfig,
    data_dir: str | None = None,
    given: Mapping[str, Any] | None = None,
    *,
    allow_changed_graph: bool = False,
) -> Trained:
    """Loads a model and a graph, and matches the features of the graph to those of the model.

    Args:
        path: Folder of a run or of a SavedModel.
        data: The graph.
        data_dir: Folder with files of a named graph.
        given: Columns of tables that the user named.
        allow_changed_graph: Whether a model whose features are eigenvectors may see another graph.

    Raises:
        RunError: The model or the graph cannot be read, or they do not fit.
    """
    model = prediction.load_model(path)
    trained_on = prediction.training_data(path)
    graph, same_split = prediction.load_graph(data, data_dir, model, trained_on, given)
    if not allow_changed_graph:
        prediction.check_stand_ins(graph, model)
    features, notes = prediction.aligned_features(graph, model)
    new = prediction.new_nodes(graph, model)
    if new:
        notes.append(f"{len(new):,} of {graph.num_nodes:,} nodes are new to the model: {few(new)}")
    return Trained(model, graph, features, same_split, new, tuple(notes))
