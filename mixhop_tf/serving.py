"""Writes a SavedModel that TensorFlow alone can serve, and loads it."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.architecture import Architecture
from mixhop_tf.baselines import Baseline
from mixhop_tf.errors import SettingError
from mixhop_tf.folders import replacing_folder
from mixhop_tf.known_nodes import KnownNodes
from mixhop_tf.models.freeze import freeze_statistics
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.saved_files import (
    ARCHITECTURE,
    CLASS_NAMES,
    INPUTS,
    KNOWN_NODES,
    NODE_IDS,
    load_signatures,
    number_array,
    read_assets,
)
from mixhop_tf.models.servable import LARGEST, Servable
from mixhop_tf.ops.adjacency import edge_pairs
from mixhop_tf.ops.sparse import sparse_tensor
from mixhop_tf.tensors import Pair

# A request may name this many times the training graph's nodes, and at least so many.
_GROWTH, _MIN_LIMIT = 10, 100_000


def export_saved_model(
    model: GraphModel,
    path: str | Path,
    inputs: Pair,
    class_names: Sequence[Any] | None = None,
    *,
    feature_names: Sequence[str] | None = None,
    node_ids: Sequence[Any] | np.ndarray | None = None,
    keep_node_ids: bool = False,
    max_nodes: int | None = None,
) -> Path:
    """Writes a SavedModel with everything a server needs, whole or not at all.

    `serving_default(features: float32 [n, s], edges: int64 [m, 2])` returns `logits [n, c]`,
    `probabilities [n, c]` and `labels [n]`. `sparse_features(indices: int64 [k, 2], values: float32
    [k], num_nodes: int64 [], edges: int64 [m, 2])` takes the features as row-column indices and
    values. Edges may come in either direction, repeated and with self-loops. Both signatures drop
    duplicates, add the other direction and self-loops, and normalise, as the model needs it. Batch
    norm uses the statistics of the training graph. The assets hold the architecture, the class
    names and the number of features. A request that does not fit raises an error that says why: an
    end of an edge is no node, the number of columns differs, features are not finite or too large,
    a sparse entry comes twice, or a sparse request names more nodes than the model serves.

    Args:
        model: A trained `MixHopModel`, or another `GraphModel`.
        path: Folder to write. It replaces a SavedModel that is there.
        inputs: The pair `(features, operator)` of the training graph. The operator comes from
            `model.operator`, because serving makes it the same way: for MixHop it is
            `normalized_adjacency`.
        class_names: Names of the classes; their numbers by default.
        feature_names: Names of the columns, so that others can put their columns in that order.
        node_ids: Ids of the training graph's nodes, so that others can tell which nodes are new.
            Salted hashes of them are kept; see `KnownNodes`.
        keep_node_ids: Whether the ids themselves are kept, too. They may be private.
        max_nodes: Nodes at most in a request of `sparse_features`, whose size says nothing about
            its cost. By default ten times those of the training graph, and at least 100,000.

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
    limit = max_nodes or max(_MIN_LIMIT, _GROWTH * inputs[1].shape[0])
    texts = _asset_texts(model, class_names, feature_names, limit)
    if node_ids is not None:
        texts[KNOWN_NODES] = json.dumps(KnownNodes.of(node_ids).to_dict())
        if keep_node_ids:
            texts[NODE_IDS] = json.dumps([str(node) for node in node_ids])
    if path.exists() and not (path / "saved_model.pb").is_file() and not _is_empty_folder(path):
        raise ValueError(
            f"What is there is no SavedModel and is not replaced. Received: path={path}"
        )
    with replacing_folder(path) as new, tempfile.TemporaryDirectory() as folder:
        assets = [Path(folder) / name for name in texts]
        for asset, text in zip(assets, texts.values(), strict=True):
            asset.write_text(text, encoding="utf-8")
        servable = Servable(freeze_statistics(model, inputs), assets, limit)
        signatures = {"serving_default": servable.dense, "sparse_features": servable.sparse}
        tf.saved_model.save(servable, str(new), signatures=signatures)
    return path


