"""The files of a `MixHopClassifier`: JSON, a Keras model and arrays, no pickles."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import keras
import numpy as np
import scipy.sparse as sp

from mixhop_tf.architecture_json import architecture_from_dict
from mixhop_tf.estimator_data import Edges
from mixhop_tf.evaluation import ClassScores, Evaluation
from mixhop_tf.folders import replacing_folder
from mixhop_tf.models.build import load_model
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.notation import parse_json
from mixhop_tf.training.settings import Settings

_JSON, _MODEL, _ARRAYS = "classifier.json", "model.keras", "graph.npz"
_VERSION = 1
_PLAIN = (
    *("scaling", "select_by", "class_weight", "calibrate", "threshold", "direction"),
    *("train_share", "val_share", "random_state"),
)


def write(classifier: Any, path: Path) -> Path:
    """Writes a fitted classifier into a folder, whole or not at all.

    Args:
        classifier: A fitted `MixHopClassifier`.
        path: The folder; a classifier that is already there is replaced.

    Raises:
        ValueError: The path holds something else.
    """
    if (
        path.exists()
        and not (path / _JSON).is_file()
        and not (path.is_dir() and not any(path.iterdir()))
    ):
        raise ValueError(
            "`path` holds something else than a classifier, which will not be replaced; choose "
            f"another path. Received: path={path}"
        )
    content = {
        "version": _VERSION,
        "parameters": {name: _plain(getattr(classifier, name)) for name in _PLAIN},
        "architecture": classifier.architecture_.to_dict(),
        "settings": dataclasses.asdict(classifier.settings_),
        "evaluation": classifier.evaluation_ and classifier.evaluation_.to_dict(),
        "feature_names": getattr(classifier, "feature_names_in_", np.array([])).tolist() or None,
    }
    features = sp.csr_array(classifier.graph_features_)
    arrays = {
        "classes": _without_objects(classifier.classes_),
        "edges": classifier.graph_edges_.pairs,
        "data": features.data,
        "indices": features.indices,
        "indptr": features.indptr,
        "shape": np.array(features.shape),
        **classifier.split_,
    }
    if classifier.graph_edges_.weights is not None:
        arrays["edge_weights"] = classifier.graph_edges_.weights
    with replacing_folder(path) as new:
        (new / _JSON).write_text(json.dumps(content, indent=1), encoding="utf-8")
        classifier.model_.save(new / _MODEL)
        np.savez(new / _ARRAYS, allow_pickle=False, **arrays)
    return path


def read(classifier: Any, path: Path) -> Any:
    """Fills a classifier with what `write` wrote.

    Args:
        classifier: A `MixHopClassifier`.
        path: The folder.

    Raises:
        ValueError: The folder holds no classifier, or it is damaged.
    """
    try:
        content = parse_json((path / _JSON).read_text(encoding="utf-8"))
        if content["version"] != _VERSION:
            raise ValueError(f"its version is {content['version']}, not {_VERSION}")
        with np.load(path / _ARRAYS, allow_pickle=False) as archive:
            arrays = dict(archive)
        classifier.set_params(
            **{name: content["parameters"][name] for name in _PLAIN},
            architecture=architecture_from_dict(content["architecture"]),
            settings=Settings(**content["settings"]),
        )
        _fill(classifier, content, arrays, load_model(path / _MODEL))
    except Exception as error:  # a damaged file fails in any way
        reason = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        raise ValueError(
            f"{path} cannot be read as a classifier ({reason}); save it again."
        ) from None
    return classifier


class Picklable:
    """Makes an estimator with a Keras model picklable: the model as its config and weights."""

    def __getstate__(self) -> dict[str, Any]:
        """Returns the state for pickle."""
        state: dict[str, Any] = dict(super().__getstate__())  # type: ignore[call-overload]
        if "model_" in state:
            state["model_"] = packed(state["model_"])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "model_" in state:
            state = state | {"model_": unpacked(state["model_"])}
        super().__setstate__(state)  # type: ignore[misc]  # scikit-learn's


def packed(model: GraphModel) -> tuple[str, dict[str, Any], list[np.ndarray]]:
    """Returns the class, config and weights of a model, which can be pickled."""
    return keras.saving.get_registered_name(type(model)), model.get_config(), model.get_weights()


def unpacked(state: tuple[str, dict[str, Any], list[np.ndarray]]) -> GraphModel:
    """Makes a model from what `packed` returned."""
    import mixhop_tf.models.build  # noqa: F401  # registers the classes

    name, config, weights = state
    model = keras.saving.get_registered_object(name).from_config(config)
    model.set_weights(weights)
    return model


def _fill(
    classifier: Any, content: dict[str, Any], arrays: dict[str, np.ndarray], model: Any
) -> None:
    classifier.model_, classifier.classes_ = model, arrays["classes"]
    classifier.architecture_, classifier.settings_ = classifier.architecture, classifier.settings
    classifier.choice_ = None
    classifier.split_ = {part: arrays[part] for part in ("train", "val", "test")}
    parts = arrays["data"], arrays["indices"], arrays["indptr"]
    classifier.graph_features_ = sp.csr_array(parts, shape=tuple(arrays["shape"].tolist()))
    classifier.graph_edges_ = Edges(arrays["edges"], arrays.get("edge_weights"))
    classifier.n_features_in_ = int(arrays["shape"][1])
    if content["feature_names"]:
        classifier.feature_names_in_ = np.array(content["feature_names"], object)
    found = content["evaluation"]
    if found is not None:
        classes = tuple(ClassScores(**each) for each in found["classes"])
        confusion = tuple(map(tuple, found["confusion"]))
        found = Evaluation(**found | {"classes": classes, "confusion": confusion})
    classifier.evaluation_ = found


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _without_objects(classes: np.ndarray) -> np.ndarray:
    return np.array(classes.tolist()) if classes.dtype == object else classes
