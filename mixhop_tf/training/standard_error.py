"""The standard error of a validation metric: how far it may be off by chance."""

from __future__ import annotations

import math

import numpy as np

from mixhop_tf.decision import PLAIN
from mixhop_tf.metrics import score
from mixhop_tf.training.run import Run
from mixhop_tf.training.validation import positive_class

_RESAMPLES = 50


def standard_error(run: Run, seed: int = 0) -> float:
    """Estimates the standard error of the metric that selected a run's best step.

    The error of an accuracy is that of a share. Other metrics are computed on validation nodes
    that are drawn anew with replacement, and their deviation is the error.

    Args:
        run: The run.
        seed: Seed of the draws.
    """
    nodes = run.graph.val
    if run.select_by == "accuracy":
        share = (run.best.val_accuracy * len(nodes) + 1) / (len(nodes) + 2)  # never quite 0 or 1
        return math.sqrt(share * (1 - share) / len(nodes))
    rng, positive = np.random.default_rng(seed), positive_class(run.graph)
    values = []
    for _ in range(_RESAMPLES):
        drawn = rng.choice(nodes, len(nodes))
        # As in `ValidationScore`, before any calibration.
        shares = PLAIN.probabilities(run.logits[drawn].astype(np.float64))
        values.append(score(run.select_by, run.graph.labels[drawn], shares, positive))
    defined = [value for value in values if value > -math.inf]
    return float(np.std(defined)) if defined else 0.0
