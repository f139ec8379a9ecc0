"""Compact networks: learned widths beside even ones, by the number of hidden columns."""

from __future__ import annotations

from collections.abc import Sequence

from mixhop_tf.architecture import HIDDEN_WIDTH, Architecture
from trainers.paper.learn_settings import STABLE
from trainers.reporting.results import Comparison, Result, welch
from trainers.text.markdown import markdown_table
from trainers.text.numbers import NONE, plus_minus

_HEADER = (
    "graph · columns",
    "learned widths",
    "even, best half",
    "learned, best half",
    "even, all",
    "even far, all",
    "learned, all",
    "learned - even, all ± 95 %",
    "runs",
)


def compact_table(compact: Sequence[Result], table_1: Sequence[Result]) -> str:
    """Test accuracies of the best half by validation and of all runs; empty without runs.

    Args:
        compact: The cells of `compact`, with runs.
        table_1: The rows of Table 1, whose default architecture is the even one of 60 columns.
    """
    rows = {(each.graph, each.row): each for each in compact}
    for each in table_1:
        if each.row == "mixhop-default" and each.runs:
            rows[each.graph, f"even-{HIDDEN_WIDTH}"] = each
    lines = []
    for graph, widths in STABLE.items():
        for columns in widths:
            learned, even, far = (
                rows.get((graph, f"{name}-{columns}")) for name in ("stable", "even", "far")
            )
            if learned and even:
                lines.append(_line(f"{graph} · {columns}", learned, even, far))
    return markdown_table(list(_HEADER), lines) if lines else ""


def _line(name: str, learned: Result, even: Result, far: Result | None) -> list[str]:
    return [
        name,
        _widths(learned),
        _best_half(even),
        _best_half(learned),
        _mean(even),
        _mean(far) if far else NONE,
        _mean(learned),
        _gain(welch(learned, even)),
        str(min(len(learned.runs), len(even.runs))),
    ]


def _widths(result: Result) -> str:
    architecture = Architecture.from_dict(result.runs[0]["config"]["architecture"])
    return " → ".join(",".join(map(str, layer.dims)) for layer in architecture.layers)


def _mean(result: Result) -> str:
    summary = result.summary
    return NONE if summary is None else plus_minus(100 * summary.mean, 100 * summary.interval)


def _best_half(result: Result) -> str:
    return NONE if result.ours is None else plus_minus(*result.ours)


def _gain(test: Comparison | None) -> str:
    return NONE if test is None else plus_minus(test.difference, test.interval, sign=True)
