"""The report's tables, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from trainers.paper.cells import CLASSICAL
from trainers.paper.presets import CITATION
from trainers.paper.published import paper_tables
from trainers.reporting.comparisons import Rows, SplitRows, against_best, split_leads
from trainers.reporting.results import OverSplits, Result
from trainers.text.markdown import markdown_table
from trainers.text.numbers import NONE, plus_minus

WITHIN = "within"


def cited_table(rows: Rows) -> str:
    """The rows of Table 1 that the paper cites from others, and our mean over all runs beside."""
    cited = {
        row: cells
        for row, cells in paper_tables()["table1_planetoid_splits"].items()
        if not row.startswith("MixHop")
    }
    names = {name: row for row, name in CLASSICAL.items()} | {"Vanilla GCN": "gcn"}
    ours = {(each.row, each.graph): each.summary for each in rows}
    lines = []
    for name, cells in cited.items():
        line = [name]
        for graph in CITATION:
            summary = ours.get((names[name], graph))
            mean = NONE if summary is None else f"{100 * summary.mean:.1f}"
            line += [f"{cells[graph][0]}", mean]
        lines.append(line)
    header = [title for graph in CITATION for title in (f"{graph}, cited", f"{graph}, ours")]
    return markdown_table(["method", *header], lines)


def table(rows: Sequence[Result]) -> str:
    """Paper, ours, difference, runs and settings of every row."""
    header = [
        "graph · model",
        "paper ± sd",
        "ours, best half ± sd",
        "ours, all ± 95 %",
        "difference",
        "against the paper",
        "runs",
        "settings",
    ]
    return markdown_table(header, [_row(each) for each in rows])


def _row(result: Result) -> list[str]:
    name = f"{result.graph} · {result.model}"
    paper = NONE if result.paper is None else plus_minus(*result.paper, digits=None)
    summary = result.summary
    if summary is None:
        return [name, paper, *[NONE] * 3, "", "0", result.settings]
    return [
        name,
        paper,
        plus_minus(100 * summary.best_mean, 100 * summary.best_std),
        plus_minus(100 * summary.mean, 100 * summary.interval),
        NONE if result.difference is None else f"{result.difference:+.2f}",
        "" if result.standing is None else result.standing.value,
        f"{summary.num_runs}" + f" + {result.num_failed} failed" * bool(result.num_failed),
        result.settings,
    ]


def significance(rows: Rows) -> list[str]:
    """Graph by graph, a sentence with Welch's test; see `comparisons.against_best`."""
    return [
        f"- {test.first.graph}: {test.first.model} against {test.second.model}, all runs: "
        f"{plus_minus(test.difference, test.interval, sign=True)} points, "
        f"{_p_value(test.p_value)}."
        for test in against_best(rows)
    ]


def _p_value(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def split_table(rows: SplitRows) -> str:
    """Table 3 on the fixed split and on the further ones, means over all runs."""
    lines = []
    for fixed, further in rows:
        one_more = None if further is None else further.one_more
        lines.append(
            [
                f"{fixed.graph} · {fixed.model}",
                NONE if fixed.paper is None else plus_minus(*fixed.paper, digits=None),
                NONE if fixed.summary is None else f"{100 * fixed.summary.mean:.2f}",
                NONE if further is None else plus_minus(further.mean, further.interval),
                NONE if one_more is None else f"{one_more[0]:.1f} to {one_more[1]:.1f}",
                placed(fixed, further) or "",
                "0" if further is None else str(len(further.means)),
                "0" if further is None else str(further.num_runs),
            ]
        )
    header = ["graph · model", "paper ± sd", "fixed split", "further splits ± 95 %"]
    return markdown_table([*header, "one more split", "paper", "splits", "runs"], lines)


def placed(fixed: Result, further: OverSplits | None) -> str | None:
    """Where the paper's mean lies: `within` the range of one more split, `above` or `below` it."""
    if fixed.paper is None or further is None or further.one_more is None:
        return None
    low, high = further.one_more
    return "below" if fixed.paper[0] < low else "above" if fixed.paper[0] > high else WITHIN


def split_differences(rows: SplitRows) -> list[str]:
    """Graph by graph, a sentence on the further splits; see `comparisons.split_leads`."""
    return [
        f"- {lead.first.graph}: {lead.first.model} against {lead.second.model}: "
        f"{plus_minus(lead.difference, lead.interval, sign=True)} points, on {lead.num_splits} "
        "splits."
        for lead in split_leads(rows)
    ]
