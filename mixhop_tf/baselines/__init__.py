"""The models that MixHop is compared with: architectures, layers, and the models they make."""

from mixhop_tf.baselines.architectures import GAT, GCN, MLP, NGCN, Chebyshev
from mixhop_tf.baselines.chebyshev import ChebyshevConvolution, ChebyshevModel
from mixhop_tf.baselines.gat import GATModel, GraphAttention
from mixhop_tf.baselines.gcn import GCNModel, GraphConvolution
from mixhop_tf.baselines.laplacian import largest_eigenvalue, rescaled_laplacian
from mixhop_tf.baselines.mlp import MLPModel
from mixhop_tf.baselines.ngcn import NGCNModel

BASELINES = (MLPModel, GCNModel, ChebyshevModel, GATModel, NGCNModel)

__all__ = [
    "BASELINES",
    "GAT",
    "GCN",
    "MLP",
    "NGCN",
    "Chebyshev",
    "ChebyshevConvolution",
    "ChebyshevModel",
    "GATModel",
    "GCNModel",
    "GraphAttention",
    "GraphConvolution",
    "MLPModel",
    "NGCNModel",
    "largest_eigenvalue",
    "rescaled_laplacian",
]
