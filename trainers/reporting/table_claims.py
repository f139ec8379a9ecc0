"""The paper's claims in Tables 1 and 3, checked against the records."""

from __future__ import annotations

from trainers.paper.cells import CLASSICAL
from trainers.paper.presets import CITATION
from trainers.paper.published import published_figure
from trainers.reporting import results
from trainers.reporting.comparisons import (
    Rows,
    SplitRows,
    against_best,
    is_mixhop,
    split_lead,
    split_leads,
)
from trainers.reporting.results import Result, Standing
from trainers.reporting.tables import WITHIN, placed
from trainers.reporting.verdict import Claim, beyond_chance
from trainers.text.numbers import plus_minus
from trainers.text.sentences import count_of, listed

_STANDINGS = {
    Standing.BETTER: "better than the paper's by more than a standard deviation",
    Standing.AS_GOOD: "within a standard deviation of it",
    Standing.BELOW: "below the paper's by more than a standard deviation",
}
_DEFAULT, _LEARNED = "mixhop-default", "mixhop-searched"


def accuracy(rows: Rows, place: str, text: str) -> Claim:
    """MixHop's rows of a table have the paper's accuracy."""
    run = [row for row in rows if row.row.startswith("mixhop") and row.standing is not None]
    counts = {each: sum(row.standing is each for row in run) for each in Standing}
    groups = {each: count for each, count in counts.items() if count}
    parts = [
        f"{count_of(count, len(run))} are {_STANDINGS[each]}" for each, count in groups.items()
    ]
    why = f"Of the rows of MixHop, {listed(parts)}."
    others = [row for row in rows if row not in run and row.standing is not None]
    if others and counts[Standing.BELOW]:
        below = sum(row.standing is Standing.BELOW for row in others)
        why += f" Of {len(others)} rows of other models, {below} are below it, too."
    checks = [row.standing is not Standing.BELOW for row in run]
    return Claim(place, text, "rows", checks, why)


def lead(rows: Rows) -> Claim:
    """MixHop beats every other model on Planetoid's splits.

    Args:
        rows: Those of Table 1, and those of the baselines under their own papers' settings.
    """
    tests = against_best(rows)
    gcns = against_best([row for row in rows if row.row in ("gcn", _DEFAULT, _LEARNED)])
    ahead = [each for each in gcns if beyond_chance((each.difference, each.interval))]
    why = f"MixHop is ahead of the GCN on {count_of(len(ahead), len(gcns))} graphs. "
    losses: dict[str, list[str]] = {}
    for test in tests:
        if beyond_chance((-test.difference, test.interval)):
            by = f"by {plus_minus(-test.difference, test.interval)} points"
            losses.setdefault(test.second.model, []).append(
                f"{by} on {test.first.graph.capitalize()}"
            )
    leaders = [f"{model} leads {listed(parts)}" for model, parts in losses.items()]
    why += f"{listed(leaders)}." if leaders else "No other model that was run here is ahead of it."
    missing = [
        test.second for test in tests if test.difference < 0 and _not_in_table_1(test.second)
    ]
    if missing:
        names = listed(sorted({row.model for row in missing}))
        why += f" The paper's Table 1 does not list {names}."
    checks = [beyond_chance((test.difference, test.interval)) for test in tests]
    return Claim("Table 1", "MixHop outperforms the other models", "graphs", checks, why)


def lead_over_cited(rows: Rows) -> Claim:
    """MixHop beats the six methods whose figures the paper cites.

    Args:
        rows: Those of Table 1.
    """
    tests = against_best([row for row in rows if is_mixhop(row) or row.row in CLASSICAL])
    parts = [
        f"{_gain(test.difference, test.interval)} points against {test.second.model} on "
        f"{test.first.graph.capitalize()}"
        for test in tests
    ]
    why = f"Run here, the best of MixHop has {listed(parts)}, which is the best of the six there."
    checks = [beyond_chance((test.difference, test.interval)) for test in tests]
    return Claim(
        "Table 1", "MixHop is ahead of the six methods that it cites", "graphs", checks, why
    )


