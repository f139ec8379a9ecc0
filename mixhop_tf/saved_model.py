"""Loads SavedModels and predicts with them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.decision import PLAIN, Decision
from mixhop_tf.errors import SettingError
from mixhop_tf.known_nodes import KnownNodes
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.restore import restore_model
from mixhop_tf.models.saved_files import load_signatures, number_array, read_assets
from mixhop_tf.models.servable import LARGEST
from mixhop_tf.ops.adjacency import edge_pairs
from mixhop_tf.ops.sparse import sparse_tensor

_OF_THE_MODEL = ("scaling", "shared_first_kernel")


@dataclasses.dataclass(frozen=True)
class SavedModel:
    """Predicts the classes of nodes with a model that `load_saved_model` has loaded.

    See `export_saved_model` for an example.

    Args:
        signatures: The TensorFlow functions of the SavedModel, by name.
        architecture: Architecture of the exported model.
        num_features: Number of feature columns `s`.
        class_names: Names of the classes.
        feature_names: Names of the feature columns, if they were exported.
        max_nodes: Largest number of nodes in a sparse request. None in models of earlier versions.
        node_ids: Ids of the training graph's nodes, if they were exported.
        known_nodes: Hashes of these ids, if they were exported.
        decision: How logits become probabilities and labels; the signatures apply it.
        weighted: Whether the model was trained with weights of the edges, and takes them.
        recipe: How the features were made from the user's columns, if that was exported.
        model: The Keras model with frozen statistics; None in models of earlier versions.
    """

    signatures: Mapping[str, Callable[..., dict[str, tf.Tensor]]]
    architecture: Architecture | Baseline
    num_features: int
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...] | None = None
    max_nodes: int | None = None
    node_ids: tuple[str, ...] | None = None
    known_nodes: KnownNodes | None = None
    decision: Decision = PLAIN
    weighted: bool = False
    recipe: Mapping[str, Any] | None = None
    model: GraphModel | None = None

    def new_nodes(self, ids: Iterable[Any]) -> list[str] | None:
        """Returns the ids that the training graph did not have.

        Args:
            ids: Ids of nodes.

        Returns:
            The new ids as text, or None if no hashes were exported.
        """
        return None if self.known_nodes is None else self.known_nodes.new(ids)

    @property
    def directed(self) -> bool:
        """Whether the model reads the directions of the edges."""
        spec = self.architecture.adjacency if isinstance(self.architecture, Architecture) else None
        return spec is not None and spec.is_directed

    def predict(self, features: Any, edges: Any, weights: Any = None) -> dict[str, np.ndarray]:
        """Predicts the class of every node.

        Args:
            features: Features of the nodes, a dense array or SciPy sparse array `[n, s]`.
            edges: Pairs of node indices `[m, 2]`; either direction of an edge stands for both,
                unless the model is `directed`.
            weights: Weights of the edges `[m]`, which a `weighted` model needs.

        Returns:
            A dictionary of the arrays `logits [n, c]`, `probabilities [n, c]` and `labels [n]`.

        Raises:
            ValueError: The features or the edges do not fit the model; the message says why.
        """
        answer = self._ask("serving_default", "sparse_features", features, edges, weights)
        # The signatures round the softmax otherwise; these are the bits of `Run` and its metrics.
        shares = self.decision.probabilities(answer["logits"])
        return answer | {"probabilities": shares, "labels": self.decision.labels(shares)}

    def embed(self, features: Any, edges: Any, weights: Any = None) -> np.ndarray:
        """Computes the last hidden layer `[n, d]` of every node.

        Args:
            features: Dense or SciPy sparse `[n, s]`.
            edges: Integers `[m, 2]`.
            weights: Weights of the edges `[m]`, which a `weighted` model needs.

        Raises:
            ValueError: An earlier version exported the model, without embeddings.
        """
        if "embeddings" not in self.signatures:
            raise ValueError("The model was exported without embeddings; export it again.")
        answer = self._ask("embeddings", "sparse_embeddings", features, edges, weights)
        return answer["embeddings"]

    def _ask(
        self, dense: str, sparse: str, features: Any, edges: Any, weights: Any
    ) -> dict[str, np.ndarray]:
        """Calls one of two signatures, by the kind of the features."""
        if not hasattr(features, "tocoo"):
            features = number_array("features", features)
        if features.ndim != 2 or features.shape[1] != self.num_features:
            raise ValueError(
                f"`features` must have the shape [n, {self.num_features}]. "
                f"Received: shape={features.shape}"
            )
        self._check_numbers(features)
        pairs = edge_pairs(edges if tf.is_tensor(edges) else number_array("edges", edges))
        ends = {"edges": pairs, **self._checked_weights(weights, pairs.shape[0])}
        if hasattr(features, "tocoo"):
            tensor = sparse_tensor(features)
            result = self.signatures[sparse](
                indices=tensor.indices,
                values=tensor.values,
                num_nodes=tensor.dense_shape[0],
                **ends,
            )
        else:
            with np.errstate(over="ignore"):  # the model refuses infinite features
                rows = tf.constant(features.astype(np.float32))
            result = self.signatures[dense](features=rows, **ends)
        return {name: tensor.numpy() for name, tensor in result.items()}

    def _checked_weights(self, weights: Any, num_edges: int) -> dict[str, tf.Tensor]:
        """Checks the weights of a request; an unweighted model takes none."""
        if self.weighted != (weights is not None):
            wants = "needs the weights of the edges" if self.weighted else "takes no weights"
            raise SettingError("weights", f"do not fit: the model {wants}")
        if weights is None:
            return {}
        values = number_array("weights", weights).astype(np.float32)
        if values.shape != (num_edges,):
            raise SettingError("weights", f"must be {num_edges:,}, one for each edge")
        valid = np.isfinite(values) & (values > 0)
        if not valid.all():
            raise SettingError("weights", "must be positive", values[~valid][0].item())
        return {"weights": tf.constant(values)}

    def _check_numbers(self, features: Any) -> None:
        """Raises a Python error for features that the signatures would refuse."""
        if features.dtype.kind not in "biuf":
            raise SettingError("features", f"must be numbers, but have the type {features.dtype}")
        is_sparse = hasattr(features, "tocoo")
        if is_sparse and self.max_nodes is not None and features.shape[0] > self.max_nodes:
            rule = (
                f"must have {self.max_nodes:,} rows at most, but have {features.shape[0]:,}; "
                "export the model with larger `max_nodes`"
            )
            raise SettingError("features", rule)
        values = features.tocoo().data if is_sparse else features
        small = np.abs(values) < np.float64(LARGEST)  # a float16 cannot hold it
        if not np.all(small):
            rule = f"must be finite and less than {LARGEST:g} in magnitude"
            raise SettingError("features", rule, values[~small][0].item())


def load_saved_model(path: str | Path) -> SavedModel:
    """Loads a SavedModel that `export_saved_model` wrote.

    Args:
        path: Folder of the SavedModel.

    Returns:
        The model, ready for `predict`.

    Raises:
        ValueError: There is no such SavedModel, or it is damaged; the message says where.
    """
    folder = Path(path)
    try:
        if not (folder / "saved_model.pb").is_file():
            raise ValueError("saved_model.pb is missing")
        assets = read_assets(folder)
        signatures = load_signatures(folder, assets)
        model = restore_model(folder, assets)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{folder} cannot be read as a SavedModel of this project ({error}); export it again."
        ) from None
    kept = {name: value for name, value in vars(assets).items() if name not in _OF_THE_MODEL}
    return SavedModel(signatures, model=model, **kept)
