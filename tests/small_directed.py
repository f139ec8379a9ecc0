"""Graphs whose classes only directions, or only weights, tell."""

import numpy as np

from mixhop_tf import GraphData


def _split(rng, num_nodes):
    nodes = rng.permutation(num_nodes)
    third = num_nodes // 3
    return {"train": nodes[:third], "val": nodes[third : 2 * third], "test": nodes[2 * third :]}


def directed_graph(seed=0, num_nodes=400, degree=6, directed=True):
    """A ring of four kinds of nodes, (a, 1) → (a, 0) → (b, 0) → (b, 1) → (a, 1), in random order.

    Nodes know their number, 0 or 1, not their letter. Without directions, a mirror exchanges the
    letters and keeps the numbers.
    """
    rng = np.random.default_rng(seed)
    kind = rng.permutation(np.arange(num_nodes) % 4)
    members = [np.flatnonzero(kind == each) for each in range(4)]
    targets = [rng.choice(members[(each + 1) % 4], degree) for each in kind]
    edges = np.stack([np.repeat(np.arange(num_nodes), degree), np.concatenate(targets)], axis=1)
    number = np.array([1.0, 0.0, 0.0, 1.0])[kind]
    return GraphData(
        edges=edges,
        labels=np.array(["a", "a", "b", "b"])[kind],
        features=np.stack([number, 1 - number], axis=1),
        directed=directed,
        **_split(rng, num_nodes),
    )


def one_way_graph(seed=0, num_nodes=400, degree=6):
    """Nodes of class a point to nodes of number 1, those of b to nodes of number 0.

    Only `out` tells the class: the nodes that point to a node have numbers drawn at random.
    """
    rng = np.random.default_rng(seed)
    labels, number = rng.integers(2, size=(2, num_nodes))
    members = [np.flatnonzero(number == each) for each in range(2)]
    targets = [rng.choice(members[each], degree) for each in labels]
    edges = np.stack([np.repeat(np.arange(num_nodes), degree), np.concatenate(targets)], axis=1)
    return GraphData(
        edges=edges,
        labels=np.array(["b", "a"])[labels],
        features=np.stack([number, 1 - number], axis=1).astype(float),
        directed=True,
        **_split(rng, num_nodes),
    )


def weighted_graph(seed=0, num_nodes=400, degree=20, weighted=True):
    """Random edges; those of class a are heavy towards nodes of number 1, those of b towards 0."""
    rng = np.random.default_rng(seed)
    labels, number = rng.integers(2, size=(2, num_nodes))
    edges = rng.integers(num_nodes, size=(num_nodes * degree // 2, 2))
    edges = edges[edges[:, 0] != edges[:, 1]]
    first, second = edges.T
    likes = (labels[first] == number[second]).astype(int) + (labels[second] == number[first])
    return GraphData(
        edges=edges,
        labels=np.array(["b", "a"])[labels],
        features=np.stack([number, 1 - number], axis=1).astype(float),
        edge_weights=9.0 ** (likes - 1) if weighted else None,
        **_split(rng, num_nodes),
    )
