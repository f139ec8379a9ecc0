"""Confusion matrices: which class was predicted for the nodes of which."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from trainers.plots.many_classes import shown_classes
from trainers.plots.style import new_figure, text_colour


def confusion_matrix(counts: np.ndarray, class_names: Sequence[str], title: str) -> Figure:
    """Draws the share of each prediction in colour, and the number of nodes in each cell.

    Args:
        counts: `[c, c]`, nodes of class `i` for which class `j` was predicted.
        class_names: Names of the classes. If there are more than 40, the smallest are grouped.
        title: Stands above the picture.
    """
    places, names = shown_classes(counts.sum(axis=1), class_names)
    num_classes = len(names)
    grouped = np.zeros((num_classes, num_classes), counts.dtype)
    np.add.at(grouped, (places[:, np.newaxis], places), counts)
    counts = grouped
    size = max(4.0, 0.55 * num_classes + 2.0)
    figure, axes = new_figure(1, 1, width=size + 0.8, height=size)
    panel = axes[0, 0]
    totals = counts.sum(axis=1, keepdims=True)
    shares = counts / totals.clip(min=1)
    image = panel.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for i, j in zip(*counts.nonzero(), strict=True):
        colour = text_colour(image.cmap(image.norm(shares[i, j])))
        panel.text(j, i, f"{counts[i, j]:,}", ha="center", va="center", color=colour)
    panel.set_xticks(range(num_classes), names, rotation=45, ha="right")
    panel.set_yticks(range(num_classes), names)
    panel.set(xlabel="predicted", ylabel="label", title=title)
    figure.colorbar(image, label="share of the label's nodes", shrink=0.8)
    return figure
