"""Keras layers, each in its own file."""

from mixhop_tf.layers.attentive_mixhop import AttentiveMixHopLayer
from mixhop_tf.layers.chebyshev import ChebyshevConvolution
from mixhop_tf.layers.graph_attention import GraphAttention
from mixhop_tf.layers.graph_convolution import GraphConvolution
from mixhop_tf.layers.graph_norm import GraphNorm
from mixhop_tf.layers.mixhop import MixHopLayer
from mixhop_tf.layers.psum import PsumOutput
from mixhop_tf.layers.row_normalize import RowNormalize
from mixhop_tf.layers.sparse_dropout import SparseDropout
from mixhop_tf.layers.standardize import Standardize

__all__ = [
    "AttentiveMixHopLayer",
    "ChebyshevConvolution",
    "GraphAttention",
    "GraphConvolution",
    "GraphNorm",
    "MixHopLayer",
    "PsumOutput",
    "RowNormalize",
    "SparseDropout",
    "Standardize",
]
