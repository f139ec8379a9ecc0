"""What the report comes to, in a few sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trainers.reporting.results import OverSplits, Result
from trainers.reporting.tables import WITHIN, placed
from trainers.sweeps.statistics import Point


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
    fixed = [row for row, _ in table_3]
    lines = [
        *_held("Table 1", table_1),
        *_held("Table 3, on one split", fixed, others=True),
    ]
    places = [placed(row, further) for row, further in table_3 if row.row.startswith("mixhop")]
    known = [place for place in places if place is not None]
    if known:
        lines.append(
            "- **Table 3, on further splits**: in "
            f"{_count(known.count(WITHIN), len(known))} rows of MixHop the paper's figure is "
            "within what a single split may give, and that varies."
        )
    return [*lines, *_ahead(figure_4)]


def _held(name: str, rows: Sequence[Result], others: bool = False) -> list[str]:
    """How many rows that the paper has and that were run are as good as the paper's."""
    run = [row for row in rows if row.holds is not None]
    mixhop = [row for row in run if row.row.startswith("mixhop")]
    if not mixhop:
        return []
    above = sum((row.difference or 0.0) >= 0 for row in mixhop)
    line = (
        f"- **{name}**: {_count(_num_held(mixhop), len(mixhop))} rows of MixHop are within one "
        f"standard deviation of the paper's figure or above, {_count(above, len(mixhop))} at or "
        "above its mean."
    )
    rest = [row for row in run if row not in mixhop]
    if others and rest:
        line += f" Of the other models, tuned alike, {_count(_num_held(rest), len(rest))} are."
    return [line]


def _num_held(rows: Sequence[Result]) -> int:
    return sum(bool(row.holds) for row in rows)


def _count(part: int, whole: int) -> str:
    return f"all {whole}" if part == whole else f"{part} of {whole}"


def _ahead(curves: Mapping[str, Sequence[Point]]) -> list[str]:
    """At how many of the levels that all models were run at MixHop has the highest mean."""
    means = [{point.level: point.mean for point in points} for points in curves.values()]
    levels = sorted(set.intersection(*map(set, means))) if means else []
    if not levels:
        return []
    of_mixhop = {point.level: point.mean for point in curves["mixhop"]}
    ahead = [level for level in levels if of_mixhop[level] == max(each[level] for each in means)]
    where = f" ({', '.join(map(str, ahead))})" if 0 < len(ahead) < len(levels) else ""
    return [
        f"- **Figure 4**: MixHop has the highest mean of all models at "
        f"{_count(len(ahead), len(levels))} levels of homophily{where}."
    ]
