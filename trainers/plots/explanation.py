"""The neighbourhood of a node, with edges as thick as what they contributed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mixhop_tf import Explanation
from mixhop_tf.explaining.explanation import strongest
from mixhop_tf.explaining.summary import distance_name
from trainers.plots.style import COLOURS, new_figure

_FOR, _AGAINST = COLOURS["blue"], COLOURS["red"]
_NODES, _NAMES, _BARS = 24, 12, 8
_LEAST = 0.01  # share of the strongest node's contribution from which a node is drawn
_LONGEST = 18  # characters of a name

Places = dict[int, tuple[float, float]]


def explanation_figure(found: Explanation) -> Figure:
    """Draws the strongest nodes around a node, and bars for distances and features.

    Blue speaks for the answer, red against it; lines that speak against it are also dashed.
    """
    figure, axes = new_figure(1, 2, width=9.5, height=5.4)
    picture, right = axes[0]
    parents = _parents(found)
    shown = _shown(found, parents)
    _draw_neighbourhood(picture, found, _places(found.node, shown, parents), shown)
    right.axis("off")
    upper, lower = (right.inset_axes((0.3, y, 0.7, 0.4)) for y in (0.6, 0.04))
    distances = [distance_name(i) for i in range(len(found.by_distance))]
    _bars(upper, [*distances, "constant"], [*found.by_distance.tolist(), found.constant])
    upper.set_title("by distance", fontsize=9)
    chosen = strongest(found.by_feature, _BARS)
    names = [_short(found.names.feature(i)) for i in chosen]
    _bars(lower, names, [float(found.by_feature[i]) for i in chosen])
    lower.set_title("by feature, of all nodes", fontsize=9)
    return figure


def _title(found: Explanation) -> str:
    names = found.class_names
    why = f"Why {_short(found.node_id)} is {_short(names[found.target])}"
    if found.target != found.answer:
        why = f"What speaks for {_short(names[found.target])} at {_short(found.node_id)}"
    return why if found.contrast is None else f"{why} and not {_short(names[found.contrast])}"


def _parents(found: Explanation) -> dict[int, int]:
    """For each node, the reader one step nearer over the edge that carried most."""
    distance = dict(zip(found.nodes.tolist(), found.distances.tolist(), strict=True))
    best: dict[int, tuple[float, int]] = {}
    for (reader, read), value in zip(
        found.edges.tolist(), np.abs(found.edge_contributions).tolist(), strict=True
    ):
        nearer = distance.get(reader, -1) == distance.get(read, -9) - 1
        if nearer and (read not in best or value > best[read][0]):
            best[read] = (value, reader)
    return {node: reader for node, (_, reader) in best.items()}


def _shown(found: Explanation, parents: dict[int, int]) -> list[int]:
    """The strongest nodes, and those between them and the node."""
    shown = [found.node]
    least = _LEAST * np.abs(found.node_contributions).max()
    for i in strongest(found.node_contributions, _NODES):
        if abs(found.node_contributions[i]) < least:
            break
        node = int(found.nodes[i])
        while node not in shown and node in parents:
            shown.append(node)
            node = parents[node]
    return shown


def _places(root: int, shown: list[int], parents: dict[int, int]) -> Places:
    """Places nodes on rings by distance, each in the sector of its parent."""
    children: dict[int, list[int]] = {node: [] for node in shown}
    for node in shown:
        if node != root:
            children[parents[node]].append(node)
    room: dict[int, float] = {}

    def measure(node: int) -> float:
        # Less than in proportion, so that a node with many children leaves room for the others.
        inner = sum(measure(child) for child in children[node])
        room[node] = max(1.0, math.sqrt(inner))
        return room[node]

    places: Places = {root: (0.0, 0.0)}

    def place(node: int, start: float, stop: float, ring: int) -> None:
        at, whole = start, sum(room[child] for child in children[node])
        for child in children[node]:
            end = at + (stop - start) * room[child] / whole
            angle = (at + end) / 2
            places[child] = (ring * math.cos(angle), ring * math.sin(angle))
            place(child, at, end, ring + 1)
            at = end

    measure(root)
    place(root, 0.0, 2 * math.pi, 1)
    return places


def _draw_neighbourhood(axes: Axes, found: Explanation, places: Places, shown: list[int]) -> None:
    carried: dict[tuple[int, int], float] = {}
    for (reader, read), value in zip(
        found.edges.tolist(), found.edge_contributions.tolist(), strict=True
    ):
        if reader in places and read in places:
            pair = (min(reader, read), max(reader, read))
            carried[pair] = carried.get(pair, 0.0) + value
    largest = max(map(abs, carried.values()), default=1.0) or 1.0
    for (first, second), value in sorted(carried.items(), key=lambda item: abs(item[1])):
        (x0, y0), (x1, y1) = places[first], places[second]
        width = 0.5 + 5.5 * abs(value) / largest
        style: Any = "-" if value >= 0 else (0, (3, 1.5))
        colour = _colour(value)
        axes.plot(
            [x0, x1], [y0, y1], color=colour, linestyle=style, linewidth=width, alpha=0.75, zorder=1
        )
    values = dict(zip(found.nodes.tolist(), found.node_contributions.tolist(), strict=True))
    most = max((abs(values.get(node, 0.0)) for node in shown), default=1.0) or 1.0
    for node in shown:
        value = values.get(node, 0.0)
        size = 30 + 260 * abs(value) / most
        edge = "black" if node == found.node else "white"
        axes.scatter(*places[node], s=size, color=_colour(value), edgecolor=edge, zorder=2)
    for node in shown[: _NAMES + 1]:
        x, y = places[node]
        text = _short(found.names.node(node))
        axes.annotate(
            text, (x, y), (0, 9), textcoords="offset points", ha="center", fontsize=7, zorder=3
        )
    kinds = [("speaks for it", 1.0), ("speaks against it", -1.0)]
    handles = [
        Line2D([], [], color=_colour(sign), linewidth=3, linestyle="-" if sign > 0 else "--")
        for _, sign in kinds
    ]
    axes.legend(
        handles,
        [name for name, _ in kinds],
        loc="lower center",
        ncols=2,
        fontsize=8,
        frameon=False,
        bbox_to_anchor=(0.5, -0.06),
    )
    axes.set_title(_title(found), fontsize=10)
    axes.set_aspect("equal")
    axes.margins(0.12)
    axes.axis("off")


def _bars(axes: Axes, names: list[str], values: list[float]) -> None:
    places = np.arange(len(names))
    axes.barh(places, values, color=[_colour(value) for value in values])
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(places, names, fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    axes.invert_yaxis()


def _colour(value: float) -> str:
    return _FOR if value >= 0 else _AGAINST


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
