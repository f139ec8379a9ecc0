"""Predictions of a served model: matching a graph's features to the model's, and scores."""

from __future__ import annotations

import csv
import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import datasets
import mixhop_tf
from datasets.atomic import replacing
from datasets.errors import few
from datasets.memory import check_fits
from datasets.recipes.recipe import Recipe
from datasets.stand_ins import edges_digest
from mixhop_tf import SettingError
from mixhop_tf.ops.neighbors import feature_matrix
from mixhop_tf.training.size import is_large
from trainers.runs.run_folder import CONFIG
from trainers.sweeps.config import graph_digest
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError
from trainers.sweeps.record_fields import is_data

_DENSE_FROM = 1 / 3  # share of non-zero values from which features are sent as a dense matrix


def load_model(path: Path) -> mixhop_tf.SavedModel:
    """The SavedModel in a run's folder, or in the folder itself."""
    try:
        return mixhop_tf.load_saved_model(saved_model_folder(path))
    except ValueError as error:
        raise RunError(str(error)) from None


def saved_model_folder(path: Path) -> Path:
    """The folder of the SavedModel: in a run's folder, or the folder itself."""
    for folder in (path / "saved_model", path / "best" / "saved_model", path):
        if (folder / "saved_model.pb").is_file():
            return folder
    raise RunError(
        f"{path} holds no SavedModel; name the folder of a run, or its folder saved_model."
    )


def training_data(path: Path) -> tuple[DataConfig, str] | None:
    """The training graph of the model in a run's folder, and its fingerprint.

    None if there is a SavedModel only.
    """
    for folder in (path, path.parent):  # the folder of a run, or of its SavedModel
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
    given: Mapping[str, Any] | None = None,
) -> tuple[datasets.Graph, bool]:
    """The graph, and whether it has the split that the model was trained with.

    It has if it is the training graph, or if both have the split that comes with the graph.
    """
    recipe = recipe_of(model)
    if trained_on is None:
        data = dataclasses.replace(data, directed=model.directed, **(given or {}))
        return data.load_for(model.class_names, data_dir, recipe)[0], False
    before = trained_on[0]
    data = dataclasses.replace(before, dataset=data.dataset, **(given or {}))
    if data.dataset != before.dataset:
        _check_named_files(data, given or {})
    graph, is_given = data.load_for(model.class_names, data_dir, recipe)
    return graph, is_given or graph_digest(graph) == trained_on[1]


def _check_named_files(data: DataConfig, given: Mapping[str, Any]) -> None:
    """Refuses files that were named for training and lie outside the folder of the new graph.

    Otherwise the tables of the training graph would be read again without a word.
    """
    folder = Path(data.dataset).expanduser()
    folder = folder if folder.is_dir() else folder.parent
    for field in ("nodes", "edges"):
        files = [name for name in str(getattr(data, field)).split(",") if name]
        outside = [name for name in files if not (folder / name).is_file()]
        if outside and field not in given:
            raise RunError(
                f"The model was trained with --{field} {getattr(data, field)}, which is not in "
                f"{folder}; name the files of the new graph with --{field}."
            )


def recipe_of(model: mixhop_tf.SavedModel) -> Recipe | None:
    """How the model makes its features from columns; None in models of earlier versions."""
    return None if model.recipe is None else Recipe.from_dict(model.recipe)


def check_stand_ins(graph: datasets.Graph, model: mixhop_tf.SavedModel) -> None:
    """Refuses a graph whose stand-ins for features are not those that the model was trained on.

    Raises:
        RunError: The graph has changed, so that all of its eigenvectors have.
    """
    recipe = recipe_of(model)
    if recipe is None:
        names = model.feature_names or ()
        changed = "spectral_1" in names and bool(new_nodes(graph, model))
    else:
        changed = recipe.edges is not None and recipe.edges != edges_digest(graph)
    if changed:
        raise RunError(
            f"{graph.name} is not the graph that the model was trained on, and the model has no "
            "features but eigenvectors, which change with every edge; train with --stand_ins local "
            "for a graph that grows, or predict all the same with --allow_changed_graph."
        )


