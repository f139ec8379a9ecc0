"""The report's figures, from a plan's records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import datasets
from trainers import figures, homophily, homophily_figures, learn_figures, study
from trainers.experiments import DEFAULT_SEARCH
from trainers.plan import Plan
from trainers.series import FIGURE_3, FIGURE_4


def draw(chosen: Plan, folder: Path) -> None:
    """Draws Figures 3 to 5, as far as there are records of them."""
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
    for graph, best in learned(chosen).items():
        loaded = datasets.load(graph, chosen.data_dir)
        architecture = learned_architecture(best)
        subtitle = f"{best['search']}, seed {best['seed']}" + ", quick" * chosen.quick
        figures.save(
            learn_figures.architecture(architecture, loaded, subtitle), folder / f"figure5_{graph}"
        )


def accuracies(chosen: Plan) -> dict[str, list[homophily.Point]]:
    """The points of Figure 4, by line."""
    return homophily.curves(chosen.series("figure4"), "test_accuracy")


def delta_shares(chosen: Plan) -> dict[str, list[homophily.Point]]:
    """The points of Figure 3, by line."""
    return homophily.curves(chosen.series("figure3"), homophily.DELTAS)


def _note(chosen: Plan, found: Mapping[str, Sequence[homophily.Point]]) -> str:
    return "quick, few steps: " * chosen.quick + homophily.note(found)


def learned(chosen: Plan) -> dict[str, dict[str, Any]]:
    """Of each graph, the search whose architecture has the best validation accuracy, retrained."""
    found = {}
    for graph in chosen.size.searched:
        path = chosen.records_dir / "search" / f"{graph}.json"
        worth = {
            (each.search, each.seed): each.retrained
            for each in study.outcomes(path)
            if each.search == DEFAULT_SEARCH
        }
        entries: Sequence[dict[str, Any]] = [
            each for each in study.read(path) if (each["search"], each["seed"]) in worth
        ]
        if entries:
            found[graph] = max(entries, key=lambda each: worth[each["search"], each["seed"]])
    return found


def learned_architecture(entry: dict[str, Any]) -> Any:
    """The architecture of a search's entry."""
    from mixhop_tf import Architecture

    return Architecture.from_dict(entry["architecture"])
