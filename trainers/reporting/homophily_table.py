"""A table over homophily: a row for each level, a column for each line of the figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trainers.sweeps.statistics import Point
from trainers.text.markdown import markdown_table
from trainers.text.numbers import NONE, plus_minus


def table(lines: Mapping[str, Sequence[Point]]) -> str:
    """The mean over the graphs and its interval, in percent.

    If a cell has fewer graphs than the others, their number follows in brackets.
    """
    most = max((point.num_graphs for points in lines.values() for point in points), default=0)
    levels = sorted({point.level for points in lines.values() for point in points})
    by_level = {
        name: {point.level: _text(point, most) for point in points}
        for name, points in lines.items()
    }
    rows = [
        [f"{level}", *(texts.get(level, NONE) for texts in by_level.values())] for level in levels
    ]
    return markdown_table(["homophily", *lines], rows)


def _text(point: Point, most: int) -> str:
    unfinished = "" if point.num_graphs == most else f" ({point.num_graphs})"
    return plus_minus(100 * point.mean, 100 * point.interval, 1) + unfinished
