"""The report's figures, from a plan's records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainers import (
    figures,
    homophily,
    homophily_figures,
    learn_figures,
    report_tables,
    study,
    table_figures,
)
from trainers.data_config import DataConfig
from trainers.experiments import DEFAULT_SEARCH
from trainers.plan import Plan
from trainers.results import OverSplits, Result
from trainers.series import FIGURE_3, FIGURE_4

# What the kinds of splits are called.
SPLITS = {"given": "20 labels a class", "random": "100 labels a class"}


def draw(chosen: Plan, folder: Path) -> None:
    """Draws Figures 3 to 5 and Tables 1 and 3, as far as there are records of them."""
    folder.mkdir(parents=True, exist_ok=True)
    curves = accuracies(chosen)
    if any(curves.values()):
        labelled = {FIGURE_4[name].label: points for name, points in curves.items()}
        figures.save(
            homophily_figures.accuracies(labelled, _note(chosen, curves)), folder / "figure4"
        )
    shares = delta_shares(chosen)
    if any(shares.values()):
        labelled = {FIGURE_3[name].label: points for name, points in shares.items()}
        drawn = homophily_figures.delta_shares(
            labelled, homophily.fresh_delta_share(), _note(chosen, shares)
        )
        figures.save(drawn, folder / "figure3")
    _draw_tables(chosen, folder)
    for data, best in learned(chosen).items():
        architecture = learned_architecture(best)
        subtitle = f"{SPLITS[data.split]}, seed {best['seed']}" + ", quick" * chosen.quick
        figures.save(
            learn_figures.architecture(architecture, data.load(chosen.data_dir), subtitle),
            folder / f"figure5_{data.file_stem}",
        )


def _draw_tables(chosen: Plan, folder: Path) -> None:
    """Tables 1 and 3 as pictures, with what the splits that were run say."""
    quick = ", quick: few steps" * chosen.quick
    drawn: dict[str, Sequence[tuple[Result, OverSplits | None]]] = {
        "table1": [(each, None) for each in report_tables.rows(chosen, "table1")],
        "table3": report_tables.split_rows(chosen),
    }
    titles = {
        "table1": f"Table 1: Planetoid's splits{quick}",
        "table3": f"Table 3: random splits, 100 labelled nodes a class{quick}",
    }
    for name, rows in drawn.items():
        if any(fixed.runs for fixed, _ in rows):
            figures.save(table_figures.accuracies(rows, titles[name]), folder / name)


def accuracies(chosen: Plan) -> dict[str, list[homophily.Point]]:
    """The points of Figure 4, by line."""
    return homophily.curves(chosen.series("figure4"), "test_accuracy")


def delta_shares(chosen: Plan) -> dict[str, list[homophily.Point]]:
    """The points of Figure 3, by line."""
    return homophily.curves(chosen.series("figure3"), homophily.DELTAS)


def _note(chosen: Plan, found: Mapping[str, Sequence[homophily.Point]]) -> str:
    return "quick, few steps: " * chosen.quick + homophily.note(found)


def learned(chosen: Plan) -> dict[DataConfig, dict[str, Any]]:
    """Of each graph and split, the search whose architecture has the best validation accuracy,
    retrained.
    """
    found = {}
    for search in chosen.searches():
        path = search.path(chosen.records_dir)
        worth = {
            (each.search, each.seed): each.retrained
            for each in study.outcomes(path)
            if each.search == DEFAULT_SEARCH
        }
        entries: Sequence[dict[str, Any]] = [
            each for each in study.read(path) if (each["search"], each["seed"]) in worth
        ]
        if entries:
            found[search.data] = max(entries, key=lambda each: worth[each["search"], each["seed"]])
    return found


def learned_architecture(entry: dict[str, Any]) -> Any:
    """The architecture of a search's entry."""
    from mixhop_tf import Architecture

    return Architecture.from_dict(entry["architecture"])
