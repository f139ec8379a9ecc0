"""The report's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mixhop_tf import Architecture
from trainers.paper import homophily
from trainers.paper.series import FIGURE_3, FIGURE_4
from trainers.plots import homophily as homophily_plots
from trainers.plots import learning, style, tables
from trainers.plots.tables import TableRow
from trainers.reporting.evidence import Evidence
from trainers.reporting.results import OverSplits, Result
from trainers.sweeps.statistics import Point

# What the kinds of splits are called.
SPLITS = {"given": "20 labels a class", "random": "100 labels a class"}


def draw(evidence: Evidence, folder: Path) -> None:
    """Draws Figures 3 to 5 and Tables 1 and 3, where there are records of them."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(evidence.accuracies.values()):
        lines = {FIGURE_4[name].label: points for name, points in evidence.accuracies.items()}
        note = _note(evidence, evidence.accuracies)
        style.save(homophily_plots.accuracies(lines, note), folder / "figure4")
    if any(evidence.delta_shares.values()):
        lines = {FIGURE_3[name].label: points for name, points in evidence.delta_shares.items()}
        note = _note(evidence, evidence.delta_shares)
        fresh = homophily.fresh_delta_share()
        style.save(homophily_plots.delta_shares(lines, fresh, note), folder / "figure3")
    _draw_tables(evidence, folder)
    _draw_architectures(evidence, folder)


def _draw_tables(evidence: Evidence, folder: Path) -> None:
    """Tables 1 and 3 as pictures."""
    quick = ", quick: few steps" * evidence.plan.quick
    drawn: dict[str, Sequence[tuple[Result, OverSplits | None]]] = {
        "table1": [(each, None) for each in evidence.table_1],
        "table3": evidence.table_3,
    }
    titles = {
        "table1": f"Table 1: Planetoid's splits{quick}",
        "table3": f"Table 3: random splits, 100 labelled nodes a class{quick}",
    }
    for name, rows in drawn.items():
        if any(fixed.runs for fixed, _ in rows):
            picture = tables.accuracies([_row(*each) for each in rows], titles[name])
            style.save(picture, folder / name)


def _row(fixed: Result, further: OverSplits | None) -> TableRow:
    splits = () if further is None else list(further.means.values())
    return TableRow(fixed.graph, fixed.model, fixed.paper, fixed.ours, splits)


def _draw_architectures(evidence: Evidence, folder: Path) -> None:
    """The best architecture that was learned on each graph and split."""
    for learned in evidence.plan.architectures():
        best, data = evidence.best_entry(learned), learned.data
        if best is None:
            continue
        architecture = Architecture.from_dict(best["architecture"])
        subtitle = f"{SPLITS[data.split]}, seed {best['seed']}" + ", quick" * evidence.plan.quick
        picture = learning.architecture(architecture, evidence.plan.load(data), subtitle)
        style.save(picture, folder / f"figure5_{data.file_stem}")


def _note(evidence: Evidence, points: Mapping[str, Sequence[Point]]) -> str:
    return "quick, few steps: " * evidence.plan.quick + homophily.note(points)