def aligned_features(graph: datasets.Graph, model: mixhop_tf.SavedModel) -> tuple[Any, list[str]]:
    """The features of a graph in the columns that a model expects, and notes for the user.

    Features that are mapped from a store stay so, if the columns are the same.

    If both have feature names, columns are matched by name. In sparse features, like the words of a
    text, a column that the graph lacks is zero.
    """
    ours, theirs = graph.feature_names, model.feature_names
    if ours is None or theirs is None or ours == theirs:
        if graph.num_features != model.num_features:
            raise RunError(
                f"{graph.name} has {graph.num_features} features, but the model takes "
                f"{model.num_features}; give it the features that it was trained with."
            )
        return (feature_matrix(graph) if is_large(graph) else graph.features), []
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
        notes.append(
            f"the graph lacks {len(missing)} features of the model, which are taken as zero: "
            f"{few(missing)}"
        )
    extra = sorted(set(ours) - set(theirs))
    if extra:
        notes.append(f"{len(extra)} features are unused, as the model lacks them: {few(extra)}")
    return sp.csr_array(padded[:, columns]), notes


def predict(
    graph: datasets.Graph, features: Any, model: mixhop_tf.SavedModel
) -> dict[str, np.ndarray]:
    """Logits `[n, c]`, probabilities `[n, c]` and labels `[n]` of all nodes."""
    features = sp.csr_array(features)
    dense = features.nnz > _DENSE_FROM * features.shape[0] * features.shape[1]
    if dense:
        check_fits(f"{graph.name} as a dense matrix", 4 * features.shape[0] * features.shape[1])
    given = features.toarray() if dense else features
    try:
        return model.predict(given, graph.edges, weights_for(graph, model))
    except SettingError as error:
        raise RunError(
            f"The model rejects {graph.name}: {error} Give it a graph like the one that it was "
            "trained on."
        ) from None


def weights_for(graph: datasets.Graph, model: mixhop_tf.SavedModel) -> np.ndarray | None:
    """The weights of the edges, if the model takes them.

    Raises:
        RunError: The model takes weights, and the graph has none.
    """
    if not model.weighted:
        return None
    if graph.edge_weights is None:
        raise RunError(
            f"The model was trained with edge weights, but the edges of {graph.name} have none; "
            "name their column with --weight."
        )
    return graph.edge_weights


def new_nodes(graph: datasets.Graph, model: mixhop_tf.SavedModel) -> list[str] | None:
    """Ids of the nodes that were not in the training graph; None if this is unknown."""
    if model.known_nodes is None or graph.node_ids is None:
        return None
    return model.new_nodes(graph.node_ids.tolist())


def write(
    path: Path,
    graph: datasets.Graph,
    answer: dict[str, np.ndarray],
    class_names: tuple[str, ...],
    splits: Sequence[str],
) -> None:
    """Writes `node,label,split,p_<class>,…`, one line per node, completely or not at all.

    An apostrophe precedes names that a spreadsheet would run as a formula. The probabilities have
    all digits of a float32, so that metrics of the file are those of the model.
    """
    numbers = map(str, range(graph.num_nodes))
    ids = [inert(each) for each in (numbers if graph.node_ids is None else graph.node_ids.tolist())]
    names = [inert(name) for name in class_names]
    labels, probabilities = answer["labels"], answer["probabilities"]
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["node", "label", "split", *(f"p_{name}" for name in class_names)])
        for node in range(graph.num_nodes):
            shares = (f"{p:.9g}" for p in probabilities[node])
            writer.writerow([ids[node], names[labels[node]], splits[node], *shares])


def inert(text: str) -> str:
    """The text in a form that a spreadsheet shows and does not run.

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
