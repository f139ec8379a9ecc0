"""Tables 1 and 3 as pictures: the paper's figures and ours, on one split and on several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from trainers.experiments import CITATION
from trainers.figures import COLOURS, new_figure
from trainers.results import OverSplits, Result

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ABOVE, _BELOW = -0.17, 0.17  # of the line of a row, for what would hide each other


def accuracies(rows: Sequence[tuple[Result, OverSplits | None]], title: str) -> Figure:
    """A panel a graph, a line a row: the paper's mean and deviation, and ours by its protocol.

    A dot is drawn for each further split; it is they that tell what a single one is worth.
    """
    graphs = [graph for graph in CITATION if any(row.graph == graph for row, _ in rows)]
    most = max(sum(row.graph == graph for row, _ in rows) for graph in graphs)
    figure, axes = new_figure(1, len(graphs), width=3.9 * len(graphs), height=1.5 + 0.36 * most)
    figure.suptitle(title)
    for panel, graph in zip(axes[0], graphs, strict=True):
        _draw_graph(panel, graph, [each for each in rows if each[0].graph == graph])
    handles: dict[str, Artist] = {}
    for panel in axes[0]:
        found, labels = panel.get_legend_handles_labels()
        handles |= dict(zip(labels, found, strict=True))
    figure.legend(
        list(handles.values()),
        list(handles),
        frameon=False,
        loc="outside lower center",
        ncols=len(handles),
    )
    return figure


def _draw_graph(panel: Axes, graph: str, rows: Sequence[tuple[Result, OverSplits | None]]) -> None:
    for y, (row, further) in enumerate(rows):
        if further is not None:
            means = list(further.means.values())
            label = "ours, further splits, a dot each"
            panel.plot(means, [y] * len(means), ".", color=COLOURS["sky"], alpha=0.7, label=label)
        if row.paper is not None:
            mean, spread = row.paper
            _draw(panel, mean, spread, y + _ABOVE, "D", "orange", "white", "paper ± sd")
        if row.ours is not None:
            mean, spread = row.ours
            label = "ours ± sd, by the paper's protocol"
            _draw(panel, mean, spread, y + _BELOW, "o", "blue", COLOURS["blue"], label)
    panel.set_yticks(range(len(rows)), [row.model for row, _ in rows], fontsize=8)
    panel.set_ylim(len(rows) - 0.5, -0.5)
    panel.grid(axis="x", color="0.9", linewidth=0.8)
    panel.set_axisbelow(True)
    panel.set(title=graph, xlabel="test accuracy, %")


def _draw(
    panel: Axes,
    mean: float,
    spread: float | None,
    y: float,
    marker: str,
    colour: str,
    face: str,
    label: str,
) -> None:
    """A mark with its deviation, if that is known."""
    panel.errorbar(
        mean,
        y,
        xerr=None if spread is None or math.isnan(spread) else spread,
        marker=marker,
        markerfacecolor=face,
        color=COLOURS[colour],
        linestyle="none",
        elinewidth=1.4,
        label=label,
    )