def learned_over_default(table_1: Rows, table_3: SplitRows) -> Claim:
    """Learned architectures beat the default one, wherever the paper has them ahead."""
    gains = {
        f"{graph.capitalize()} (Table 1)": _gain_in_table_1(table_1, graph)
        for graph in CITATION
        if _paper_gain("table1_planetoid_splits", graph)
    } | {
        f"{graph.capitalize()} (Table 3, further splits)": _gain_on_splits(table_3, graph)
        for graph in CITATION
        if _paper_gain("table3_random_splits", graph)
    }
    known = {where: gain for where, gain in gains.items() if gain is not None}
    parts = [f"{_gain(*gain) if any(gain) else 0} on {where}" for where, gain in known.items()]
    why = f"The architectures learned here gain, in points over the default one: {listed(parts)}."
    if (0.0, 0.0) in known.values():
        why += " Where the gain is 0, no search found a better one by validation accuracy."
    text = "a learned architecture beats the default one"
    checks = [beyond_chance(gain) for gain in known.values()]
    return Claim("Tables 1 and 3", text, "gains", checks, why)


def _gain_in_table_1(rows: Rows, graph: str) -> tuple[float, float] | None:
    learned, default = (
        next((row for row in rows if (row.graph, row.row) == (graph, name) and row.runs), None)
        for name in (_LEARNED, _DEFAULT)
    )
    test = learned and default and results.welch(learned, default)
    return (test.difference, test.interval) if test else None


def _gain_on_splits(rows: SplitRows, graph: str) -> tuple[float, float] | None:
    found = {row.row: (row, further) for row, further in rows if row.graph == graph}
    default, learned = found.get(_DEFAULT), found.get(_LEARNED)
    if default is None or default[1] is None:
        return None
    if learned is None:  # the plan has no such row: the default architecture won the search
        return 0.0, 0.0
    if learned[1] is None:
        return None
    lead = split_lead((learned[0], learned[1]), (default[0], default[1]))
    return None if lead is None else (lead.difference, lead.interval)


def further_splits(rows: SplitRows) -> Claim:
    """The paper's accuracy is one that a further split may give."""
    places = [placed(row, further) for row, further in rows if row.row.startswith("mixhop")]
    known = [place for place in places if place is not None]
    checks = [place == WITHIN for place in known]
    why = (
        f"In {count_of(sum(checks), len(checks))} rows of MixHop the paper's accuracy lies in the "
        "range that one more split would give. That range is several points wide, so this is a "
        "weak test."
    )
    text = "MixHop's published accuracy is typical of a split"
    return Claim("Table 3, further splits", text, "rows", checks, why)


def lead_on_splits(rows: SplitRows) -> Claim:
    """MixHop beats every other model on random splits."""
    leads = split_leads(rows)
    parts = [
        f"{_gain(lead.difference, lead.interval)} points against {lead.second.model} on "
        f"{lead.first.graph.capitalize()}"
        for lead in leads
    ]
    why = f"On the same splits, the best of MixHop has {listed(parts)}."
    checks = [beyond_chance((lead.difference, lead.interval)) for lead in leads]
    text = "MixHop outperforms the other models"
    return Claim("Table 3, further splits", text, "graphs", checks, why)


def _paper_gain(table: str, graph: str) -> bool:
    """Whether the paper has its learned architecture ahead of the default one."""
    learned, default = (
        published_figure((table, row), graph) for row in ("MixHop learned", "MixHop default")
    )
    return learned is not None and default is not None and learned[0] > default[0]


def _not_in_table_1(row: Result) -> bool:
    return row.row not in ("gcn", "mixhop-p1", *CLASSICAL)


def _gain(mean: float, interval: float) -> str:
    return plus_minus(mean, interval, sign=True)
