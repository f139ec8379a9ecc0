"""Reliability diagrams: how often a model is right when it says how sure it is."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from mixhop_tf.metrics import NUM_BINS, calibration_error, reliability
from trainers.plots.style import COLOURS, new_figure


def reliability_diagram(
    labels: np.ndarray, probabilities: np.ndarray, before: np.ndarray | None, title: str
) -> Figure:
    """Draws accuracy against confidence, and the number of nodes of each confidence.

    Args:
        labels: True classes `[n]`.
        probabilities: `[n, c]`.
        before: Probabilities before calibration; None if there was none.
        title: Stands above the picture.
    """
    figure, axes = new_figure(2, 1, width=4.8, height=5.6)
    upper, lower = axes[:, 0]
    upper.plot([0, 1], [0, 1], color=COLOURS["grey"], linewidth=1, linestyle=":")
    kinds = [("before calibration", before, "orange")] if before is not None else []
    kinds.append(("calibrated" if kinds else "model", probabilities, "blue"))
    edges = np.linspace(0, 1, NUM_BINS + 1)
    for name, shares, colour in kinds:
        points = np.array(reliability(labels, shares))
        error = calibration_error(labels, shares)
        label = f"{name}, error {error:.1%}"
        upper.plot(points[:, 0], points[:, 1], marker="o", ms=4, color=COLOURS[colour], label=label)
        lower.hist(shares.max(axis=1), edges, histtype="step", color=COLOURS[colour], label=name)
    upper.set(title=title, ylabel="accuracy", xlim=(0, 1.02), ylim=(-0.02, 1.02))
    lower.set(xlabel="confidence (largest probability)", ylabel="nodes", xlim=(0, 1.02))
    upper.legend(loc="upper left", fontsize=8, framealpha=0.8, edgecolor="white")
    return figure
