"""What the report comes to, in a few sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trainers.homophily import Point
from trainers.report_tables import within_a_split
from trainers.results import OverSplits, Result


def in_short(
    table_1: Sequence[Result],
    table_3: Sequence[tuple[Result, OverSplits | None]],
    figure_4: Mapping[str, Sequence[Point]],
) -> list[str]:
    """A sentence or two for each table and figure of which anything was run.

    Args:
        table_1: Its rows.
        table_3: Its rows, on the fixed split and on further ones.
        figure_4: Its points, by model.
    """
    lines = [
        f"- **{name}**: {_held(found)}"
        for name, found in (
            ("Table 1", _of_mixhop(table_1)),
            ("Table 3, on one split", _of_mixhop([fixed for fixed, _ in table_3])),
        )
        if found
    ]
    marks = [
        within_a_split(fixed, further)
        for fixed, further in table_3
        if fixed.row.startswith("mixhop")
    ]
    told = [mark for mark in marks if mark is not None]
    if told:
        lines.append(
            f"- **Table 3, on further splits**: {_count(sum(told), len(told))} of the paper's "
            "figures for MixHop are ones that a random split may give."
        )
    if figure_4.get("mixhop"):
        lines.append(f"- **Figure 4**: {_ahead(figure_4)}")
    return lines


def _of_mixhop(rows: Sequence[Result]) -> list[Result]:
    """Those that the paper has and that were run."""
    return [row for row in rows if row.row.startswith("mixhop") and row.holds is not None]


def _held(rows: Sequence[Result]) -> str:
    above = sum((row.difference or 0.0) >= 0 for row in rows)
    return (
        f"{_count(sum(bool(row.holds) for row in rows), len(rows))} of MixHop's figures are within "
        f"one standard deviation of the paper's or above, {_count(above, len(rows))} at or above "
        "its mean."
    )


def _count(part: int, whole: int) -> str:
    return f"all {whole}" if part == whole else f"{part} of {whole}"


def _ahead(curves: Mapping[str, Sequence[Point]]) -> str:
    """At how many levels MixHop has the best mean."""
    best: dict[float, float] = {}
    for name, points in curves.items():
        for point in points:
            if name != "mixhop":
                best[point.level] = max(best.get(point.level, 0.0), point.mean)
    levels = [point for point in curves["mixhop"] if point.level in best]
    ahead = [point.level for point in levels if point.mean > best[point.level]]
    where = f": {', '.join(map(str, ahead))}" if 0 < len(ahead) < len(levels) else ""
    return (
        f"MixHop has the best accuracy of all models at {_count(len(ahead), len(levels))} levels "
        f"of homophily{where}."
    )
