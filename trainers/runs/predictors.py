"""Three ways to predict: the whole graph at once, a large one in blocks, or in parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np

import datasets
import mixhop_tf
from datasets.memory import check_fits
from mixhop_tf import SettingError, limits
from mixhop_tf.training.batches.memory import whole_graph_bytes
from mixhop_tf.training.size import is_large
from trainers.runs import prediction, scoring
from trainers.runs.block_prediction import BlockPrediction
from trainers.runs.question import Question
from trainers.runs.trained import Trained
from trainers.sweeps.engine import Engine


class Predictor(Protocol):
    """Computes predictions and embeddings, and writes the predictions."""

    def answer(self) -> dict[str, np.ndarray]:
        """Logits `[n, c]`, probabilities `[n, c]` and labels `[n]` of all nodes."""
        ...

    def write(self, answer: dict[str, np.ndarray], same_split: bool) -> None:
        """Writes the predictions, with the split if it is that of the training."""
        ...

    def embeddings(self) -> np.ndarray:
        """The last hidden layer `[n, d]` of all nodes."""
        ...

    def end(self) -> None:
        """Removes intermediate results."""
        ...


class WholePrediction:
    """Predicts by the signatures of the SavedModel; see `Predictor`."""

    def __init__(
        self, graph: datasets.Graph, features: Any, model: mixhop_tf.SavedModel, out: Path
    ) -> None:
        self._graph, self._features, self._model, self._out = graph, features, model, out

    def answer(self) -> dict[str, np.ndarray]:
        """Logits, probabilities and labels of all nodes."""
        if is_large(self._graph):
            needed = whole_graph_bytes(self._graph, self._model.architecture)
            check_fits(f"{self._graph.name}: a prediction that cannot be made in blocks", needed)
        return prediction.predict(self._graph, self._features, self._model)

    def write(self, answer: dict[str, np.ndarray], same_split: bool) -> None:
        """Writes the predictions."""
        splits = scoring.split_names(self._graph, same_split)
        prediction.write(self._out, self._graph, answer, self._model.class_names, splits)

    def embeddings(self) -> np.ndarray:
        """The last hidden layer of all nodes."""
        weights = prediction.weights_for(self._graph, self._model)
        return self._model.embed(self._features, self._graph.edges, weights)

    def end(self) -> None:
        """Nothing is kept."""


def shared(
    found: Trained, question: Question, out: Path, engine: Engine, num_parts: int
) -> Predictor:
    """Chooses parts on an engine for a large graph, if the model can be computed so.

    Raises:
        SettingError: The graph is small, or the model cannot be computed in blocks.
    """
    if not BlockPrediction.suits(found.graph, found.model):
        rule = (
            f"works with graphs of at least {limits.MANY_ROWS:,} nodes, and with MixHop without "
            "attention, GCN and MLP; leave it out"
        )
        raise SettingError("engine", rule)
    from trainers.runs.shared_prediction import SharedPrediction  # it starts TensorFlow

    return SharedPrediction(found, question, out, engine, num_parts)


def predictor(
    graph: datasets.Graph, features: Any, model: mixhop_tf.SavedModel, out: Path
) -> Predictor:
    """Chooses the way: blocks for a large graph, if the model can be computed so."""
    kind = BlockPrediction if BlockPrediction.suits(graph, model) else WholePrediction
    return kind(graph, features, model, out)
