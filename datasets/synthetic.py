"""Generates graphs of a chosen homophily, and reads the ten published ones.

The generator follows Karimi et al. (2018); its details were inferred from the published graphs.
Each new node of class `a` links to `edges_per_node` distinct earlier nodes. It chooses node `u` of
class `b` with probability proportional to `w(a, b) · degree(u)`, where `w(a, a) = h` and
`w(a, b) = (1 - h) · r(distance)`. The classes form a ring, and the distance is counted along it;
`r` halves with each step and sums to one. Growth starts from a path through the first nodes. The
very first node has no edges.
"""

from __future__ import annotations

import dataclasses
import itertools
import logging
import operator
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from datasets import checks
from datasets.checks import IntArray
from datasets.edge_lists import canonical_edges
from datasets.errors import DataError
from datasets.formats.planetoid import adjacency_pairs
from datasets.graph import Graph
from datasets.sources import checksums, is_intact
from datasets.splits import thirds_split

log = logging.getLogger(__name__)

HOMOPHILIES = tuple(step / 10 for step in range(10))
NUM_NODES, NUM_CLASSES, EDGES_PER_NODE = 5000, 10, 6
RADIUS = 300.0  # of the circle of class centres
NUM_RADIAL, _RADIAL_DECAY = 50, 1e-5
COVARIANCE = 350.0 * np.diag([70.0, 20.0])  # of class 0; rotated for the other classes
_SEED_NODES_PER_CLASS = 4
_CHUNK = 65536  # random numbers drawn at once
_NOBODY = np.empty(0, np.int64)
_PATIENCE = 200  # failed draws in a row before classes are drawn without affinity


def name_of(homophily: float) -> str:
    """Returns the name of the graph of a homophily, for example `synthetic-h0.3` for 0.3."""
    return f"synthetic-h{float(homophily)}"


def generate(
    homophily: float,
    *,
    num_nodes: int = NUM_NODES,
    num_classes: int = NUM_CLASSES,
    edges_per_node: int = EDGES_PER_NODE,
    seed: int = 0,
) -> Graph:
    """Generates a graph in which about `homophily` of the edges join two nodes of the same class.

    The two features of a node are the coordinates of a point. The points of class `k` have a
    Gaussian distribution, whose centre lies on a circle at angle `2πk/c`. The first third of the
    nodes trains, the second validates and the last tests, as in the published graphs. Time and
    memory grow linearly with `num_nodes · edges_per_node`.

    Args:
        homophily: Share of edges within a class, from 0 to 1.
        num_nodes: Number of nodes.
        num_classes: Number of classes `c`.
        edges_per_node: Edges that each new node adds.
        seed: Seed of the generator.

    Returns:
        The graph. The same arguments always give the same graph.

    Raises:
        DataError: An argument is out of range.
    """
    sizes = {"num_nodes": num_nodes, "num_classes": num_classes, "edges_per_node": edges_per_node}
    for field, value in (sizes | {"seed": seed}).items():
        checks.whole_number(field, value)
    if not 0.0 <= homophily <= 1.0:
        raise DataError(f"homophily must lie between 0 and 1, but is {homophily}.")
    if num_classes < 1 or (num_classes == 1 and homophily < 1.0):
        raise DataError(
            f"homophily {homophily} needs at least two classes, but there are {num_classes}."
        )
    num_seed = max(_SEED_NODES_PER_CLASS * num_classes, edges_per_node + 2)
    if edges_per_node < 1 or num_nodes <= num_seed:
        raise DataError(
            f"{num_nodes} nodes with {edges_per_node} edges per node are too few: {num_classes} "
            f"classes need more than {num_seed} nodes and at least one edge per node."
        )
    rng = np.random.default_rng(seed)
    labels = rng.integers(num_classes, size=num_nodes)
    features = _features(labels, num_classes, rng)
    edges = _grow(labels, class_affinity(homophily, num_classes), num_seed, edges_per_node, rng)
    return _in_thirds(name_of(homophily), features, edges, labels, num_classes)


def with_radial_features(graph: Graph) -> Graph:
    """Replaces the coordinates of each node by its similarities to 50 points on the class circle.

    Feature `k` is `exp(-1e-5 · ‖x - centre_k‖²)`. The centres are evenly spaced on the circle of
    class centres, so each feature is large in one part of the circle.
    """
    points = _coordinates(graph)
    distances = ((points[:, None] - _on_circle(NUM_RADIAL)) ** 2).sum(axis=2)
    return _with_features(graph, "radial", np.exp(-_RADIAL_DECAY * distances))


def with_summed_features(graph: Graph) -> Graph:
    """Divides the coordinates of each node by their sum: `x / (x + y)` and `y / (x + y)`.

    Kipf and Welling's loader, which GAT's authors also use, normalises features this way. That is
    correct for word counts, which are never negative. For coordinates, a point and its opposite
    become equal.
    """
    points = _coordinates(graph)
    sums = points.sum(axis=1, keepdims=True)
    return _with_features(graph, "summed", points / np.where(sums == 0, 1, sums))


# Endings of a graph's name, and the features that they select.
FEATURES = {"-radial": with_radial_features, "-summed": with_summed_features}


def _coordinates(graph: Graph) -> np.ndarray:
    points = graph.features.toarray().astype(np.float64)
    if points.shape[1] != 2:
        raise DataError(
            f"Radial and summed features need two coordinates, but {graph.name} has "
            f"{points.shape[1]} features; use one of the synthetic graphs."
        )
    return points


def _with_features(graph: Graph, name: str, features: np.ndarray) -> Graph:
    return dataclasses.replace(
        graph, name=f"{graph.name}-{name}", features=sp.csr_array(features.astype(np.float32))
    )


