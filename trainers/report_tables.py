"""The report's tables, as Markdown, from a plan's records."""

from __future__ import annotations

import math
from collections.abc import Sequence

from trainers import experiments, plan, results
from trainers.experiments import EXPERIMENTS
from trainers.paper import paper_tables
from trainers.plan import Plan
from trainers.results import Result
from trainers.text_table import markdown_table

_TABLES = {"table1": "table1_planetoid_splits", "table3": "table3_random_splits"}
_NONE = "–"


def rows(chosen: Plan, part: str) -> list[Result]:
    """Every row of Table 1 or 3, graph by graph: cited ones first, then those that are run."""
    found: list[Result] = []
    for graph in experiments.CITATION:
        experiments_here = [each for each in plan.table_rows(part) if each.data.dataset == graph]
        ours = [
            results.result_of(each, chosen.cell(each), plan.ROWS[each.row], chosen.seeds)
            for each in experiments_here
        ]
        # A row of the paper that is not run here, or is a baseline's own, is cited.
        shown = {each.paper[1] for each in experiments_here if each.paper and each.table == part}
        for row in paper_tables()[_TABLES[part]]:
            if row not in shown and (cited := results.cited(_TABLES[part], row, graph)):
                found.append(cited)
        found += ours
    return found


def table(found: Sequence[Result]) -> str:
    """Paper, ours, difference, runs and settings of every row."""
    header = [
        "graph",
        "model",
        "paper ± sd",
        "ours, best half ± sd",
        "difference",
        "",
        "ours, all ± 95 %",
        "runs",
        "settings",
    ]
    return markdown_table(header, [_row(each) for each in found])


def _row(result: Result) -> list[str]:
    paper = _NONE if result.paper is None else _plus_minus(*result.paper, digits=None)
    summary = result.summary
    if summary is None:
        not_run = result.settings if result.settings == "cited" else f"{result.settings}, not run"
        return [result.graph, result.model, paper, *[_NONE] * 2, "", _NONE, _NONE, not_run]
    return [
        result.graph,
        result.model,
        paper,
        _plus_minus(100 * summary.best_mean, 100 * summary.best_std),
        _NONE if result.difference is None else f"{result.difference:+.2f}",
        {True: "✓", False: "✗", None: ""}[result.holds],
        _plus_minus(100 * summary.mean, 100 * summary.interval),
        str(summary.num_runs),
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
    """
    lines = []
    for graph in experiments.CITATION:
        run = [each for each in found if each.graph == graph and len(each.runs) > 1]
        mixhop = [each for each in run if each.model.startswith("MixHop") and "P" not in each.model]
        others = [each for each in run if not each.model.startswith("MixHop")]
        if not mixhop or not others:
            continue
        first = max(mixhop, key=lambda each: each.summary.val_mean if each.summary else 0.0)
        second = max(others, key=lambda each: each.test.mean())
        said = results.welch(first, second)
        lines.append(
            f"- {graph}: {first.model} against {second.model}, all runs: "
            f"{said.difference:+.2f} ± {said.interval:.2f} points, p = {_p_value(said.p_value)}."
        )
    return lines


def _p_value(p: float) -> str:
    if math.isnan(p):
        return "not defined: the runs do not differ"
    return "less than 0.001" if p < 0.001 else f"{p:.3f}"


def split_table(chosen: Plan) -> str:
    """The rows of Table 3 on the fixed split and on the further ones, all runs."""
    lines = []
    for experiment in plan.table_rows("table3"):
        fixed = results.result_of(experiment, chosen.cell(experiment), "", chosen.seeds).summary
        further = results.over_splits(chosen.further(experiment), chosen.further_seeds)
        lines.append(
            [
                experiment.data.dataset,
                plan.ROWS[experiment.row],
                _NONE if fixed is None else f"{100 * fixed.mean:.2f}",
                _NONE if further is None else _plus_minus(further.mean, further.interval),
                "0" if further is None else str(further.num_splits),
                "0" if further is None else str(further.num_runs),
            ]
        )
    header = ["graph", "model", "fixed split", "further splits ± 95 %", "splits", "runs"]
    return markdown_table(header, lines)


def other_cells(chosen: Plan, table_name: str) -> str:
    """The cells of a comparison of our own: `own` or `learned`."""
    found = [
        results.result_of(each, chosen.cell(each), each.row, chosen.seeds)
        for each in EXPERIMENTS.values()
        if each.table == table_name
    ]
    found.sort(key=lambda each: experiments.CITATION.index(each.graph))
    return table([each for each in found if each.runs])
