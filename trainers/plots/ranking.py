"""ROC and precision-recall curves: how well probabilities rank the nodes of a class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from trainers.plots.many_classes import shortened
from trainers.plots.style import COLOURS, new_figure


def ranking_curves(
    labels: np.ndarray,
    probabilities: np.ndarray,
    class_names: Sequence[str],
    positive: int | None,
    title: str,
) -> Figure:
    """Draws the ROC curve and the precision-recall curve of each class against the rest.

    Args:
        labels: True classes `[n]`.
        probabilities: `[n, c]`.
        class_names: Names of the classes. Of many, those with the most nodes are drawn.
        positive: Of two classes, the one to draw; None draws all.
        title: Stands above the picture.
    """
    from sklearn import metrics  # which takes a while

    figure, axes = new_figure(1, 2, width=9.0, height=4.2)
    roc, precision = axes[0]
    counts = np.bincount(labels, minlength=len(class_names))
    largest = np.argsort(-counts, kind="stable")[: len(COLOURS)]
    drawn = sorted(largest.tolist()) if positive is None else [positive]
    roc.plot([0, 1], [0, 1], color=COLOURS["grey"], linewidth=1, linestyle=":")
    for each, colour in zip(drawn, COLOURS.values(), strict=False):
        truth, share = labels == each, probabilities[:, each]
        if truth.all() or not truth.any():
            continue
        line = {"color": colour, "linewidth": 1.2}
        false, true, _ = metrics.roc_curve(truth, share)
        area = metrics.roc_auc_score(truth, share)
        name = shortened(class_names[each])
        roc.plot(false, true, label=f"{name}, {area:.3f}", **line)
        right, found, _ = metrics.precision_recall_curve(truth, share)
        area = metrics.average_precision_score(truth, share)
        precision.step(found, right, where="post", label=f"{name}, {area:.3f}", **line)
        if positive is not None:
            precision.axhline(truth.mean(), color=COLOURS["grey"], linewidth=1, linestyle=":")
    left_out = len(class_names) - len(drawn) if positive is None else 0
    more = f" ({left_out:,} smaller classes left out)" if left_out else ""
    roc.set(title=f"ROC{more}", xlabel="false positive rate", ylabel="recall")
    precision.set(
        title="Precision and recall", xlabel="recall", ylabel="precision", ylim=(-0.02, 1.02)
    )
    for panel, corner in ((roc, "lower right"), (precision, "best")):
        if panel.get_legend_handles_labels()[0]:
            panel.legend(loc=corner, fontsize=8, framealpha=0.8, edgecolor="white", title="area")
    figure.suptitle(title)
    return figure
