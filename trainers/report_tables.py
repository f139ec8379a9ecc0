"""The report's tables, as Markdown, from a plan's records."""

from __future__ import annotations

import math
from collections.abc import Sequence

from trainers import experiments, plan, results
from trainers.paper import paper_tables
from trainers.plan import Plan
from trainers.results import OverSplits, Result
from trainers.tables import EXPERIMENTS
from trainers.text_table import markdown_table

WITHIN = "within"
_NONE = "–"


def rows(chosen: Plan, part: str) -> list[Result]:
    """Every row of Table 1 or 3 that is run, graph by graph."""
    return [
        results.result_of(each, chosen.cell(each), plan.ROWS[each.row], chosen.seeds)
        for each in plan.table_rows(part)
    ]


def cited_table() -> str:
    """The rows of Table 1 that the paper took from others."""
    found = {
        row: cells
        for row, cells in paper_tables()["table1_planetoid_splits"].items()
        if not row.startswith("MixHop")
    }
    lines = [
        [row, *(f"{cells[graph][0]}" for graph in experiments.CITATION)]
        for row, cells in found.items()
    ]
    return markdown_table(["cited", *experiments.CITATION], lines)


def table(found: Sequence[Result]) -> str:
    """Paper, ours, difference, runs and settings of every row."""
    header = [
        "graph · model",
        "paper ± sd",
        "ours, best half ± sd",
        "ours, all ± 95 %",
        "difference",
        "",
        "runs",
        "settings",
    ]
    return markdown_table(header, [_row(each) for each in found])


def _row(result: Result) -> list[str]:
    name = f"{result.graph} · {result.model}"
    paper = _NONE if result.paper is None else _plus_minus(*result.paper, digits=None)
    summary = result.summary
    if summary is None:
        return [name, paper, *[_NONE] * 3, "", "0", result.settings]
    return [
        name,
        paper,
        _plus_minus(100 * summary.best_mean, 100 * summary.best_std),
        _plus_minus(100 * summary.mean, 100 * summary.interval),
        _NONE if result.difference is None else f"{result.difference:+.2f}",
        {True: "✓", False: "✗", None: ""}[result.holds],
        f"{summary.num_runs}" + f" + {result.num_failed} failed" * bool(result.num_failed),
        result.settings,
    ]


def _plus_minus(mean: float, spread: float | None, digits: int | None = 2) -> str:
    def text(value: float) -> str:
        return f"{value}" if digits is None else f"{value:.{digits}f}"

    if spread is None or math.isnan(spread):
        return text(mean)
    return f"{text(mean)} ± {text(spread)}"


def significance(found: Sequence[Result]) -> list[str]:
    """Graph by graph, Welch's test of the best row of MixHop against the best other model.

    The best of MixHop is the best by validation accuracy, the best other one that by test accuracy.
    Power 1 alone is not MixHop, but a GCN.
    """
    lines = []
    for graph in experiments.CITATION:
        run = [each for each in found if each.graph == graph and each.runs]
        mixhop = [each for each in run if each.row.startswith("mixhop") and each.row != "mixhop-p1"]
        others = [each for each in run if not each.row.startswith("mixhop")]
        if not mixhop or not others:
            continue
        first = max(mixhop, key=lambda each: each.summary.val_mean if each.summary else 0.0)
        second = max(others, key=lambda each: each.test.mean())
        said = results.welch(first, second)
        if said is None:
            continue
        lines.append(
            f"- {graph}: {first.model} against {second.model}, all runs: "
            f"{said.difference:+.2f} ± {said.interval:.2f} points, {_p_value(said.p_value)}."
        )
    return lines


def _p_value(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def split_rows(chosen: Plan) -> list[tuple[Result, OverSplits | None]]:
    """The rows of Table 3: on the fixed split, and on the further ones as far as they were run."""
    return [
        (fixed, results.over_splits(chosen.further(experiment), chosen.further_seeds))
        for fixed, experiment in zip(rows(chosen, "table3"), plan.table_rows("table3"), strict=True)
    ]


def split_table(found: Sequence[tuple[Result, OverSplits | None]]) -> str:
    """The rows of Table 3 on the fixed split and on the further ones, all runs."""
    lines = []
    for fixed, further in found:
        one_more = None if further is None else further.one_more
        lines.append(
            [
                f"{fixed.graph} · {fixed.model}",
                _NONE if fixed.paper is None else _plus_minus(*fixed.paper, digits=None),
                _NONE if fixed.summary is None else f"{100 * fixed.summary.mean:.2f}",
                _NONE if further is None else _plus_minus(further.mean, further.interval),
                _NONE if one_more is None else f"{one_more[0]:.1f} to {one_more[1]:.1f}",
                placed(fixed, further) or "",
                "0" if further is None else str(len(further.means)),
                "0" if further is None else str(further.num_runs),
            ]
        )
    header = ["graph · model", "paper ± sd", "fixed split", "further splits ± 95 %"]
    return markdown_table([*header, "one more split", "paper", "splits", "runs"], lines)


def placed(fixed: Result, further: OverSplits | None) -> str | None:
    """Where the paper's mean lies, `within` what one more split may give, `above` or `below` it."""
    if fixed.paper is None or further is None or further.one_more is None:
        return None
    low, high = further.one_more
    return "below" if fixed.paper[0] < low else "above" if fixed.paper[0] > high else WITHIN


def split_differences(rows: Sequence[tuple[Result, OverSplits | None]]) -> list[str]:
    """Graph by graph, on the same further splits, the best of MixHop against the best other model.

    Which are the best is decided as in `significance`.
    """
    lines = []
    for graph in experiments.CITATION:
        run = [(row, said) for row, said in rows if row.graph == graph and said is not None]
        mixhop = [each for each in run if each[0].row.startswith("mixhop")]
        others = [each for each in run if not each[0].row.startswith("mixhop")]
        if not mixhop or not others:
            continue
        first, ours = max(mixhop, key=lambda each: each[1].val_mean)
        second, best = max(others, key=lambda each: each[1].mean)
        ahead = ours.ahead_of(best)
        if ahead is not None and ahead[2] > 1:
            lines.append(
                f"- {graph}: {first.model} against {second.model}: {ahead[0]:+.2f} ± "
                f"{ahead[1]:.2f} points, on {ahead[2]} splits."
            )
    return lines


def other_rows(chosen: Plan, table_name: str) -> list[Result]:
    """The cells that have been run of a comparison of our own: `own` or `original`."""
    found = [
        results.result_of(each, chosen.cell(each), plan.ROWS.get(each.row, each.row), chosen.seeds)
        for each in EXPERIMENTS.values()
        if each.table == table_name
    ]
    found.sort(key=lambda each: experiments.CITATION.index(each.graph))
    return [each for each in found if each.runs]
