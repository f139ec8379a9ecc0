"""Tables of a study: ways to learn an architecture, compared by validation accuracy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from trainers.paper import study
from trainers.paper.learn_settings import DEFAULT_WAY, WAYS
from trainers.paper.presets import CITATION
from trainers.paper.study import DEFAULT_ENTRY, Outcome
from trainers.sweeps.errors import RunError
from trainers.sweeps.statistics import deviation
from trainers.text.markdown import markdown_table
from trainers.text.numbers import NONE, plus_minus


def comparison(graphs: Mapping[str, Iterable[Outcome]], ways: Sequence[str]) -> str:
    """A row for each way, a column for each graph: mean ± sd of the retrained architectures."""
    rows = []
    for way in (DEFAULT_ENTRY, *ways):
        row = [way]
        for outcomes in graphs.values():
            values = np.array([100 * each.retrained for each in outcomes if each.way == way])
            row.append(plus_minus(values.mean(), deviation(values)) if len(values) else NONE)
        rows.append(row)
    return markdown_table(["search", *graphs], rows)


def details(graphs: Mapping[str, Iterable[Outcome]], way: str) -> str:
    """A row for each seed of one way: the widths, and the accuracies in percent.

    The default architecture, which needs no search, comes first.
    """
    rows = [
        [
            name,
            NONE if each.way == DEFAULT_ENTRY else str(each.seed),
            NONE if each.wide is None else f"{100 * each.wide:.1f}",
            each.alive or NONE,
            each.widths,
            f"{100 * each.retrained:.2f}",
        ]
        for name, outcomes in graphs.items()
        for each in outcomes
        if each.way in (DEFAULT_ENTRY, way)
    ]
    header = ["graph", "seed", "wide", "alive, power by power", "widths", "retrained"]
    return markdown_table(header, rows)


def report(folder: Path) -> str:
    """Tables of validation accuracy in percent: all ways to learn, then the default way in detail.

    Planetoid's splits come first, then all others.
    """
    stems = {path.stem for path in folder.glob("*.json")}
    if not stems:
        raise RunError(f"There is no study in {folder}; run one, or name another folder.")
    known = [name for name in CITATION if name in stems]
    tables = []
    for names in (known, sorted(stems - set(known))):
        graphs = {name: study.outcomes(folder / f"{name}.json") for name in names}
        if graphs:
            tables.append(comparison(graphs, list(WAYS)))
            tables.append(details(graphs, DEFAULT_WAY))
    return "\n\n".join(tables)
