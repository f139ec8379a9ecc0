"""Writes and loads SavedModels that TensorFlow can serve without this package."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.folders import replacing_folder
from mixhop_tf.known_nodes import KnownNodes
from mixhop_tf.limits import max_served_nodes
from mixhop_tf.models.freeze import freeze_statistics
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.saved_files import (
    ARCHITECTURE,
    CLASS_NAMES,
    DECISION,
    INPUTS,
    KNOWN_NODES,
    NODE_IDS,
    RECIPE,
)
from mixhop_tf.models.servable import Servable
from mixhop_tf.tensors import Pair


def export_saved_model(
    model: GraphModel,
    path: str | Path,
    inputs: Pair | None,
    class_names: Sequence[Any] | None = None,
    *,
    feature_names: Sequence[str] | None = None,
    node_ids: Sequence[Any] | np.ndarray | None = None,
    keep_node_ids: bool = False,
    max_nodes: int | None = None,
    recipe: Mapping[str, Any] | None = None,
) -> Path:
    """Writes a SavedModel with everything that a server needs.

    Two signatures answer. They return `logits [n, c]`, `probabilities [n, c]` and `labels [n]`:

    - `serving_default(features: float32 [n, s], edges: int64 [m, 2])`
    - `sparse_features(indices: int64 [k, 2], values: float32 [k], num_nodes: int64 [],
      edges: int64 [m, 2])`, which takes the features as row-column indices and values

    Two more, `embeddings` and `sparse_embeddings`, take the same inputs and return
    `embeddings [n, d]`, the last hidden layer.

    Edges may be repeated and may include self-loops, and may have either direction unless the
    architecture reads directions. The signatures make the model's operator from them. A model that
    was trained with edge weights takes another input, `weights: float32 [m]`. Batch norm uses the
    statistics of the training graph. Probabilities and labels follow the model's `decision`, which
    has a temperature and a threshold. The assets hold the architecture, the class names and the
    number of features.

    A request that does not fit raises an error that says why: an edge ends outside the graph, the
    number of columns is wrong, a feature is infinite, NaN or too large, a sparse entry comes twice,
    or a sparse request has too many nodes.

    An error while writing leaves an older SavedModel as it was.

    Args:
        model: A trained `MixHopModel`, or another `GraphModel`.
        path: Folder to write. A SavedModel that is already there is replaced.
        inputs: The pair `(features, operator)` of the training graph. The operator comes from
            `model.operator`, which serving calls, too. For MixHop it is `normalized_adjacency`.
            None for a model that is frozen already, with `max_nodes`.
        class_names: Names of the classes. By default the classes are named by their numbers.
        feature_names: Names of the columns, so that users can put their columns in that order.
        node_ids: Ids of the training graph's nodes, so that users can tell which nodes are new. The
            SavedModel keeps salted hashes of them; see `KnownNodes`.
        keep_node_ids: Whether the SavedModel also keeps the ids themselves. They may be private.
        max_nodes: Largest number of nodes in a request of `sparse_features`, which can name many
            nodes in few bytes. The default is ten times the nodes of the training graph, and at
            least 100,000.
        recipe: How the features were made from the user's columns, as JSON. The SavedModel only
            keeps it for programs that make features in the same way.

    Returns:
        The path of the folder.

    Raises:
        ValueError: The path holds something else than a SavedModel, or the number of names is
            wrong.

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
    if inputs is None and not (model.frozen and max_nodes):
        raise ValueError(
            "Without `inputs`, the model must be frozen and `max_nodes` given. Received: "
            f"frozen={model.frozen}, max_nodes={max_nodes}"
        )
    limit = max_nodes or max_served_nodes(inputs[0].shape[0] if inputs else 0)
    texts = _asset_texts(model, class_names, feature_names, limit)
    if not model.decision.is_plain:
        texts[DECISION] = json.dumps(model.decision.to_dict())
    if node_ids is not None:
        texts[KNOWN_NODES] = json.dumps(KnownNodes.of(node_ids).to_dict())
        if keep_node_ids:
            texts[NODE_IDS] = json.dumps([str(node) for node in node_ids])
    if recipe is not None:
        texts[RECIPE] = json.dumps(recipe)
    if path.exists() and not (path / "saved_model.pb").is_file() and not _is_empty_folder(path):
        raise ValueError(
            "`path` holds something else than a SavedModel, which will not be replaced; choose "
            f"another path. Received: path={path}"
        )
    with replacing_folder(path) as new, tempfile.TemporaryDirectory() as folder:
        assets = [Path(folder) / name for name in texts]
        for asset, text in zip(assets, texts.values(), strict=True):
            asset.write_text(text, encoding="utf-8")
        frozen = model if inputs is None else freeze_statistics(model, inputs)
        servable = Servable(frozen, assets, limit)
        tf.saved_model.save(servable, str(new), signatures=servable.signatures)
    return path


def _asset_texts(
    model: GraphModel,
    class_names: Sequence[Any] | None,
    feature_names: Sequence[str] | None,
    max_nodes: int,
) -> dict[str, str]:
    """Returns the content of each asset by file name."""
    names = [
        str(name) for name in (range(model.num_classes) if class_names is None else class_names)
    ]
    if len(names) != model.num_classes:
        raise ValueError(
            f"`class_names` must hold {model.num_classes} names, one for each class. "
            f"Received: {class_names}"
        )
    if feature_names is not None and len(feature_names) != model.num_features:
        raise ValueError(
            f"`feature_names` must hold {model.num_features} names, one for each feature. "
            f"Received: {len(feature_names)} names"
        )
    sizes = {
        "num_features": model.num_features,
        "feature_names": feature_names,
        "max_nodes": max_nodes,
        "weighted": model.weighted,
        "scaling": model.scaling,
        "shared_first_kernel": bool(getattr(model, "shared_first_kernel", False)),
    }
    return {
        ARCHITECTURE: model.architecture.to_json(),
        CLASS_NAMES: json.dumps(names),
        INPUTS: json.dumps(sizes),
    }


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())