def _asset_texts(
    model: GraphModel,
    class_names: Sequence[Any] | None,
    feature_names: Sequence[str] | None,
    max_nodes: int,
) -> dict[str, str]:
    """The contents of the assets by file name."""
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
    sizes = {
        "num_features": model.num_features,
        "feature_names": feature_names,
        "max_nodes": max_nodes,
    }
    return {
        ARCHITECTURE: model.architecture.to_json(),
        CLASS_NAMES: json.dumps(names),
        INPUTS: json.dumps(sizes),
    }


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


@dataclasses.dataclass(frozen=True)
class SavedModel:
    """A loaded SavedModel, for predictions on features `[n, s]` and edges `[m, 2]`.

    `load_saved_model` makes it; see `export_saved_model` for an example.

    Args:
        signatures: TensorFlow functions by name.
        architecture: Architecture of the exported model.
        num_features: Width of the input.
        class_names: Names of the classes.
        feature_names: Names of the columns, if the export had any.
        max_nodes: Nodes at most in a sparse request; None in models of earlier versions.
        node_ids: Ids of the training graph's nodes, if the export kept them.
        known_nodes: Hashes of these ids, if the export had any.
    """

    signatures: Mapping[str, Callable[..., dict[str, tf.Tensor]]]
    architecture: Architecture | Baseline
    num_features: int
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...] | None = None
    max_nodes: int | None = None
    node_ids: tuple[str, ...] | None = None
    known_nodes: KnownNodes | None = None

    def new_nodes(self, ids: Iterable[Any]) -> list[str] | None:
        """Those of the ids that the training graph did not have; None if the model cannot tell."""
        return None if self.known_nodes is None else self.known_nodes.new(ids)

    def predict(self, features: Any, edges: Any) -> dict[str, np.ndarray]:
        """`logits`, `probabilities` and `labels` as arrays.

        Args:
            features: Dense or SciPy sparse `[n, s]`.
            edges: Integers `[m, 2]`.
        """
        if not hasattr(features, "tocoo"):
            features = number_array("features", features)
        if features.ndim != 2 or features.shape[1] != self.num_features:
            raise ValueError(
                f"The model takes features of shape [n, {self.num_features}]. "
                f"Received: shape={features.shape}"
            )
        self._check_numbers(features)
        edges = edge_pairs(edges if tf.is_tensor(edges) else number_array("edges", edges))
        if hasattr(features, "tocoo"):
            sparse = sparse_tensor(features)
            result = self.signatures["sparse_features"](
                indices=sparse.indices,
                values=sparse.values,
                num_nodes=sparse.dense_shape[0],
                edges=edges,
            )
        else:
            with np.errstate(over="ignore"):  # the model refuses what is not finite
                dense = tf.constant(features.astype(np.float32))
            result = self.signatures["serving_default"](features=dense, edges=edges)
        return {name: tensor.numpy() for name, tensor in result.items()}

    def _check_numbers(self, features: Any) -> None:
        """What the signatures refuse, too, in the words of Python."""
        if features.dtype.kind not in "biuf":
            raise SettingError("features", "must be numbers", str(features.dtype))
        is_sparse = hasattr(features, "tocoo")
        if is_sparse and self.max_nodes is not None and features.shape[0] > self.max_nodes:
            rule = (
                f"may have {self.max_nodes:,} rows at most, unless exported with more `max_nodes`"
            )
            raise SettingError("features", rule, features.shape[0])
        values = features.tocoo().data if is_sparse else features
        if not np.all(np.abs(values) < LARGEST):
            raise SettingError("features", f"must be finite and less than {LARGEST:g}", "too large")


def load_saved_model(path: str | Path) -> SavedModel:
    """Loads what `export_saved_model` wrote.

    Raises:
        ValueError: There is no such SavedModel, or it is damaged; the message says where.
    """
    folder = Path(path)
    try:
        if not (folder / "saved_model.pb").is_file():
            raise ValueError("saved_model.pb is missing")
        assets = read_assets(folder)
        signatures = load_signatures(folder, assets)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{folder} cannot be read as a SavedModel of this project ({error}); export it again."
        ) from None
    return SavedModel(signatures, **vars(assets))
