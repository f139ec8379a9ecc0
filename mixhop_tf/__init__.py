"""MixHop for TensorFlow 2 and Keras 3: layers, architectures, models, export."""

from mixhop_tf.architecture import (
    CITESEER_LEARNED,
    CORA_LEARNED,
    PUBMED_LEARNED,
    PUBMED_THREE_LAYERS,
    Architecture,
    LayerSpec,
)
from mixhop_tf.budget import Budget, shrink_to
from mixhop_tf.build import architecture_from_dict, architecture_from_json, build_model
from mixhop_tf.export import SavedModel, export_saved_model, load_saved_model
from mixhop_tf.freeze import freeze_statistics
from mixhop_tf.graph_model import GraphModel
from mixhop_tf.layers import (
    GraphNorm,
    MixHopLayer,
    PsumOutput,
    RowNormalize,
    SparseDropout,
    Standardize,
)
from mixhop_tf.model import MixHopModel
from mixhop_tf.propagation import normalized_adjacency, sparse_tensor
from mixhop_tf.regularizers import GroupLasso
from mixhop_tf.schedules import LinearDecrement

__all__ = [
    "CITESEER_LEARNED",
    "CORA_LEARNED",
    "PUBMED_LEARNED",
    "PUBMED_THREE_LAYERS",
    "Architecture",
    "Budget",
    "GraphModel",
    "GraphNorm",
    "GroupLasso",
    "LayerSpec",
    "LinearDecrement",
    "MixHopLayer",
    "MixHopModel",
    "PsumOutput",
    "RowNormalize",
    "SavedModel",
    "SparseDropout",
    "Standardize",
    "architecture_from_dict",
    "architecture_from_json",
    "build_model",
    "export_saved_model",
    "freeze_statistics",
    "load_saved_model",
    "normalized_adjacency",
    "shrink_to",
    "sparse_tensor",
]
