"""Which rows and lines of the report are compared with which, and by how much they differ."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from trainers.paper import homophily, series
from trainers.paper.cells import ATTENTION_ROW
from trainers.paper.presets import CITATION
from trainers.paper.series import FIGURE_4
from trainers.reporting import results
from trainers.reporting.evidence import Evidence
from trainers.reporting.results import Comparison, OverSplits, Result
from trainers.sweeps.statistics import Point

Rows = Sequence[Result]
SplitRows = Sequence[tuple[Result, OverSplits | None]]


def is_mixhop(row: Result) -> bool:
    """Whether a row is one of the paper's MixHop. Power 1 alone is not: it is a GCN."""
    return row.row.startswith("mixhop") and row.row not in ("mixhop-p1", ATTENTION_ROW)


def against_best(rows: Rows) -> list[Comparison]:
    """Graph by graph, Welch's test of the best row of MixHop against the best other model.

    The best of MixHop is the best by validation accuracy. The best other model is the best by test
    accuracy, so that the choice favours it.
    """
    pairs = []
    for graph in CITATION:
        run = [each for each in rows if each.graph == graph and each.runs]
        mixhop = [each for each in run if is_mixhop(each)]
        others = [each for each in run if not each.row.startswith("mixhop")]
        if mixhop and others:
            first = max(mixhop, key=lambda each: each.summary.val_mean if each.summary else 0.0)
            pairs.append((first, max(others, key=lambda each: each.test.mean())))
    tests = [results.welch(first, second) for first, second in pairs]
    return [test for test in tests if test is not None]


@dataclasses.dataclass(frozen=True)
class SplitLead:
    """By how much a row is ahead of another on the same splits, in percent.

    Attributes:
        first: The row.
        second: The row it is compared with.
        difference: Mean over the splits.
        interval: Half the width of its 95 % interval.
        num_splits: Number of splits that both rows have.
    """

    first: Result
    second: Result
    difference: float
    interval: float
    num_splits: int


def split_leads(rows: SplitRows) -> list[SplitLead]:
    """Graph by graph, on the further splits, the best of MixHop against the best other model.

    The best rows are chosen as in `against_best`.
    """
    leads = []
    for graph in CITATION:
        run = [(row, further) for row, further in rows if row.graph == graph and further]
        mixhop = [each for each in run if is_mixhop(each[0])]
        others = [each for each in run if not each[0].row.startswith("mixhop")]
        if mixhop and others:
            first = max(mixhop, key=lambda each: each[1].val_mean)
            second = max(others, key=lambda each: each[1].mean)
            leads.append(split_lead(first, second))
    return [lead for lead in leads if lead is not None]


def split_lead(
    first: tuple[Result, OverSplits], second: tuple[Result, OverSplits]
) -> SplitLead | None:
    """The lead of a row over another; None if they share fewer than two splits."""
    ahead = first[1].ahead_of(second[1])
    if ahead is None or ahead[2] < 2:
        return None
    return SplitLead(first[0], second[0], *ahead)


@dataclasses.dataclass(frozen=True)
class LevelLead:
    """MixHop against the best other model at one level of homophily.

    Attributes:
        mixhop: The point of MixHop.
        best: The point of the best other model.
        label: Name of that model.
        lead: Mean difference on the same graphs and half its 95 % interval, as shares.
    """

    mixhop: Point
    best: Point
    label: str
    lead: tuple[float, float] | None


def low_homophily_leads(evidence: Evidence) -> list[LevelLead]:
    """Level by level, where neighbours rarely share a class."""
    jobs = evidence.plan.series("figure4")
    at = {
        name: {point.level: point for point in points}
        for name, points in evidence.accuracies.items()
    }
    leads = []
    for level in (level for level in evidence.plan.size.levels if level <= series.LOW_HOMOPHILY):
        # The paper does not compare MixHop with attention.
        others = {
            name: at[name][level]
            for name in series.LABELS
            if name != "mixhop" and level in at.get(name, {})
        }
        if level not in at["mixhop"] or not others:
            continue
        best = max(others, key=lambda name: others[name].mean)
        lead = homophily.lead(jobs["mixhop"], jobs[best], level, homophily.ACCURACY)
        leads.append(LevelLead(at["mixhop"][level], others[best], FIGURE_4[best].label, lead))
    return leads
