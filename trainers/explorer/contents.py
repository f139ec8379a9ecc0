"""Collects everything that a page shows."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import mixhop_tf
from datasets.checks import UNKNOWN
from datasets.store.progress import Progress
from trainers.explorer import explanations, nodes
from trainers.explorer.architecture import architecture
from trainers.explorer.embedding_map import coordinates
from trainers.explorer.options import Options
from trainers.explorer.packing import array
from trainers.explorer.quality import quality
from trainers.plots.style import COLOURS
from trainers.reporting.graph_table import class_sizes, statistics
from trainers.runs import scoring
from trainers.runs.predictors import Predictor
from trainers.runs.trained import Trained

# Grey stands for all other classes. Yellow is Okabe and Ito's, like the others.
PALETTE = [colour for name, colour in COLOURS.items() if name != "grey"] + ["#F0E442"]
_THOUSANDTHS = 1_000


def contents(trained: Trained, predictor: Predictor, options: Options) -> dict[str, Any]:
    """Computes what a page shows, in plain containers.

    Args:
        trained: The model and the graph.
        predictor: Computes answers and embeddings.
        options: What the user chose.
    """
    graph, model = trained.graph, trained.model
    answer = predictor.answer()
    scored, name, note = scoring.nodes_to_score(graph, trained.new, trained.same_split)
    scores = scoring.score(graph, answer, scored, model, name=name, same_split=trained.same_split)
    held = nodes.held_nodes(graph, options.seed)
    return {
        "graph": graph.name,
        "directed": graph.directed,
        "numNodes": graph.num_nodes,
        "statistics": statistics(graph),
        "classes": list(model.class_names),
        "classSizes": class_sizes(graph),
        "colours": PALETTE,
        "notes": list(trained.notes),
        "architecture": architecture(model),
        "quality": None if scores is None else quality(scores, note),
        "map": _map(predictor, held, options),
        "nodes": nodes.node_table(graph, answer, held, scored, trained.same_split),
        "explanations": _explained(trained, answer["labels"], held, scored, options),
    }


def _map(predictor: Predictor, held: np.ndarray, options: Options) -> dict[str, Any]:
    """The map of a sample of the nodes, or the reason why there is none."""
    try:
        embeddings = predictor.embeddings()
    except ValueError as error:  # of a model that an earlier version exported
        return {"reason": str(error)}
    drawn = nodes.sample(np.arange(len(held)), options.points, options.seed)
    places = coordinates(embeddings[held[drawn]], options.map, options.seed)
    return {
        "kind": options.map,
        "width": embeddings.shape[1],
        "drawn": array(drawn, "u4"),
        "places": array(places, "f4"),
    }


def _explained(
    trained: Trained,
    answers: np.ndarray,
    held: np.ndarray,
    scored: np.ndarray,
    options: Options,
) -> dict[str, Any]:
    """Explanations of some nodes, or the reason why there are none."""
    graph, model = trained.graph, trained.model
    if model.model is None:
        reason = "An earlier version exported the model, without what an explanation needs."
        return {"reason": f"{reason} Train it again."}
    try:
        explainer = mixhop_tf.Explainer(model, graph, features=trained.features)
    except ValueError as error:
        return {"reason": str(error)}
    is_wrong = (graph.labels[scored] != answers[scored]) & (graph.labels[scored] != UNKNOWN)
    choose = functools.partial(
        explanations.nodes_to_explain, scored[is_wrong], scored, held, seed=options.seed
    )
    with Progress("explaining nodes", _THOUSANDTHS, unit="‰") as progress:
        found = explanations.explanations(
            explainer.explain,
            choose,
            nodes.positions(held, graph.num_nodes),
            graph.feature_names if model.feature_names is None else model.feature_names,
            options.explanation_mb,
            lambda share: progress.at(round(_THOUSANDTHS * share)),
        )
    return found or {"reason": "The page was made without explanations of nodes."}
