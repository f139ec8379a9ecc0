"""The table of a search for settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainers.paper.tuning import Trial
from trainers.text.markdown import markdown_table


def table(trials: Sequence[Trial], names: Sequence[str]) -> str:
    """The trials of the last round, with their validation accuracy in percent.

    Args:
        trials: The trials.
        names: The values that were tuned, by name.
    """
    rows = [[_score(trial), *map(_shown, trial.preset.chosen(names).values())] for trial in trials]
    return markdown_table(["validation", *names], rows)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else f"{value:g}"


def _score(trial: Trial) -> str:
    """The metric that decided: a share in percent, or an area or a loss as it is."""
    metric = trial.preset.settings.select_by
    if metric in ("accuracy", "balanced_accuracy", "macro_f1"):
        return f"{100 * trial.val_score:.2f}"
    return f"{abs(trial.val_score):.3f}"
