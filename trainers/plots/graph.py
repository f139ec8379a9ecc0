"""A graph in pictures: its degrees and its classes."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import datasets
from datasets.checks import SPLITS, UNKNOWN
from trainers.plots.style import COLOURS, new_figure


def graph_statistics(graph: datasets.Graph) -> Figure:
    """Degree distribution, and class sizes by split."""
    figure, axes = new_figure(1, 2, width=9.0, height=3.6)
    figure.suptitle(
        f"{graph.name}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges, "
        f"homophily {graph.homophily():.2f}"
    )
    _draw_degrees(axes[0, 0], graph.degrees())
    _draw_classes(axes[0, 1], graph)
    return figure


def _draw_degrees(axes: Axes, degrees: np.ndarray) -> None:
    counts = np.bincount(degrees)
    present = np.flatnonzero(counts)
    axes.scatter(present, counts[present], s=12, color=COLOURS["blue"])
    # Linear up to 1, so that isolated nodes have their place.
    axes.set_xscale("symlog", linthresh=1)
    axes.set_yscale("log")
    axes.set_xlim(left=-0.2)
    axes.set_ylim(bottom=0.7)
    axes.axvline(degrees.mean(), color=COLOURS["orange"], linestyle="--")
    axes.set(title=f"Degrees (dashed: mean {degrees.mean():.1f})", xlabel="degree", ylabel="nodes")


def _draw_classes(axes: Axes, graph: datasets.Graph) -> None:
    left = np.zeros(graph.num_classes)
    parts = {split: getattr(graph, split) for split in SPLITS}
    used = np.concatenate(list(parts.values()))
    parts["unused"] = np.setdiff1d(np.flatnonzero(graph.labels != UNKNOWN), used)
    for (part, nodes), colour in zip(parts.items(), COLOURS.values(), strict=False):
        sizes = np.bincount(graph.labels[nodes], minlength=graph.num_classes)
        axes.barh(np.arange(graph.num_classes), sizes, left=left, color=colour, label=part)
        left += sizes
    axes.set_yticks(np.arange(graph.num_classes), graph.class_names)
    axes.invert_yaxis()
    axes.set(title="Labelled nodes of each class", xlabel="nodes")
    axes.legend(frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.18), fontsize=8)
