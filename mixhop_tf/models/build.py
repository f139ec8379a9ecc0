"""Builds the model of an architecture, and loads models from `.keras` files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, overload

import keras

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.models.chebyshev import ChebyshevModel
from mixhop_tf.models.gat import GATModel
from mixhop_tf.models.gcn import GCNModel
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.models.mlp import MLPModel
from mixhop_tf.models.ngcn import NGCNModel
from mixhop_tf.models.smoothed import ManiRegModel, SemiEmbModel

MODELS: tuple[type[GraphModel], ...] = (
    MixHopModel,
    MLPModel,
    GCNModel,
    ChebyshevModel,
    GATModel,
    NGCNModel,
    ManiRegModel,
    SemiEmbModel,
)


@overload
def build_model(
    architecture: Architecture, num_features: int, num_classes: int, **options: Any
) -> MixHopModel: ...


@overload
def build_model(
    architecture: Architecture | Baseline, num_features: int, num_classes: int, **options: Any
) -> GraphModel: ...


def build_model(
    architecture: Architecture | Baseline, num_features: int, num_classes: int, **options: Any
) -> GraphModel:
    """Builds the model of an architecture: a `MixHopModel`, or the model of a baseline.

    >>> from mixhop_tf import build_model
    >>> from mixhop_tf.baselines import GCN
    >>> build_model(GCN(hidden_width=16), num_features=5, num_classes=3).count_params()
    128

    Args:
        architecture: An `Architecture`, or one of `mixhop_tf.baselines`.
        num_features: Number of feature columns `s`.
        num_classes: Number of classes `c`.
        options: Other arguments of `MixHopModel` or `GraphModel`.
    """
    kinds: dict[type, type[GraphModel]] = {kind.architecture_class: kind for kind in MODELS}
    if type(architecture) not in kinds:
        names = ", ".join(kind.__name__ for kind in kinds)
        raise ValueError(
            f"`architecture` must be one of {names}. Received: architecture={architecture!r}"
        )
    return kinds[type(architecture)](architecture, num_features, num_classes, **options)


def load_model(path: str | Path) -> GraphModel:
    """Loads a model from a `.keras` file that `GraphModel.save` wrote.

    Args:
        path: The file.

    Returns:
        The model with its weights.
    """
    return keras.models.load_model(path)
