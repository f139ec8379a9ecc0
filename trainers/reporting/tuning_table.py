"""What tuning found."""

from __future__ import annotations

from collections.abc import Sequence

from trainers.paper.tuning import Trial
from trainers.text.markdown import markdown_table


def table(trials: Sequence[Trial]) -> str:
    """The trials of the last round, validation accuracy in percent."""
    rows = [
        [
            f"{100 * trial.val_accuracy:.2f}",
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
