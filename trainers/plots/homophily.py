"""Figures over homophily: a line with an interval for each model."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainers.plots.style import COLOURS, new_figure
from trainers.sweeps.statistics import Point

# Each model has the same look in every figure, and two lines never differ in their colour alone.
_Look = tuple[str, str, str]
_LOOKS: dict[str, _Look] = {
    "MixHop": ("blue", "o", "-"),
    "MixHop with attention": ("purple", "<", "-."),
    "GCN": ("orange", "s", "-"),
    "Chebyshev": ("green", "^", "-"),
    "GAT": ("red", "D", "-"),
    "MLP, no graph": ("grey", "X", "--"),
    "LP": ("sky", "P", "-."),
    "DeepWalk": ("purple", "v", "--"),
    "ICA": ("red", "h", ":"),
}
_OTHERS: list[_Look] = [("purple", "v", "-"), ("sky", "P", "-."), ("red", "<", ":")]
_THICK = "MixHop"


def accuracies(
    curves: Mapping[str, Sequence[Point]],
    note: str,
    published: Mapping[str, Sequence[Point]] = MappingProxyType({}),
) -> Figure:
    """Draws Figure 4 of the paper: test accuracy against homophily.

    Args:
        curves: Points by label.
        note: Says what the bands are.
        published: Points on the published graphs, drawn as hollow marks.
    """
    figure, panel = _new_panel()
    looks = _looks(curves)
    for label, points in curves.items():
        _draw(panel, points, label, looks[label])
        if label in published:
            _draw_hollow(panel, published[label], looks[label])
    if published:
        panel.plot([], [], "o", color="0.3", markerfacecolor="none", label="the published graphs")
    panel.set_ylabel("test accuracy, %")
    panel.set_title(f"Accuracy against homophily ({note})")
    _legend(panel)
    return figure


def delta_shares(curves: Mapping[str, Sequence[Point]], fresh: float, note: str) -> Figure:
    """Draws Figure 3 of the paper: the share of delta operators against homophily.

    Args:
        curves: Points by label.
        fresh: The share in untrained weights.
        note: Says what the bands are.
    """
    figure, panel = _new_panel()
    looks = _looks(curves)
    for label, points in curves.items():
        _draw(panel, points, label, looks[label])
    panel.axhline(100 * fresh, color=COLOURS["grey"], linestyle="--", label="untrained weights")
    panel.set_ylim(bottom=0)
    panel.set_ylabel("share of delta operators, %")
    panel.set_title(f"Delta operators against homophily ({note})")
    _legend(panel)
    return figure


def _new_panel() -> tuple[Figure, Axes]:
    figure, axes = new_figure(1, 1, width=6.8, height=4.0)
    panel = axes[0, 0]
    panel.set_xlabel("homophily: share of the edges that join two nodes of one class")
    panel.grid(axis="y", color="0.9", linewidth=0.8)
    panel.set_axisbelow(True)
    return figure, panel


def _looks(labels: Iterable[str]) -> dict[str, _Look]:
    others = itertools.cycle(_OTHERS)
    return {label: _LOOKS.get(label) or next(others) for label in labels}


def _draw(panel: Axes, points: Sequence[Point], label: str, look: _Look) -> None:
    colour, marker, dashes = look
    x, mean, spread = _values(points)
    panel.fill_between(
        x, mean - spread, mean + spread, color=COLOURS[colour], alpha=0.2, linewidth=0
    )
    panel.plot(
        x,
        mean,
        color=COLOURS[colour],
        marker=marker,
        markersize=5,
        linestyle=dashes,
        linewidth=2.4 if label == _THICK else 1.6,
        label=label,
    )


def _draw_hollow(panel: Axes, points: Sequence[Point], look: _Look) -> None:
    colour, marker, _ = look
    x, mean, spread = _values(points)
    panel.errorbar(
        x,
        mean,
        yerr=spread,
        color=COLOURS[colour],
        marker=marker,
        markersize=8,
        markerfacecolor="none",
        linestyle="none",
        linewidth=1.0,
    )


def _values(points: Sequence[Point]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Levels, means and intervals in percent. The interval of a single graph is 0."""
    x, mean, spread = (
        np.array([getattr(point, name) for point in points])
        for name in ("level", "mean", "interval")
    )
    return x, 100 * mean, 100 * np.nan_to_num(spread)


def _legend(panel: Axes) -> None:
    panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
