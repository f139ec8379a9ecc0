"""Gives a graph without features stand-ins, and tells whether a model's still fit."""

from __future__ import annotations

import dataclasses
import hashlib

import numpy as np

from datasets.edge_lists import canonical_edges
from datasets.graph import Graph
from datasets.recipes.recipe import Recipe
from datasets.structural import SPECTRAL, structural_features


def with_stand_ins(graph: Graph, where: str, kind: str, recipe: Recipe | None = None) -> Graph:
    """Returns the graph with structural features, which ignore weights and directions.

    Args:
        graph: A graph.
        where: Name of the graph in messages.
        kind: `spectral` or `local`.
        recipe: A recipe whose columns give no features. If it is that of a trained model, its kind
            counts.

    Returns:
        The graph, with a recipe that tells the kind.
    """
    if recipe is not None and recipe.stand_ins:
        kind = recipe.stand_ins
    edges = canonical_edges(graph.edges, graph.num_nodes)
    features, names = structural_features(where, edges, graph.num_nodes, kind)
    columns = () if recipe is None or recipe.used else recipe.columns
    digest = edges_digest(graph) if kind == SPECTRAL else None
    return dataclasses.replace(
        graph, features=features, feature_names=names, recipe=Recipe(columns, kind, digest)
    )


def edges_digest(graph: Graph) -> str:
    """Computes a fingerprint of the nodes and edges, from which stand-ins are made.

    The order of the nodes does not matter. Neither do weights and directions, since stand-ins
    ignore them.
    """
    edges = canonical_edges(graph.edges, graph.num_nodes)
    digest = hashlib.sha256(f"{graph.num_nodes}".encode())
    if graph.node_ids is not None:
        order = np.argsort(graph.node_ids)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        edges = canonical_edges(rank[edges], graph.num_nodes)
        for node in graph.node_ids[order].tolist():
            digest.update(f"{len(node)} {node}".encode())
    digest.update(np.ascontiguousarray(edges, "<i8").data)
    return digest.hexdigest()[:16]
