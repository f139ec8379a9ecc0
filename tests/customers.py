"""Customers of whom few leave: weak features, informative neighbours."""

import numpy as np

import datasets


def customers(num_nodes=3000, share=0.05, seed=0, num_edges=4):
    """A graph of customers; those who leave know others who leave more often than chance has it."""
    rng = np.random.default_rng(seed)
    leaves = rng.permutation(num_nodes) < share * num_nodes
    features = rng.normal(size=(num_nodes, 6)).astype(np.float32)
    features[:, :2] += 0.6 * leaves[:, np.newaxis]
    source = np.repeat(np.arange(num_nodes), num_edges)
    target = rng.integers(0, num_nodes, len(source))
    among = leaves[source] & (rng.random(len(source)) < 0.5)
    target[among] = rng.choice(np.flatnonzero(leaves), among.sum())
    edges = np.stack([source, target], axis=1)
    edges = np.unique(np.sort(edges[source != target], axis=1), axis=0)
    graph = datasets.Graph(
        name="customers",
        num_nodes=num_nodes,
        num_classes=2,
        features=features,
        edges=edges,
        labels=leaves.astype(int),
        train=[],
        val=[],
        test=[],
        class_names=("stays", "leaves"),
        node_ids=[f"c{i}" for i in range(num_nodes)],
    )
    return datasets.stratified_split(graph, seed=seed)
