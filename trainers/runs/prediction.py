"""What a served model says of a graph: its features in the model's order, and how right it is."""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import datasets
import mixhop_tf
from datasets.atomic import replacing
from datasets.checks import UNKNOWN
from datasets.errors import few
from datasets.memory import check_fits
from mixhop_tf import SettingError
from trainers.runs.run_folder import CONFIG
from trainers.sweeps.config import graph_digest
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError
from trainers.sweeps.record_fields import is_data

_DENSE_FROM = 1 / 3  # of the entries; fewer are sent as they are stored
_ROWS_AT_ONCE = 20_000


def load_model(path: Path) -> mixhop_tf.SavedModel:
    """The SavedModel in a run's folder, or in the folder itself."""
    for folder in (path / "saved_model", path / "best" / "saved_model", path):
        if (folder / "saved_model.pb").is_file():
            try:
                return mixhop_tf.load_saved_model(folder)
            except ValueError as error:
                raise RunError(str(error)) from None
    raise RunError(
        f"{path} holds no SavedModel; name the folder of a run, or the saved_model folder in it."
    )


def training_data(path: Path) -> tuple[DataConfig, str] | None:
    """What the model in a run's folder was trained on, and its fingerprint; None of a bare
    SavedModel.
    """
    for folder in (path, path.parent):  # of a run, or of the SavedModel in it
        try:
            content = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
            if is_data(content["data"]) and isinstance(content["digest"], str):
                return DataConfig(**content["data"]), content["digest"]
        except (OSError, ValueError, LookupError, TypeError, RecursionError, RunError):
            continue
    return None


def load_graph(
    data: DataConfig,
    data_dir: str | None,
    model: mixhop_tf.SavedModel,
    trained_on: tuple[DataConfig, str] | None,
) -> tuple[datasets.Graph, bool]:
    """The graph, and whether its split is the one that the model was trained with.

    It is when the graph is the one of the training, or when both have the split that comes with it.
    """
    if trained_on is None:
        return data.load_for(model.class_names, data_dir)[0], False
    data = dataclasses.replace(trained_on[0], dataset=data.dataset)
    graph, is_given = data.load_for(model.class_names, data_dir)
    return graph, is_given or graph_digest(graph) == trained_on[1]


def aligned_features(
    graph: datasets.Graph, model: mixhop_tf.SavedModel
) -> tuple[sp.csr_array, list[str]]:
    """The features of a graph in the columns that a model takes, and notes for the user.

    Columns are found by their names where both have names. Of features that are few, like the words
    of a text, a column that the graph lacks is zero.
    """
    ours, theirs = graph.feature_names, model.feature_names
    if ours is None or theirs is None or ours == theirs:
        if graph.num_features != model.num_features:
            raise RunError(
                f"{graph.name} has {graph.num_features} features, but the model takes "
                f"{model.num_features}; give it the features it was trained with."
            )
        return graph.features, []
    where = {name: column for column, name in enumerate(ours)}
    missing = [name for name in theirs if name not in where]
    cells = graph.num_nodes * graph.num_features
    if missing and (graph.features.nnz > _DENSE_FROM * cells or len(missing) == len(theirs)):
        raise RunError(
            f"{graph.name} lacks columns that the model takes ({len(missing)} in all): "
            f"{few(missing)}; add them."
        )
    padded = sp.hstack([graph.features, sp.csr_array((graph.num_nodes, 1))], format="csr")
    columns = [where.get(name, graph.num_features) for name in theirs]
    notes = []
    if missing:
        notes.append(f"{len(missing)} features of the model are zero here: {few(missing)}")
    extra = sorted(set(ours) - set(theirs))
    if extra:
        notes.append(f"{len(extra)} features are not the model's and are not used: {few(extra)}")
    return sp.csr_array(padded[:, columns]), notes


def predict(
    graph: datasets.Graph, features: sp.csr_array, model: mixhop_tf.SavedModel
) -> np.ndarray:
    """The probability of each class for each node, `[n, c]`."""
    dense = features.nnz > _DENSE_FROM * features.shape[0] * features.shape[1]
    if dense:
        check_fits(f"{graph.name} as a dense matrix", 4 * features.shape[0] * features.shape[1])
    given = features.toarray() if dense else features
    try:
        return model.predict(given, graph.edges)["probabilities"]
    except SettingError as error:
        raise RunError(
            f"The model refuses {graph.name}: {error} Give it a graph like the one that it was "
            "trained on."
        ) from None


def new_nodes(graph: datasets.Graph, model: mixhop_tf.SavedModel) -> list[str] | None:
    """Ids of the nodes that were not in the training graph; None where nobody knows."""
    return None if graph.node_ids is None else model.new_nodes(graph.node_ids.tolist())


def write(
    path: Path, graph: datasets.Graph, probabilities: np.ndarray, class_names: tuple[str, ...]
) -> None:
    """Writes `node,label,p_<class>,…`, a line a node, whole or not at all.

    Names that a spreadsheet would run as a formula get an apostrophe in front.
    """
    numbers = map(str, range(graph.num_nodes))
    ids = [inert(each) for each in (numbers if graph.node_ids is None else graph.node_ids.tolist())]
    names = [inert(name) for name in class_names]
    labels = probabilities.argmax(axis=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["node", "label", *(f"p_{name}" for name in class_names)])
        for start in range(0, graph.num_nodes, _ROWS_AT_ONCE):
            end = min(start + _ROWS_AT_ONCE, graph.num_nodes)
            writer.writerows(
                [ids[node], names[labels[node]], *(f"{p:.6g}" for p in probabilities[node])]
                for node in range(start, end)
            )


def inert(text: str) -> str:
    """Text that a spreadsheet shows and does not run.

    >>> inert("=HYPERLINK(1)"), inert("-5"), inert("anna")
    ("'=HYPERLINK(1)", '-5', 'anna')
    """
    if not text.startswith(("=", "+", "-", "@", "\t", "\r")):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


@dataclasses.dataclass(frozen=True)
class Score:
    """How right predictions are on nodes whose labels are known.

    Attributes:
        confusion: `[c, c]`, nodes of class `i` that were taken for class `j`.
    """

    confusion: np.ndarray

    @property
    def num_nodes(self) -> int:
        """Nodes that count."""
        return int(self.confusion.sum())

    @property
    def accuracy(self) -> float:
        """Share of the nodes that are right."""
        return float(np.trace(self.confusion) / self.num_nodes)

    @property
    def macro_f1(self) -> float:
        """The mean over classes of `2·right / (of the class + taken for it)`.

        Classes that no node is of, and none is taken for, do not count.
        """
        right = np.diag(self.confusion)
        both = self.confusion.sum(axis=0) + self.confusion.sum(axis=1)
        return float(np.mean(2 * right[both > 0] / both[both > 0]))

    def __str__(self) -> str:
        return f"accuracy {self.accuracy:.2%}, macro-F1 {self.macro_f1:.2%}"


def score(graph: datasets.Graph, probabilities: np.ndarray, nodes: Any = None) -> Score | None:
    """The score on these nodes, or on all; None where no label among them is known."""
    chosen = np.arange(graph.num_nodes) if nodes is None else np.asarray(nodes)
    chosen = chosen[graph.labels[chosen] != UNKNOWN]
    if not len(chosen):
        return None
    count = graph.num_classes
    pairs = graph.labels[chosen] * count + probabilities[chosen].argmax(axis=1)
    return Score(np.bincount(pairs, minlength=count * count).reshape(count, count))
