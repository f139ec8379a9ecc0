"""Writes a model in the folder layout of TensorFlow Serving, with requests that warm it up."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow_serving.apis import predict_pb2, prediction_log_pb2

from datasets.atomic import replacing
from mixhop_tf import SettingError
from trainers.runs import prediction
from trainers.runs.trained import Trained

WARM_UP = "assets.extra/tf_serving_warmup_requests"
_NODES = 100  # of the graph, in a request that warms up


def write(trained: Trained, model: Path, out: Path, version: int, name: str) -> Path:
    """Copies a SavedModel to `out/version`, completely or not at all.

    TensorFlow Serving reads a folder whose subfolders are the versions of one model. It sends the
    requests in `assets.extra` to a model that it has loaded, so that the first request of a client
    is not slow.

    Args:
        trained: The model, and a graph for the requests.
        model: Folder of a run or of a SavedModel.
        out: Folder of all versions.
        version: Number of this version.
        name: Name of the model in addresses.

    Returns:
        The folder of the version.

    Raises:
        SettingError: There is such a version.
    """
    folder = out / str(version)
    if folder.exists():
        rule = f"must be new: {folder} is there; choose a larger number"
        raise SettingError("version", rule, version)
    with replacing(folder) as temporary:
        shutil.copytree(prediction.saved_model_folder(model), temporary)
        (temporary / WARM_UP).parent.mkdir()
        with tf.io.TFRecordWriter(str(temporary / WARM_UP)) as writer:
            for signature, inputs in _requests(trained):
                writer.write(_record(name, signature, inputs))
    return folder


def _requests(trained: Trained) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """Yields a request for each signature: the first nodes of the graph, and their edges."""
    graph, model = trained.graph, trained.model
    count = min(_NODES, graph.num_nodes)
    inside = (np.asarray(graph.edges) < count).all(axis=1)
    ends: dict[str, np.ndarray] = {"edges": np.asarray(graph.edges)[inside].astype(np.int64)}
    weights = prediction.weights_for(graph, model)
    if weights is not None:
        ends["weights"] = np.asarray(weights)[inside].astype(np.float32)
    rows: Any = trained.features[:count]
    dense = (rows.toarray() if hasattr(rows, "toarray") else np.asarray(rows)).astype(np.float32)
    places = np.argwhere(dense)
    sparse = {
        "indices": places.astype(np.int64),
        "values": dense[tuple(places.T)],
        "num_nodes": np.array(count, np.int64),
    }
    for signature in sorted(model.signatures):
        function: Any = model.signatures[signature]
        wanted = function.structured_input_signature[1]
        yield signature, ends | ({"features": dense} if "features" in wanted else sparse)


def _record(name: str, signature: str, inputs: dict[str, np.ndarray]) -> bytes:
    request = predict_pb2.PredictRequest()
    request.model_spec.name = name
    request.model_spec.signature_name = signature
    for key, value in inputs.items():
        request.inputs[key].CopyFrom(tf.make_tensor_proto(value))
    log = prediction_log_pb2.PredictionLog()
    log.predict_log.request.CopyFrom(request)
    return log.SerializeToString()
