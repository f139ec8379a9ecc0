"""Adds up contributions by node, distance, feature, path and edge."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf.explaining.backward import Backward, Leaf
from mixhop_tf.explaining.explanation import TopNode, strongest
from mixhop_tf.explaining.field import Field, Hop, distances
from mixhop_tf.explaining.forward import Forward
from mixhop_tf.explaining.paths import Path, all_paths

_TOP_NODES, _TOP_FEATURES = 20, 10
_ENTRIES = 2**12  # that are computed at once; they fit into the cache


@dataclasses.dataclass(frozen=True, eq=False)
class Attribution:
    """The contributions to one logit.

    Args:
        features: Scaled features of the nodes, `[k, s]`, sparse or dense.
        slopes: Derivative by the columns of `X kernel`, `[k, w]`.
        kernels: Kernels of the first stage side by side, `[s, w]`.
    """

    node: int
    nodes: np.ndarray
    distances: np.ndarray
    node_contributions: np.ndarray
    paths: dict[Path, float]
    edges: np.ndarray
    edge_contributions: np.ndarray
    constant: float
    rest: float
    features: Any
    slopes: np.ndarray
    kernels: np.ndarray

    def fields(self) -> dict[str, Any]:
        """Returns the fields of an `Explanation` that are made here."""
        by_distance = np.bincount(self.distances, self.node_contributions)
        return {
            "constant": self.constant,
            "rest": self.rest,
            "nodes": self.nodes,
            "distances": self.distances,
            "node_contributions": self.node_contributions,
            "by_distance": by_distance,
            "powers": tuple(self.paths),
            "by_powers": np.array(list(self.paths.values())),
            "feature_contributions": self._by_feature(len(by_distance)),
            "edges": self.edges,
            "edge_contributions": self.edge_contributions,
            "top": self._top(),
        }

    def _by_feature(self, num_distances: int) -> np.ndarray:
        """Adds up contributions by distance and feature: `Σ_w (Xᵀ slopes) ⊙ kernels` for each."""
        num_features, width = self.kernels.shape
        x = self.features
        if hasattr(x, "indptr"):
            # Each distance has columns of its own, so that one product serves all.
            shifts = np.repeat(self.distances * num_features, np.diff(x.indptr))
            shape = (num_distances * num_features, len(self.nodes))
            columns = sp.csc_array((x.data, x.indices + shifts, x.indptr), shape=shape)
            products = (columns @ self.slopes).reshape(num_distances, num_features, width)
        else:
            rows = [np.flatnonzero(self.distances == i) for i in range(num_distances)]
            products = np.stack([x[i].T @ self.slopes[i] for i in rows])
        return np.einsum("dsw,sw->ds", products, self.kernels)

    def _top(self) -> tuple[TopNode, ...]:
        """Finds the strongest nodes with their strongest features."""
        chosen = np.array(strongest(self.node_contributions, _TOP_NODES), np.int64)
        rows = sp.csr_array(self.features[chosen])
        owners = np.repeat(chosen, np.diff(rows.indptr))
        slopes = np.einsum("ew,ew->e", self.slopes[owners], self.kernels[rows.indices])
        found = []
        for i, (start, stop) in zip(chosen, itertools.pairwise(rows.indptr), strict=True):
            values, features = rows.data[start:stop], rows.indices[start:stop]
            contributions = values * slopes[start:stop]
            best = np.array(strongest(contributions, _TOP_FEATURES), np.int64)
            found.append(
                TopNode(int(self.nodes[i]), features[best], values[best], contributions[best])
            )
        return tuple(found)

    def entries(self, num_nodes: int) -> sp.csr_array:
        """Computes the contribution of every entry of the features, sparse `[n, s]`."""
        x = sp.csr_array(self.features)
        owners = np.repeat(np.arange(len(self.nodes)), np.diff(x.indptr))
        values = np.empty_like(x.data)
        for start in range(0, len(values), _ENTRIES):
            part = slice(start, start + _ENTRIES)
            # A dense product would compute all features, most of which are often zero.
            slopes = self.slopes[owners[part]], self.kernels[x.indices[part]]
            values[part] = x.data[part] * np.einsum("ew,ew->e", *slopes)
        counts = np.zeros(num_nodes, np.int64)
        counts[self.nodes] = np.diff(x.indptr)
        indptr = np.concatenate([[0], np.cumsum(counts)])
        return sp.csr_array((values, x.indices, indptr), shape=(num_nodes, x.shape[1]))


def attribute(forward: Forward, node: int, start: np.ndarray, rest: float) -> Attribution:
    """Attributes a logit.

    Args:
        forward: The values of all stages.
        node: The node.
        start: Derivative by the output of the last stage, `[1, d]`.
        rest: What the derivative leaves out.
    """
    root = Field(np.array([node]), forward.sources, [])
    merged = Backward(forward, root, start, by_path=False)
    nodes, slopes, kernels = _joined(merged.leaves, node, forward.features.width)
    contributions = np.zeros(len(nodes))
    for leaf in merged.leaves:
        contributions[np.searchsorted(nodes, leaf.nodes)] += _by_node(forward, leaf)
    every, from_features = forward.output(len(forward.program.stages) - 1, root.nodes)[0]
    edges, flows = _edges(root.hops, forward.sources[0].num_nodes)
    return Attribution(
        node=node,
        nodes=nodes,
        distances=distances(root, nodes, forward.program.hops),
        node_contributions=contributions,
        paths=_paths(forward, root, start),
        edges=edges,
        edge_contributions=flows,
        constant=float(start[0] @ (every - from_features)),
        rest=rest,
        features=forward.feature_rows(nodes),
        slopes=slopes,
        kernels=kernels,
    )


def _joined(
    leaves: Sequence[Leaf], node: int, num_features: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Puts the branches of the first stage side by side: nodes, slopes and kernels.

    There may be no branch that contributes. The node itself is always among the nodes.
    """
    nodes = np.unique(np.concatenate([[node], *(leaf.nodes for leaf in leaves)]))
    slopes = np.zeros((len(nodes), sum(leaf.branch.width for leaf in leaves)))
    at = 0
    for leaf in leaves:
        columns = slice(at, at + leaf.branch.width)
        slopes[np.searchsorted(nodes, leaf.nodes), columns] = leaf.slopes
        at += leaf.branch.width
    kernels = [np.empty((num_features, 0)), *(leaf.branch.kernel for leaf in leaves)]
    return nodes, slopes, np.concatenate(kernels, axis=1)