def missing_published(folder: Path, name: str) -> Path | None:
    """Returns the first file of a published graph that `folder` lacks, or None if it has all."""
    homophily = max(level for level in HOMOPHILIES if name.startswith(name_of(level)))
    paths = _published_paths(folder, homophily).values()
    return next((path for path in paths if not path.is_file()), None)


def _published_paths(folder: Path, homophily: float) -> dict[str, Path]:
    stem = f"ind.n{NUM_NODES}-h{homophily:.1f}-c{NUM_CLASSES}"
    return {part: folder / f"{stem}.{part}" for part in ("allx", "ally", "graph")}


def read_published(folder: Path, homophily: float) -> Graph | None:
    """Reads the published graph of a homophily; returns None if `folder` has none of its files."""
    expected = checksums("synthetic")
    paths = _published_paths(folder, homophily)
    if not any(path.is_file() for path in paths.values()):
        stem = paths["graph"].stem
        log.warning("%s does not contain %s.*; the graph is generated instead", folder, stem)
        return None
    for path in paths.values():
        if not is_intact(path, expected[path.name]):
            raise DataError(
                f"{path} is missing, truncated or altered (its SHA-256 is not the published one); "
                "replace it, or leave the data folder out to generate the graph."
            )
    features = np.load(paths["allx"], allow_pickle=False)
    labels = np.load(paths["ally"], allow_pickle=False).argmax(axis=1)
    return _in_thirds(
        name_of(homophily), features, adjacency_pairs(paths["graph"]), labels, NUM_CLASSES
    )


def class_affinity(homophily: float, num_classes: int) -> np.ndarray:
    """Computes the weights `w(a, b)`, `[c, c]`; each row sums to one."""
    steps = np.abs(np.subtract.outer(np.arange(num_classes), np.arange(num_classes)))
    distance = np.minimum(steps, num_classes - steps)
    ring = np.where(distance > 0, 0.5**distance, 0.0)
    ring /= np.maximum(ring.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return homophily * np.eye(num_classes) + (1.0 - homophily) * ring


def _in_thirds(
    name: str, features: np.ndarray, edges: IntArray, labels: IntArray, num_classes: int
) -> Graph:
    graph = Graph(
        name=name,
        num_nodes=len(labels),
        num_classes=num_classes,
        features=sp.csr_array(features),
        edges=canonical_edges(edges, len(labels), name),
        labels=labels,
        train=_NOBODY,
        val=_NOBODY,
        test=_NOBODY,
    )
    return thirds_split(graph, seed=None)


def _features(labels: IntArray, num_classes: int, rng: np.random.Generator) -> np.ndarray:
    angle = 2.0 * np.pi * np.arange(num_classes) / num_classes
    centres = _on_circle(num_classes)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]).transpose(
        2, 0, 1
    )
    noise = rng.standard_normal((len(labels), 2)) * np.sqrt(np.diag(COVARIANCE))
    return (centres[labels] + np.einsum("ni,nij->nj", noise, turn[labels])).astype(np.float32)


def _on_circle(count: int) -> np.ndarray:
    """Places points evenly on the circle, clockwise from the top, as in the published graphs."""
    angle = 2.0 * np.pi * np.arange(count) / count
    return RADIUS * np.stack([np.sin(angle), np.cos(angle)], axis=1)


def _grow(
    labels: IntArray,
    affinity: np.ndarray,
    num_seed: int,
    edges_per_node: int,
    rng: np.random.Generator,
) -> IntArray:
    """Draws the edges, `[m, 2]`.

    They form a path through nodes `1 … num_seed-1`; each later node adds `edges_per_node` edges.
    """
    classes = labels.tolist()
    weights = affinity.tolist()
    even = [1.0] * len(weights)
    # Each class has a ballot, which lists a node once for each of its edges. So a uniform draw from
    # the ballot is a draw in proportion to the degree.
    ballots: list[list[int]] = [[] for _ in weights]
    path = np.stack([np.arange(1, num_seed - 1), np.arange(2, num_seed)], axis=1)
    for node in path.ravel().tolist():
        ballots[classes[node]].append(node)

    draw = _uniform_draws(rng).__next__
    targets: list[int] = []
    for node in range(num_seed, len(classes)):
        reach = _reach(weights[classes[node]], ballots)
        if not reach[-1]:
            reach = _reach(even, ballots)
        chosen: set[int] = set()
        fruitless = 0
        while len(chosen) < edges_per_node:
            ballot = ballots[bisect_right(reach, draw() * reach[-1], hi=len(reach) - 1)]
            before = len(chosen)
            if ballot:
                chosen.add(ballot[int(draw() * len(ballot))])
            fruitless = fruitless + 1 if len(chosen) == before else 0
            if fruitless == _PATIENCE:  # the classes that it may link to have too few nodes
                reach = _reach(even, ballots)
        for target in chosen:
            ballots[classes[target]].append(target)
        ballots[classes[node]].extend([node] * edges_per_node)
        targets.extend(chosen)
    sources = np.repeat(np.arange(num_seed, len(classes)), edges_per_node)
    return np.concatenate([path, np.stack([sources, np.array(targets, dtype=np.int64)], axis=1)])


def _uniform_draws(rng: np.random.Generator) -> Iterator[float]:
    while True:
        yield from rng.random(_CHUNK).tolist()


def _reach(weights: list[float], ballots: list[list[int]]) -> list[float]:
    """Computes running sums of `w(a, b) · degree(class b)`.

    The interval into which a uniform draw falls is the class to link to.
    """
    return list(itertools.accumulate(map(operator.mul, weights, map(len, ballots))))
