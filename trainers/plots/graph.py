"""A graph in pictures: its degrees and its classes."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

import datasets
from datasets.checks import SPLITS, UNKNOWN
from trainers.plots.many_classes import MOST_CLASSES, shortened, shown_classes
from trainers.plots.style import COLOURS, new_figure, plain_log_ticks


def graph_statistics(graph: datasets.Graph) -> Figure:
    """Draws the degree distribution, and the size of each class, split by split."""
    num_rows = min(graph.num_classes, MOST_CLASSES)
    height = max(3.6, 1.2 + 0.16 * num_rows)
    figure, axes = new_figure(1, 2, width=9.0, height=height)
    figure.suptitle(
        f"{shortened(graph.name)}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges, "
        f"homophily {graph.homophily():.2f}"
    )
    _draw_degrees(axes[0, 0], graph.degrees())
    _draw_classes(axes[0, 1], graph)
    figure.legend(frameon=False, ncols=4, loc="outside lower right", fontsize=8)
    return figure


def _draw_degrees(axes: Axes, degrees: np.ndarray) -> None:
    counts = np.bincount(degrees)
    present = np.flatnonzero(counts)
    axes.scatter(present, counts[present], s=12, color=COLOURS["blue"])
    axes.set_xscale("symlog", linthresh=1)  # linear up to 1: isolated nodes have degree 0
    axes.set_yscale("log")
    plain_log_ticks(axes.xaxis)
    plain_log_ticks(axes.yaxis)
    axes.set_xlim(left=-0.2)
    axes.set_ylim(bottom=0.7)
    axes.axvline(degrees.mean(), color=COLOURS["orange"], linestyle="--")
    axes.set(title=f"Degrees (dashed: mean {degrees.mean():.1f})", xlabel="degree", ylabel="nodes")


def _draw_classes(axes: Axes, graph: datasets.Graph) -> None:
    parts = {split: getattr(graph, split) for split in SPLITS}
    used = np.concatenate(list(parts.values()))
    known = np.flatnonzero(graph.labels != UNKNOWN)
    parts["unused"] = np.setdiff1d(known, used)
    sizes = np.bincount(graph.labels[known], minlength=graph.num_classes)
    places, names = shown_classes(sizes, graph.class_names)
    rows, left = np.arange(len(names)), np.zeros(len(names))
    for (part, nodes), colour in zip(parts.items(), COLOURS.values(), strict=False):
        widths = np.bincount(places[graph.labels[nodes]], minlength=len(names))
        axes.barh(rows, widths, left=left, color=colour, label=part)
        left += widths
    axes.set_yticks(rows, names)
    axes.invert_yaxis()
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(title="Labelled nodes of each class", xlabel="nodes")
