"""Figures for eyes and papers: one style, colour-blind safe, PNG and SVG."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import datasets
from datasets.atomic import replacing
from datasets.checks import SPLITS, UNKNOWN

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette: told apart by the colour-blind, and in grey.
COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "grey": "#999999",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "red": "#D55E00",
}
STYLE: dict[Any, Any] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "figure.dpi": 150,
    "font.size": 10,
    "text.parse_math": False,  # a class may be called $x_{$
    "svg.fonttype": "none",
    "svg.hashsalt": "mixhop",  # the same figure gives the same bytes
}


def new_figure(rows: int, columns: int, width: float, height: float) -> tuple[Figure, np.ndarray]:
    """A figure and its axes `[rows, columns]`, in the project's style, without a display."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update(STYLE)
    from matplotlib import pyplot as plt

    return plt.subplots(rows, columns, figsize=(width, height), squeeze=False)


def save(figure: Figure, stem: Path) -> list[Path]:
    """Writes `stem.png` and `stem.svg`, whole or not at all, and closes the figure."""
    from matplotlib import pyplot as plt

    paths = [stem.with_name(f"{stem.name}.{kind}") for kind in ("png", "svg")]
    for path in paths:
        date = {"Date": None} if path.suffix == ".svg" else {}
        with replacing(path) as temporary, warnings.catch_warnings():
            # The user's own names may be in any script; boxes in a picture are enough said.
            warnings.filterwarnings("ignore", "Glyph .* missing")
            figure.savefig(temporary, metadata=date)
    plt.close(figure)
    return paths


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
