"""How good the answers are: metrics, the confusion matrix and the reliability diagram."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixhop_tf.metrics import reliability
from trainers.plots.many_classes import shown_classes
from trainers.runs.metrics import Scored
from trainers.text.numbers import NONE
from trainers.text.verdict import IN_PERCENT, METRIC_NAMES


def quality(scored: Scored, note: str) -> dict[str, Any]:
    """Describes the metrics of the scored nodes.

    Args:
        scored: The nodes and their metrics.
        note: A sentence about the choice of the nodes; may be empty.
    """
    found = scored.verdict.evaluation
    return {
        "nodes": scored.verdict.nodes,
        "count": found.num_nodes,
        "notes": [*filter(None, [note]), *scored.verdict.warnings()],
        "metrics": [
            ["accuracy", f"{found.accuracy:.1%}"],
            *([name, _value(key, getattr(found, key))] for key, name in METRIC_NAMES.items()),
        ],
        "classes": [
            [each.name, f"{each.precision:.1%}", f"{each.recall:.1%}", f"{each.f1:.1%}"]
            for each in found.classes
        ],
        "confusion": _confusion(np.array(found.confusion), [each.name for each in found.classes]),
        "reliability": [list(each) for each in reliability(scored.labels, scored.probabilities)],
        "uncalibrated": None
        if scored.uncalibrated is None
        else [list(each) for each in reliability(scored.labels, scored.uncalibrated)],
    }


def _confusion(counts: np.ndarray, names: list[str]) -> dict[str, Any]:
    """The matrix; in one of very many classes the smallest share a row."""
    places, shown = shown_classes(counts.sum(axis=1), names)
    grouped = np.zeros((len(shown), len(shown)), np.int64)
    np.add.at(grouped, (places[:, np.newaxis], places), counts)
    return {"names": shown, "places": places.tolist(), "counts": grouped.tolist()}


def _value(key: str, value: float | None) -> str:
    if value is None:
        return NONE
    return f"{value:.1%}" if key in IN_PERCENT else f"{value:.3f}"