def _by_node(forward: Forward, leaf: Leaf) -> np.ndarray:
    """Computes what each node of a leaf contributes, `[k]`."""
    values = forward.chain(0, leaf.branch, 0, leaf.nodes)[:, 0]
    return np.einsum("kw,kw->k", values, leaf.slopes)


def _paths(forward: Forward, root: Field, start: np.ndarray) -> dict[Path, float]:
    """Adds up the contributions of each path; a path that contributed nothing has zero."""
    found = dict.fromkeys(all_paths(forward.program), 0.0)
    for leaf in Backward(forward, root, start, by_path=True).leaves:
        total = float(_by_node(forward, leaf).sum())
        found[leaf.path] = found.get(leaf.path, 0.0) + total
    return {path: found[path] for path in sorted(found, key=_path_order)}


def _path_order(path: Path) -> list[tuple[int, int]]:
    """Sorts by powers, backward ones after forward ones and skipped layers first."""
    return [(-1, 0) if power is None else (abs(power), -power) for power in path]


def _edges(hops: Sequence[Hop], num_nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Adds up what each edge carried, without self-loops."""
    keys, flows = [np.empty(0, np.int64)], [np.empty(0)]
    for hop in hops:
        readers, read = hop.readers[hop.owners], hop.rows.indices.astype(np.int64)
        kept = (readers != read) & (hop.flow != 0)
        keys.append(readers[kept] * num_nodes + read[kept])
        flows.append(hop.flow[kept])
    found, places = np.unique(np.concatenate(keys), return_inverse=True)
    totals = np.bincount(places, np.concatenate(flows), minlength=len(found))
    return np.stack([found // num_nodes, found % num_nodes], axis=1), totals
