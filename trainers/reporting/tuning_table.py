"""The table of a search for settings."""

from __future__ import annotations

from collections.abc import Sequence

from trainers.paper.tuning import Trial
from trainers.text.markdown import markdown_table


def table(trials: Sequence[Trial]) -> str:
    """The trials of the last round, with their validation accuracy in percent."""
    rows = [
        [
            _score(trial),
            f"{trial.preset.settings.learning_rate:g}",
            f"{trial.preset.settings.l2:g}",
            f"{trial.preset.settings.lasso:g}",
            f"{trial.preset.input_dropout:g}",
            f"{trial.preset.hidden_dropout:g}",
        ]
        for trial in trials
    ]
    header = ["validation", "learning_rate", "l2", "lasso", "input_dropout", "hidden_dropout"]
    return markdown_table(header, rows)


def _score(trial: Trial) -> str:
    """The metric that decided: a share in percent, or an area or a loss as it is."""
    metric = trial.preset.settings.select_by
    if metric in ("accuracy", "balanced_accuracy", "macro_f1"):
        return f"{100 * trial.val_score:.2f}"
    return f"{abs(trial.val_score):.3f}"
