"""`Preset`: hyper-parameters that belong together, and their source."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from mixhop_tf import Recipe


@dataclasses.dataclass(frozen=True, kw_only=True)
class Preset(Recipe):
    """A recipe with its source.

    Args:
        architecture: Further fields of a baseline's architecture, by name.
        source: Where the values come from.
    """

    architecture: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    source: str

    def with_values(
        self,
        learning_rate: float,
        l2: float,
        lasso: float,
        input_dropout: float,
        hidden_dropout: float,
    ) -> Preset:
        """The preset with other tuned values; the schedule and the widths stay.

        As in GAT's paper, attention has the dropout rate of the hidden layer.
        """
        shared = {"attention_dropout": hidden_dropout}
        return dataclasses.replace(
            self,
            settings=dataclasses.replace(
                self.settings, learning_rate=learning_rate, l2=l2, lasso=lasso
            ),
            input_dropout=input_dropout,
            hidden_dropout=hidden_dropout,
            architecture={
                name: shared.get(name, value) for name, value in self.architecture.items()
            },
        )

    def tuned(self, *values: float) -> Preset:
        """The preset with values that `trainers.tune` found."""
        source = "tuned here on validation accuracy, results/records/tuning"
        return dataclasses.replace(self.with_values(*values), source=source)
