"""Generates small graphs whose classes follow a known pattern.

Every node has noisy features of its class: a column for each class, one where it is and zero
elsewhere, plus normal noise. What its neighbours add depends on the pattern alone, so one knows
which powers of the adjacency a model should read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import networkx as nx
import numpy as np
import scipy.sparse as sp

from datasets.errors import DataError
from datasets.graph import Graph
from datasets.splits import random_split

NOISE = 1.5
_NOBODY = np.empty(0, np.int64)
_PER_CLASS, _NUM_VAL, _NUM_TEST = 30, 300, 400

# A networkx graph and the class of each node, in the order of its nodes; -1 is unknown.
Pattern = Callable[[np.random.Generator], tuple["nx.Graph", np.ndarray]]


def communities(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:
    """Four communities; most edges stay within one."""
    return _partition(rng, inside=0.03, outside=0.003)


def opposites(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:
    """Four groups whose members hardly know each other, but everybody else."""
    return _partition(rng, inside=0.001, outside=0.012)


def _partition(
    rng: np.random.Generator, inside: float, outside: float
) -> tuple[nx.Graph, np.ndarray]:
    graph = nx.planted_partition_graph(4, 250, inside, outside, seed=int(rng.integers(2**31)))
    return graph, np.repeat(np.arange(4), 250)


def strangers(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:
    """Random edges, which tell nothing of the class."""
    graph = nx.gnm_random_graph(1000, 4000, seed=int(rng.integers(2**31)))
    return graph, rng.integers(3, size=1000)


def bipartite(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:
    """Two classes; every edge joins one with the other."""
    seed = int(rng.integers(2**31))
    graph = nx.bipartite.gnmk_random_graph(500, 500, 2500, seed=seed)
    return graph, np.repeat([0, 1], 500)


def chessboard(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:  # noqa: ARG001
    """A grid; neighbours have different classes, and nodes two steps away the same."""
    graph = nx.grid_2d_graph(32, 32)
    return graph, np.array([(row + column) % 2 for row, column in graph])


def patches(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:  # noqa: ARG001
    """A grid of square patches, each of one class."""
    graph = nx.grid_2d_graph(32, 32)
    return graph, np.array([(row // 8 + column // 8) % 3 for row, column in graph])


def movies(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:
    """Movies meet only at actors, who have no class; actors keep to a genre."""
    genre = rng.integers(3, size=1000)
    likes = rng.integers(3, size=400)
    graph: nx.Graph = nx.Graph()
    graph.add_nodes_from(range(1400))
    for movie, kind in enumerate(genre):
        weights = np.where(likes == kind, 12.0, 1.0)
        cast = rng.choice(400, 3, replace=False, p=weights / weights.sum())
        graph.add_edges_from((movie, 1000 + int(actor)) for actor in cast)
    return graph, np.concatenate([genre, np.full(400, -1)])


def families(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:
    """A random tree; a node mostly has the class of its parent."""
    graph: nx.Graph = nx.Graph()
    classes = np.zeros(1000, int)
    graph.add_node(0)
    for node in range(1, 1000):
        parent = int(rng.integers(max(0, node - 60), node))
        graph.add_edge(parent, node)
        classes[node] = classes[parent] if rng.random() < 0.85 else rng.integers(3)
    return graph, classes


def generations(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:
    """A random tree; the class is the depth modulo three, so no edge joins equals."""
    graph: nx.Graph = nx.Graph()
    depth = np.zeros(1000, int)
    graph.add_node(0)
    for node in range(1, 1000):
        parent = int(rng.integers(node))
        graph.add_edge(parent, node)
        depth[node] = depth[parent] + 1
    return graph, depth % 3


def neighbourhoods(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:
    """A small world; the class is the arc of the ring."""
    graph = nx.watts_strogatz_graph(1000, 6, 0.1, seed=int(rng.integers(2**31)))
    return graph, np.arange(1000) * 8 // 1000 % 4


def fans(rng: np.random.Generator) -> tuple[nx.Graph, np.ndarray]:
    """A network with hubs (Barabási and Albert); the class is decided by the nearest hub."""
    graph = nx.barabasi_albert_graph(1000, 2, seed=int(rng.integers(2**31)))
    hubs = sorted(graph, key=lambda node: -graph.degree(node))[:9]
    found = nx.multi_source_dijkstra_path(graph, set(hubs))
    kind = {hub: i % 3 for i, hub in enumerate(hubs)}
    return graph, np.array([kind[found[node][0]] for node in graph])


PATTERNS: Mapping[str, Pattern] = {
    each.__name__: each
    for each in (
        communities, opposites, strangers, bipartite, chessboard, patches, movies, families,
        generations, neighbourhoods, fans,
    )
}  # fmt: skip


def pattern(name: str, seed: int = 0) -> Graph:
    """Generates the graph of a pattern, with a random split.

    Args:
        name: One of `PATTERNS`.
        seed: Seed of edges, classes, features and split.

    Returns:
        The graph, with 30 training nodes of each class and 300 validation nodes.

    Raises:
        DataError: There is no such pattern.

    Example:
    >>> pattern("bipartite").homophily()
    0.0
    """
    if name not in PATTERNS:
        raise DataError(f"There is no pattern {name!r}; choose one of {', '.join(PATTERNS)}.")
    rng = np.random.default_rng(seed)
    made, classes = PATTERNS[name](rng)
    index = {node: i for i, node in enumerate(made)}
    num_classes = int(classes.max()) + 1
    # A node without a class has only noise.
    known = np.eye(num_classes)[np.maximum(classes, 0)] * (classes >= 0)[:, np.newaxis]
    graph = Graph(
        name=name,
        num_nodes=len(classes),
        num_classes=num_classes,
        features=sp.csr_array(
            (known + NOISE * rng.standard_normal(known.shape)).astype(np.float32)
        ),
        edges=np.array([(index[u], index[v]) for u, v in made.edges], np.int64),
        labels=classes.astype(np.int64),
        train=_NOBODY,
        val=_NOBODY,
        test=_NOBODY,
    )
    return random_split(
        graph, per_class=_PER_CLASS, num_val=_NUM_VAL, num_test=_NUM_TEST, seed=seed
    )
