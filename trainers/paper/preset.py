"""`Preset`: hyper-parameters that belong together, and their source."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from mixhop_tf import Recipe, Settings

# What tuning chooses for a network.
TUNED = ("learning_rate", "l2", "lasso", "input_dropout", "hidden_dropout")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Preset(Recipe):
    """A recipe with its source.

    Args:
        architecture: Further fields of a baseline's architecture, by name.
        source: Where the values come from.
    """

    architecture: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    source: str

    def with_values(self, **values: Any) -> Preset:
        """The preset with other tuned values; the schedule and the widths stay.

        As in GAT's paper, attention has the dropout rate of the hidden layer.

        Args:
            **values: Settings, dropout rates, and fields of the architecture, by name.
        """
        of_settings = {field.name for field in dataclasses.fields(Settings)} & values.keys()
        rates = {"input_dropout", "hidden_dropout"} & values.keys()
        shared = {}
        if "attention_dropout" in self.architecture and "hidden_dropout" in values:
            shared["attention_dropout"] = values["hidden_dropout"]
        others = {name: values[name] for name in values.keys() - of_settings - rates}
        return dataclasses.replace(
            self,
            settings=dataclasses.replace(
                self.settings, **{name: values[name] for name in of_settings}
            ),
            **{name: values[name] for name in rates},
            architecture={**self.architecture, **shared, **others},
        )

    def chosen(self, names: Iterable[str]) -> dict[str, Any]:
        """The values of these names, as `with_values` takes them."""
        places = {**self.architecture, **dataclasses.asdict(self.settings)}
        places |= {"input_dropout": self.input_dropout, "hidden_dropout": self.hidden_dropout}
        return {name: places[name] for name in names}

    def tuned(self, *values: float, **others: Any) -> Preset:
        """The preset with values that `trainers.tune` found, in the order of `TUNED` or by name."""
        source = "tuned here on validation accuracy, results/records/tuning"
        named = dict(zip(TUNED, values, strict=False))
        return dataclasses.replace(self.with_values(**named, **others), source=source)
