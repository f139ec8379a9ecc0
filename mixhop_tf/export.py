"""A SavedModel that anyone's TensorFlow can serve, and back in."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.build import architecture_from_json
from mixhop_tf.freeze import freeze_statistics
from mixhop_tf.propagation import edge_pairs, in_range, sparse_tensor

ARCHITECTURE, CLASS_NAMES, INPUTS = "architecture.json", "class_names.json", "inputs.json"
NODE_IDS = "node_ids.json"


def export_saved_model(model, path, inputs, class_names=None, *, feature_names=None, node_ids=None):
    """Writes a SavedModel with everything a server needs, whole or not at all.

    `serving_default(features: float32 [n, s], edges: int64 [m, 2])` returns `logits [n, c]`,
    `probabilities [n, c]` and `labels [n]`. `sparse_features(indices: int64 [k, 2], values: float32
    [k], num_nodes: int64 [], edges: int64 [m, 2])` takes the features as row-column indices and
    values. Edges may come in either direction, repeated and with self-loops: both drop duplicates,
    add the other direction and self-loops, and normalise, as the model needs it. Batch norm uses
    the statistics of the training graph. The architecture, the class names and the number of
    features travel along as assets. What does not fit (an end of an edge that is no node, another
    number of features, features that are not finite, a sparse entry given twice) is refused in
    words.

    Args:
        model: A trained `MixHopModel`, or another `GraphModel`.
        path: Folder to write; a SavedModel that was there is replaced.
        inputs: The pair `(features, operator)` of the training graph, the operator from
            `model.operator`, as it is rebuilt in serving: for MixHop `normalized_adjacency`.
        class_names: Names of the classes; their numbers otherwise.
        feature_names: Names of the columns, so that others can put theirs in that order.
        node_ids: Ids of the training graph's nodes, so that others can tell which are new.

    Returns:
        The path.

    >>> import tempfile
    >>> import numpy as np, tensorflow as tf
    >>> from mixhop_tf import Architecture, build_model, export_saved_model, load_saved_model
    >>> from mixhop_tf import normalized_adjacency
    >>> adjacency = normalized_adjacency([[0, 1]], num_nodes=2)
    >>> model = build_model(Architecture.default(2), num_features=3, num_classes=2, seed=0)
    >>> folder = tempfile.mkdtemp() + "/served"
    >>> folder = export_saved_model(model, folder, (tf.eye(2, 3), adjacency))
    >>> load_saved_model(folder).predict(np.eye(2, 3), [[1, 0]])["labels"].shape
    (2,)
    """
    path = Path(path)
    names = [
        str(name) for name in (range(model.num_classes) if class_names is None else class_names)
    ]
    if len(names) != model.num_classes:
        raise ValueError(
            f"`class_names` must name the {model.num_classes} classes. Received: {class_names}"
        )
    if feature_names is not None and len(feature_names) != model.num_features:
        raise ValueError(
            f"`feature_names` must name the {model.num_features} features. "
            f"Received: {len(feature_names)} names"
        )
    if path.exists() and not (path / "saved_model.pb").is_file() and not _is_empty_folder(path):
        raise ValueError(
            f"What is there is no SavedModel and is not replaced. Received: path={path}"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = {
        ARCHITECTURE: model.architecture.to_json(),
        CLASS_NAMES: json.dumps(names),
        INPUTS: json.dumps({"num_features": model.num_features, "feature_names": feature_names}),
    }
    if node_ids is not None:
        texts[NODE_IDS] = json.dumps([str(node) for node in node_ids])
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        assets = [Path(folder) / name for name in texts]
        for asset, text in zip(assets, texts.values(), strict=True):
            asset.write_text(text, encoding="utf-8")
        servable = _Servable(freeze_statistics(model, inputs), assets)
        signatures = {"serving_default": servable.dense, "sparse_features": servable.sparse}
        tf.saved_model.save(servable, f"{folder}/new", signatures=signatures)
        if path.exists():
            path.rename(f"{folder}/old")
        Path(folder, "new").rename(path)
    return path


def _is_empty_folder(path):
    return path.is_dir() and not any(path.iterdir())


@dataclasses.dataclass(frozen=True)
class SavedModel:
    """A loaded SavedModel, for predictions on features `[n, s]` and edges `[m, 2]`.

    `load_saved_model` makes it; see `export_saved_model` for an example.

    Args:
        signatures: TensorFlow functions by name.
        architecture: What was exported.
        num_features: Width of the input.
        class_names: Names of the classes.
        feature_names: Names of the columns, if they were given.
        node_ids: Ids of the training graph's nodes, if they were given.
    """

    signatures: Any
    architecture: Any
    num_features: int
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...] | None = None
    node_ids: tuple[str, ...] | None = None

    def predict(self, features, edges):
        """`logits`, `probabilities` and `labels` as arrays; features dense or SciPy sparse."""
        if np.ndim(features) != 2 or features.shape[1] != self.num_features:
            raise ValueError(
                f"The model takes features of shape [n, {self.num_features}]. "
                f"Received: shape={np.shape(features)}"
            )
        edges = edge_pairs(edges)
        if hasattr(features, "tocoo"):
            sparse = sparse_tensor(features)
            result = self.signatures["sparse_features"](
                indices=sparse.indices,
                values=sparse.values,
                num_nodes=sparse.dense_shape[0],
                edges=edges,
            )
        else:
            dense = tf.constant(np.asarray(features, np.float32))
            result = self.signatures["serving_default"](features=dense, edges=edges)
        return {name: tensor.numpy() for name, tensor in result.items()}


def load_saved_model(path):
    """What `export_saved_model` wrote, as a `SavedModel`."""
    assets = Path(path) / "assets"
    architecture, class_names, inputs = (
        (assets / name).read_text(encoding="utf-8") for name in (ARCHITECTURE, CLASS_NAMES, INPUTS)
    )
    inputs = json.loads(inputs)
    names = inputs.get("feature_names")
    ids = assets / NODE_IDS
    return SavedModel(
        signatures=tf.saved_model.load(str(path)).signatures,
        architecture=architecture_from_json(architecture),
        num_features=inputs["num_features"],
        class_names=tuple(json.loads(class_names)),
        feature_names=None if names is None else tuple(names),
        node_ids=tuple(json.loads(ids.read_text(encoding="utf-8"))) if ids.is_file() else None,
    )


class _Servable(tf.Module):
    """The frozen model behind plain-tensor signatures: a SavedModel knows no sparse inputs."""

    def __init__(self, model, assets):
        super().__init__()
        self._model = model
        self._variables = [variable.value for variable in model.variables]
        self._assets = [tf.saved_model.Asset(str(path)) for path in assets]

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, None], tf.float32, name="features"),
            tf.TensorSpec([None, 2], tf.int64, name="edges"),
        ]
    )
    def dense(self, features, edges):
        takes = self._model.num_features
        message = f"features: the model takes {takes} columns, got another number"
        with tf.control_dependencies(
            [
                tf.debugging.assert_equal(tf.shape(features)[1], takes, message),
                tf.debugging.assert_all_finite(features, "features: not finite"),
            ]
        ):
            features = tf.reshape(features, [-1, takes])
        return self._answer(features, tf.shape(features, tf.int64)[0], edges)

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, 2], tf.int64, name="indices"),
            tf.TensorSpec([None], tf.float32, name="values"),
            tf.TensorSpec([], tf.int64, name="num_nodes"),
            tf.TensorSpec([None, 2], tf.int64, name="edges"),
        ]
    )
    def sparse(self, indices, values, num_nodes, edges):
        takes = self._model.num_features
        num_nodes = in_range("num_nodes: no number of nodes", num_nodes, 2**31)
        rows = in_range("indices: a row is no node", indices[:, 0], num_nodes)
        columns = in_range(f"indices: the model takes {takes} columns", indices[:, 1], takes)
        keys = tf.sort(rows * takes + columns)
        checks = [
            tf.debugging.assert_less(keys[:-1], keys[1:], "indices: an entry is given twice"),
            tf.debugging.assert_all_finite(values, "values: not finite"),
        ]
        with tf.control_dependencies(checks):
            indices = tf.stack([rows, columns], axis=1)
        features = tf.SparseTensor(indices, values, tf.stack([num_nodes, takes]))
        return self._answer(tf.sparse.reorder(features), num_nodes, edges)

    def _answer(self, features, num_nodes, edges):
        logits = self._model((features, self._model.operator(edges, num_nodes)))
        return {
            "logits": logits,
            "probabilities": tf.nn.softmax(logits),
            "labels": tf.argmax(logits, axis=1),
        }
