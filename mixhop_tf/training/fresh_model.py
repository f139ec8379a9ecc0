"""Builds the model that a training begins with."""

from __future__ import annotations

from typing import Any

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.models.build import build_model
from mixhop_tf.ops.mapped import release_pages
from mixhop_tf.ops.neighbors import feature_matrix
from mixhop_tf.regularizers import GroupLasso
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.settings import Settings


def fresh_model(
    graph: Graph, architecture: Architecture | Baseline, settings: Settings, **options: Any
) -> Any:
    """Builds a model for a graph, with the penalties of the settings.

    Args:
        graph: The graph, whose features the model is adapted to.
        architecture: The architecture.
        settings: The hyper-parameters.
        **options: Other arguments of `build_model`.
    """
    lasso = settings.lasso if settings.lasso_kind == "gradient" else 0.0
    model = build_model(
        architecture,
        graph.num_features,
        graph.num_classes,
        kernel_regularizer=GroupLasso(lasso=lasso, l2=settings.l2),
        weighted=graph.edge_weights is not None,
        **options,
    )
    features = feature_matrix(graph)
    model.adapt(features)
    release_pages(features)
    return model
