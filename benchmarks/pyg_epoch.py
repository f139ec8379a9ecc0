"""Measures an epoch of PyG's MixHop on batches; `benchmarks.large_graph` runs it in PyG's
environment.

    python benchmarks/pyg_epoch.py STORE TRAIN.npy clusters NODES_OF_A_BATCH PARTITION.npy
    python benchmarks/pyg_epoch.py STORE TRAIN.npy fields TARGETS_OF_A_BATCH

Prints one JSON line, like `large_task.py`. `clusters` is PyG's `ClusterData` and `ClusterLoader`,
with the partition that our training has, so that both see the same batches. `fields` is its
`NeighborLoader` with ten neighbours of each node, two steps far. The model is `pyg_step.MixHop`,
trained with Adam. Epochs are extrapolated as in `large_task.py`, and are not evaluated.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch_geometric.data import Data
from torch_geometric.loader import ClusterData, ClusterLoader, NeighborLoader

from benchmarks.peak_memory import Meter
from benchmarks.pyg_step import MixHop

_MEASURED_NODES = 2_800_000
_FIELD_NODES = 111  # 1 + 10 + 100
_PARTS = 10  # of a batch of clusters
_WARM_UP = 3


class _SameParts(ClusterData):
    """Takes a partition that is given, in place of that of METIS."""

    def __init__(self, data, parts):
        self._parts = torch.from_numpy(parts)
        super().__init__(data, num_parts=int(parts.max()) + 1, log=False)

    def _metis(self, edge_index, num_nodes):  # noqa: ARG002
        return self._parts


def load(store, train):
    """Reads the arrays of a store as PyG's `Data`."""
    folder = Path(store)
    indptr, columns = np.load(folder / "indptr.npy"), np.load(folder / "indices.npy")
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    kept = rows != columns  # the store has self-loops
    edges = torch.from_numpy(np.stack([rows[kept], columns[kept].astype(np.int64)]))
    is_train = torch.zeros(len(indptr) - 1, dtype=torch.bool)
    is_train[torch.from_numpy(np.load(train))] = True
    labels = torch.from_numpy(np.load(folder / "labels.npy").astype(np.int64))
    features = torch.from_numpy(np.load(folder / "features.npy"))
    return Data(x=features, edge_index=edges, y=labels, train_mask=is_train)


def make_loader(data, kind, size, partition):
    """Makes the loader; returns it with the nodes of a batch."""
    if kind == "clusters":
        parts = _SameParts(data, np.load(partition))
        return ClusterLoader(parts, batch_size=_PARTS, shuffle=True), size
    loader = NeighborLoader(
        data, num_neighbors=[10, 10], batch_size=size, input_nodes=data.train_mask, shuffle=True
    )
    return loader, size * _FIELD_NODES


def main(store, train, kind, size, partition=None):
    """Measures and prints the result."""
    torch.manual_seed(0)
    meter = Meter()
    data = load(store, train)
    loader, nodes = make_loader(data, kind, int(size), partition)
    prepared = meter.result()
    model = MixHop(data.num_features, int(data.y.max()) + 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    num_batches = min(len(loader), max(1, _MEASURED_NODES // nodes))
    done = 0
    while done < num_batches + _WARM_UP:
        for batch in loader:
            if done == _WARM_UP:
                meter.restart()
            if done == num_batches + _WARM_UP:
                break
            optimizer.zero_grad()
            logits = model(batch.x, batch.edge_index)
            counted = batch.train_mask if kind == "clusters" else slice(batch.batch_size)
            F.cross_entropy(logits[counted], batch.y[counted]).backward()
            optimizer.step()
            done += 1
    result = meter.result(num_batches / len(loader))
    result |= {f"prepared_{name}": prepared[name] for name in ("seconds", "cpu")}
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
