"""Times the steps of PyG's version of a model; `benchmarks.step` runs it in PyG's environment.

    python benchmarks/pyg_step.py GRAPH.npz MODEL FORM STEPS     (FORM: csr or edge_index)

Prints one JSON line: seconds of each step, and peak memory in MB. A step trains and then evaluates
all nodes. MixHop consists of input dropout, row normalisation, two `MixHopConv` of the default
widths with batch norm, relu and dropout between them, and the psum output; it trains with
cross-entropy, L2 and gradient descent. Each baseline has the two layers of its paper, `GCNConv`,
`ChebConv`, `GATConv` or `Linear`, and trains with Adam.
"""

import json
import sys
import time

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F  # noqa: N812
from torch_geometric.nn import ChebConv, GATConv, GCNConv, MixHopConv

from benchmarks.peak_memory import peak_megabytes


class MixHop(torch.nn.Module):
    """The default architecture: 20 columns for each of the powers 0, 1 and 2, then c for each."""

    def __init__(self, num_features, num_classes):
        super().__init__()
        self.num_classes = num_classes
        self.first = MixHopConv(num_features, 20, powers=[0, 1, 2], bias=False)
        self.norm = torch.nn.BatchNorm1d(60, eps=1e-3, track_running_stats=False)
        self.second = MixHopConv(60, num_classes, powers=[0, 1, 2], bias=False)
        self.q = torch.nn.Parameter(torch.zeros(3))

    def forward(self, x, adjacency):
        """Computes the logits of every node."""
        x = F.normalize(F.dropout(x, 0.5, self.training))
        x = F.dropout(F.relu(self.norm(self.first(x, adjacency))), 0.9, self.training)
        groups = self.second(x, adjacency).reshape(len(x), 3, self.num_classes)
        return (groups * torch.softmax(self.q, 0)[:, None]).sum(1)


class TwoLayers(torch.nn.Module):
    """A baseline of dropout, layer, activation, dropout and layer."""

    def __init__(self, first, second, dropout, activation, takes_graph=True):
        super().__init__()
        self.first, self.second = first, second
        self.dropout, self.activation, self.takes_graph = dropout, activation, takes_graph

    def forward(self, x, adjacency):
        """Computes the logits of every node."""
        graph = (adjacency,) if self.takes_graph else ()
        x = F.dropout(x, self.dropout, self.training)
        x = F.dropout(self.activation(self.first(x, *graph)), self.dropout, self.training)
        return self.second(x, *graph)


def build(model, num_features, num_classes, output_heads):
    """Builds the model with the widths of its paper."""
    if model == "mixhop":
        return MixHop(num_features, num_classes)
    if model == "gat":
        first = GATConv(num_features, 8, heads=8, dropout=0.6)
        second = GATConv(64, num_classes, heads=output_heads, concat=False, dropout=0.6)
        return TwoLayers(first, second, 0.6, F.elu)
    layers = {
        "mlp": lambda *widths: torch.nn.Linear(*widths, bias=False),
        "gcn": lambda *widths: GCNConv(*widths, bias=False, cached=True),
        "chebyshev": lambda *widths: ChebConv(*widths, K=4, bias=False),  # K counts the kernels
    }
    first, second = (layers[model](*widths) for widths in ((num_features, 16), (16, num_classes)))
    return TwoLayers(first, second, 0.5, F.relu, takes_graph=model != "mlp")


def main(path, model_name, form, num_steps):
    """Measures and prints the result."""
    torch.manual_seed(0)
    data = np.load(path)
    parts = [data[f"features_{part}"] for part in ("data", "indices", "indptr")]
    x = torch.from_numpy(sp.csr_array(tuple(parts), shape=tuple(data["features_shape"])).toarray())
    edges = torch.from_numpy(np.concatenate([data["edges"], data["edges"][:, ::-1]]).T.copy())
    adjacency = edges
    if form == "csr":
        values = torch.ones(edges.shape[1])
        adjacency = torch.sparse_coo_tensor(edges, values, (len(x), len(x))).to_sparse_csr()
    labels, train = torch.from_numpy(data["labels"]), torch.from_numpy(data["train"])
    # GAT has eight output heads on Pubmed, the largest of the three graphs.
    output_heads = 8 if len(x) > 10_000 else 1
    model = build(model_name, x.shape[1], len(data["class_names"]), output_heads)
    optimizer = (
        torch.optim.SGD(model.parameters(), lr=0.5, weight_decay=1e-2)
        if model_name == "mixhop"
        else torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    )
    if model_name != "mixhop":
        x = x / x.abs().sum(dim=1, keepdim=True).clamp(min=1e-12)
    seconds = []
    for _ in range(num_steps):
        start = time.perf_counter()
        model.train()
        optimizer.zero_grad()
        F.cross_entropy(model(x, adjacency)[train], labels[train]).backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            accuracy = (model(x, adjacency).argmax(1) == labels).float().mean().item()
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"seconds": seconds, "megabytes": peak_megabytes(), "accuracy": accuracy}))


if __name__ == "__main__":
    main(*sys.argv[1:4], int(sys.argv[4]))
