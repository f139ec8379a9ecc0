"""Draws the report's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mixhop_tf import Architecture
from trainers.paper import homophily
from trainers.paper.series import CITED, FIGURE_3, FIGURE_4
from trainers.plots import homophily as homophily_plots
from trainers.plots import learning, style, tables
from trainers.plots.tables import TableRow
from trainers.plots.theorem import fit_errors
from trainers.reporting.evidence import Evidence
from trainers.reporting.results import OverSplits, Result
from trainers.sweeps.statistics import Point

# Names of the kinds of splits.
SPLITS = {"given": "20 labels per class", "random": "100 labels per class"}


def draw(evidence: Evidence, folder: Path) -> None:
    """Draws Figures 3 to 5, Tables 1 and 3 and the theorem, if they have records."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(evidence.accuracies.values()):
        lines = {FIGURE_4[name].label: points for name, points in evidence.accuracies.items()}
        note = _note(evidence, evidence.accuracies)
        style.save(homophily_plots.accuracies(lines, note), folder / "figure4")
    if evidence.cited_accuracies:
        labels = {name: each.label for name, each in {**FIGURE_4, **CITED}.items()}
        lines = {labels[name]: points for name, points in evidence.cited_accuracies.items()}
        note = _note(evidence, evidence.cited_accuracies)
        style.save(homophily_plots.accuracies(lines, note), folder / "figure4_cited")
    if any(evidence.delta_shares.values()):
        lines = {FIGURE_3[name].label: points for name, points in evidence.delta_shares.items()}
        note = _note(evidence, evidence.delta_shares)
        fresh = homophily.fresh_delta_share()
        style.save(homophily_plots.delta_shares(lines, fresh, note), folder / "figure3")
    if not evidence.plan.quick:
        _draw_beyond_the_paper(evidence, folder)
    _draw_tables(evidence, folder)
    _draw_architectures(evidence, folder)


def _draw_beyond_the_paper(evidence: Evidence, folder: Path) -> None:
    """Figure 4 on the published graphs, and the fits of the theorem."""
    if evidence.published:
        lines, marks = (
            {FIGURE_4[name].label: curves[name] for name in evidence.published}
            for curves in (evidence.accuracies, evidence.published)
        )
        note = f"marks: {homophily.note(evidence.published, 'splits')}"
        style.save(homophily_plots.accuracies(lines, note, marks), folder / "figure4_published")
    if evidence.theorem is not None:
        picture = fit_errors(evidence.theorem.errors, evidence.theorem.num_graphs)
        style.save(picture, folder / "theorem")


def _draw_tables(evidence: Evidence, folder: Path) -> None:
    """Draws Tables 1 and 3 as pictures."""
    quick = ", quick: few steps" * evidence.plan.quick
    drawn: dict[str, Sequence[tuple[Result, OverSplits | None]]] = {
        "table1": [(each, None) for each in evidence.table_1],
        "table3": evidence.table_3,
    }
    titles = {
        "table1": f"Table 1: Planetoid's splits{quick}",
        "table3": f"Table 3: random splits, 100 labelled nodes per class{quick}",
    }
    for name, rows in drawn.items():
        if any(fixed.runs for fixed, _ in rows):
            picture = tables.accuracies([_row(*each) for each in rows], titles[name])
            style.save(picture, folder / name)


def _row(fixed: Result, further: OverSplits | None) -> TableRow:
    splits = () if further is None else list(further.means.values())
    return TableRow(fixed.graph, fixed.model, fixed.paper, fixed.ours, splits)


def _draw_architectures(evidence: Evidence, folder: Path) -> None:
    """Draws the best learned architecture of each graph and split."""
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
