"""Predictions for a large graph, in blocks: little memory, and a killed command continues."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

import datasets
import mixhop_tf
from datasets.atomic import replacing
from datasets.checks import SPLITS
from datasets.store.progress import Progress
from mixhop_tf.training.size import is_large
from trainers.runs.prediction import inert, weights_for
from trainers.sweeps.config import graph_digest

_ROWS = 500_000  # of a file that are formatted at once
_UNITS = 1_000
_OPTIONS = csv.WriteOptions(include_header=False, quoting_style="needed")


class BlockPrediction:
    """Predicts in blocks, and keeps what is done beside the output until that is written.

    Args:
        graph: The graph.
        features: Its features in the columns of the model, `[n, s]`.
        model: The model.
        out: The file that will be written.
    """

    def __init__(
        self, graph: datasets.Graph, features: Any, model: mixhop_tf.SavedModel, out: Path
    ) -> None:
        weights_for(graph, model)  # refuses a graph without the weights that the model takes
        self._graph, self._features, self._model = graph, features, model
        self._out, self._scratch = out, out.with_name(f".{out.name}.partial")

    @staticmethod
    def suits(graph: datasets.Graph, model: mixhop_tf.SavedModel) -> bool:
        """Whether the graph is large, and the model can be computed in blocks."""
        return is_large(graph) and model.model is not None and mixhop_tf.can_block(model.model)

    def answer(self) -> dict[str, np.ndarray]:
        """Logits `[n, c]`, probabilities `[n, c]` and labels `[n]` of all nodes."""
        logits = self._computed("predicting", mixhop_tf.block_logits)
        shares = self._model.decision.probabilities(logits)
        return {
            "logits": logits,
            "probabilities": shares,
            "labels": self._model.decision.labels(shares),
        }

    def write(self, answer: dict[str, np.ndarray], same_split: bool) -> None:
        """Writes `node,label,split,p_<class>,…` as `prediction.write` does, many rows at a time."""
        path, names = self._out, self._model.class_names
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            replacing(path) as temporary,
            open(temporary, "wb") as file,
            Progress(f"writing {path.name}", self._graph.num_nodes, unit="row") as progress,
        ):
            file.write(header(names))
            for table, stop in _tables(self._graph, answer, names, same_split):
                csv.write_csv(table, file, _OPTIONS)
                progress.at(stop)

    def embeddings(self) -> np.ndarray:
        """The last hidden layer `[n, d]` of all nodes."""
        return self._computed("embedding", mixhop_tf.block_embeddings)

    def end(self) -> None:
        """Removes what was kept; called when the output has been written."""
        datasets.atomic.remove(self._scratch)

    def _computed(self, what: str, function: Any) -> np.ndarray:
        with Progress(what, _UNITS, unit="‰") as progress:
            options = mixhop_tf.BlockOptions(
                scratch=self._scratch,
                fingerprint=self._fingerprint(),
                on_progress=lambda share: progress.at(round(_UNITS * share)),
            )
            return function(self._model.model, self._graph, options, features=self._features)

    def _fingerprint(self) -> str:
        """Names the graph, the columns of its features and the weights of the model."""
        digest = hashlib.sha256(graph_digest(self._graph).encode())
        digest.update(repr(self._graph.feature_names).encode())
        for variable in self._model.model.variables if self._model.model else ():
            digest.update(np.ascontiguousarray(variable).tobytes())
        return digest.hexdigest()


def header(class_names: tuple[str, ...]) -> bytes:
    """The first line of the file."""
    names = ["node", "label", "split", *(f"p_{name}" for name in class_names)]
    return (",".join(map(_quoted, names)) + "\n").encode()


def write_rows(
    path: Path,
    graph: datasets.Graph,
    answer: dict[str, np.ndarray],
    class_names: tuple[str, ...],
    same_split: bool,
    rows: tuple[int, int],
) -> None:
    """Writes some rows of the file, without its first line; `answer` has these rows alone."""
    with replacing(path) as temporary, open(temporary, "wb") as file:
        for table, _ in _tables(graph, answer, class_names, same_split, rows):
            csv.write_csv(table, file, _OPTIONS)


def _tables(
    graph: datasets.Graph,
    answer: dict[str, np.ndarray],
    class_names: tuple[str, ...],
    same_split: bool,
    rows: tuple[int, int] | None = None,
) -> Iterator[tuple[pa.Table, int]]:
    """Yields the rows of the file in parts, each with the number of rows so far."""
    first, last = rows or (0, graph.num_nodes)
    splits = np.zeros(graph.num_nodes, np.int8)
    for number, part in enumerate(SPLITS if same_split else (), start=1):
        splits[getattr(graph, part)] = number
    names, parts = pa.array([inert(name) for name in class_names]), pa.array(["", *SPLITS])
    for start in range(first, last, _ROWS):
        stop = min(start + _ROWS, last)
        mine = slice(start - first, stop - first)
        columns = [
            _ids(graph, start, stop),
            names.take(pa.array(answer["labels"][mine])),
            parts.take(pa.array(splits[start:stop])),
            *(pa.array(column) for column in answer["probabilities"][mine].T.copy()),
        ]
        yield pa.table(columns, names=[str(i) for i in range(len(columns))]), stop


def _ids(graph: datasets.Graph, start: int, stop: int) -> pa.Array:
    if graph.node_ids is None:
        return pa.array(np.arange(start, stop)).cast(pa.string())
    return pa.array([inert(each) for each in graph.node_ids[start:stop].tolist()])


def _quoted(text: str) -> str:
    """A cell of a CSV file, in quotes if it needs them.

    >>> _quoted("plain"), _quoted('a "b", c')
    ('plain', '"a ""b"", c"')
    """
    needed = any(character in text for character in ',"\n\r')
    return '"' + text.replace('"', '""') + '"' if needed else text
