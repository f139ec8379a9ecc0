"""Pictures of stability selection: the path of the lasso, and accuracy against size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mixhop_tf.pruning.candidates import StableArchitecture
from mixhop_tf.pruning.comparison import gain, scores_of
from mixhop_tf.pruning.stability import PathPoint
from trainers.plots.learning import colour_of, label_of
from trainers.plots.style import COLOURS, new_figure, plain_log_ticks

_STYLES = {
    "even": ("grey", "o", "default architecture"),
    "even far": ("orange", "^", "all powers alike"),
    "learned": ("blue", "s", "learned"),
}


def path(points: Sequence[PathPoint], title: str, *, is_both: bool = False) -> Figure:
    """Draws the surviving units of each layer, and validation accuracy, against the lasso.

    Thin lines are single searches, thick ones their mean.

    Args:
        points: The points of all searches.
        title: Title of the picture.
        is_both: Whether the powers are those of two directions.
    """
    num_layers = len(points[0].alive)
    figure, axes = new_figure(1, num_layers + 1, 3.6 * (num_layers + 1), 3.2)
    figure.suptitle(title)
    for i, panel in enumerate(axes[0, :-1]):
        last = i == num_layers - 1
        panel.set_title("output: surviving groups" if last else f"layer {i + 1}: surviving columns")
        for power in points[0].alive[i]:
            values = {(p.search, p.lasso): float(p.alive[i][power]) for p in points}
            _lines(panel, values, colour_of(power), label_of(power, is_both))
        panel.set_ylim(bottom=0)
        panel.legend(frameon=False)
    accuracy = axes[0, -1]
    accuracy.set_title("validation accuracy, %")
    values = {(p.search, p.lasso): 100 * p.val_accuracy for p in points}
    _lines(accuracy, values, COLOURS["grey"], "")
    for panel in axes[0]:
        panel.set_xscale("log")
        plain_log_ticks(panel.xaxis)
        panel.set_xlabel("lasso coefficient")
    return figure


def _lines(panel: Axes, values: dict[tuple[int, float], float], colour: str, label: str) -> None:
    for search in sorted({search for search, _ in values}):
        own = [(lasso, value) for (number, lasso), value in values.items() if number == search]
        panel.plot(*zip(*own, strict=True), color=colour, alpha=0.25, linewidth=0.8)
    lassos = sorted({lasso for _, lasso in values})
    every = len({search for search, _ in values})
    means = [
        (lasso, float(np.mean(found)))
        for lasso in lassos
        if len(found := [v for (_, each), v in values.items() if each == lasso]) == every
    ]
    if means:
        panel.plot(*zip(*means, strict=True), color=colour, linewidth=2, label=label)


def front(learned: StableArchitecture, title: str) -> Figure:
    """Draws the validation score of learned and even architectures against their width.

    Bars are standard errors over the deals; those of `learned` are of the difference to the default
    architecture of the same width, which sees the same deals.

    Args:
        learned: The result, with several sizes.
        title: Title of the picture.
    """
    figure, axes = new_figure(1, 1, 6.0, 3.8)
    panel = axes[0, 0]
    panel.set_title(title)
    sizes = sorted({name.columns for name in learned.candidates})
    kinds = {name.kind for name in learned.candidates}
    for kind, (colour, marker, label) in _STYLES.items():
        if kind == "even far" and kind not in kinds:
            continue
        means, errors = [], []
        for size in sizes:
            own = _name(learned, size, kind)
            scores = scores_of(learned.scores, own)
            means.append(100 * scores.mean())
            even = f"{size} even"
            spread = scores.std(ddof=1) / np.sqrt(len(scores)) if len(scores) > 1 else 0.0
            errors.append(100 * (spread if own == even else gain(learned.scores, own, even).error))
        panel.errorbar(
            sizes, means, errors, color=COLOURS[colour], marker=marker, capsize=3, label=label
        )
    panel.axvline(learned.chosen.columns, color=COLOURS["green"], linestyle=":", label="chosen")
    panel.set_xscale("log")
    panel.set_xticks(sizes, [str(size) for size in sizes])
    panel.minorticks_off()
    panel.set_xlabel("columns of a hidden layer")
    panel.set_ylabel("validation score, %")
    panel.legend(frameon=False)
    return figure


def _name(learned: StableArchitecture, size: int, kind: str) -> str:
    names = {name.text for name in learned.candidates}
    return next(text for text in (f"{size} {kind}", f"{size} learned hidden") if text in names)
