"""Tables 1 and 3 as pictures: the paper's accuracies and ours, on one split and on several."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainers.plots.style import COLOURS, new_figure

_ABOVE, _BELOW = -0.17, 0.17  # shifts within a row, so that marks do not hide each other


@dataclasses.dataclass(frozen=True)
class TableRow:
    """A row of a table, in percent.

    Attributes:
        graph, model: The model, and the graph it was trained on.
        paper: Mean and standard deviation in the paper, if it has the row.
        ours: The same for our runs, by the paper's protocol, if there are any.
        splits: Our mean on each further split.
    """

    graph: str
    model: str
    paper: tuple[float, float | None] | None
    ours: tuple[float, float] | None
    splits: Sequence[float] = ()


def accuracies(rows: Sequence[TableRow], title: str) -> Figure:
    """Draws a panel for each graph and a row for each model: the paper's mean ± sd, and ours.

    Each further split is a dot. The dots show how much a single split can be off.
    """
    graphs = list(dict.fromkeys(row.graph for row in rows))
    longest = max(graphs, key=lambda graph: sum(row.graph == graph for row in rows))
    models = [row.model for row in rows if row.graph == longest]
    models += [row.model for row in rows if row.model not in models]
    lines = {model: y for y, model in enumerate(dict.fromkeys(models))}
    width, height = 2.0 + 3.3 * len(graphs), 1.5 + 0.36 * len(lines)
    figure, axes = new_figure(1, len(graphs), width, height)
    figure.suptitle(title)
    for panel, graph in zip(axes[0], graphs, strict=True):
        for row in rows:
            if row.graph == graph:
                _draw_row(panel, lines[row.model], row)
        panel.set_yticks(range(len(lines)), [])
        panel.set_ylim(len(lines) - 0.5, -0.5)
        panel.grid(axis="x", color="0.9", linewidth=0.8)
        panel.set_axisbelow(True)
        panel.set(title=graph, xlabel="test accuracy, %")
    axes[0, 0].set_yticks(range(len(lines)), list(lines), fontsize=8)
    handles: dict[str, Artist] = {}
    for panel in axes[0]:
        artists, labels = panel.get_legend_handles_labels()
        handles |= dict(zip(labels, artists, strict=True))
    figure.legend(
        list(handles.values()),
        list(handles),
        frameon=False,
        loc="outside lower center",
        ncols=len(handles),
    )
    return figure


def _draw_row(panel: Axes, y: int, row: TableRow) -> None:
    if row.splits:
        label = "ours, one dot per further split"
        panel.plot(
            row.splits, [y] * len(row.splits), ".", color=COLOURS["sky"], alpha=0.7, label=label
        )
    if row.paper is not None:
        mean, spread = row.paper
        _draw(panel, mean, spread, y + _ABOVE, "D", "orange", "white", "paper ± sd")
    if row.ours is not None:
        mean, spread = row.ours
        label = "ours ± sd, by the paper's protocol"
        _draw(panel, mean, spread, y + _BELOW, "o", "blue", COLOURS["blue"], label)


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
    """Draws a mark with its deviation, if that is known."""
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
