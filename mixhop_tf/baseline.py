"""The base class of everything that MixHop is compared with, without TensorFlow."""

from __future__ import annotations

import abc
import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from mixhop_tf.notation import MAX_WIDTH, is_rate, shown

VERSION = 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Baseline(abc.ABC):
    """Describes a model that MixHop is compared with.

    Subclasses are frozen data classes: the networks of `mixhop_tf.baselines` and the classical
    methods of `mixhop_tf.methods`.
    """

    model: ClassVar[str]
    uses_weights: ClassVar[bool] = True  # of the edges
    # `to_dict` leaves these fields out at their default: older files do not have them.
    added_later: ClassVar[tuple[str, ...]] = ()

    def _check_counts(self, *names: str, least: int = 1, most: int = MAX_WIDTH) -> None:
        for name in names:
            count = getattr(self, name)
            if not isinstance(count, int) or isinstance(count, bool) or count < least:
                raise ValueError(
                    f"`{name}` must be {least} or more. Received: {name}={shown(count)}"
                )
            if count > most:
                raise ValueError(
                    f"`{name}` must be at most {most:,}. Received: {name}={shown(count)}"
                )

    def _check_flags(self, *names: str) -> None:
        for name in names:
            if not isinstance(getattr(self, name), bool):
                value = shown(getattr(self, name))
                raise ValueError(f"`{name}` must be a bool. Received: {name}={value}")

    def _check_rates(self, *names: str) -> None:
        for name in names:
            rate = getattr(self, name)
            if not isinstance(rate, int | float) or not is_rate(rate):
                raise ValueError(f"`{name}` must be in [0, 1). Received: {name}={shown(rate)}")

    def _check_numbers(self, *names: str, positive: bool = False) -> None:
        for name in names:
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not math.isfinite(value) or value < 0 or (positive and not value):
                rule = "positive" if positive else "0 or more"
                raise ValueError(f"`{name}` must be {rule}. Received: {name}={shown(value)}")

    def _check_choice(self, name: str, choices: tuple[str, ...]) -> None:
        value = getattr(self, name)
        if not isinstance(value, str) or value not in choices:
            raise ValueError(f"`{name}` must be one of {choices}. Received: {name}={shown(value)}")

    def to_dict(self) -> dict[str, Any]:
        """Returns the architecture in plain containers, with its model and a version."""
        fields = dataclasses.asdict(self)
        for field in dataclasses.fields(self):
            if field.name in self.added_later and fields[field.name] == field.default:
                del fields[field.name]
        return {"model": self.model, "version": VERSION, **fields}

    def to_json(self) -> str:
        """Writes JSON that `architecture_from_json` reads; equal architectures give equal text."""
        return json.dumps(self.to_dict(), indent=1) + "\n"

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Restores an architecture from what `to_dict` returned."""
        model, version = content.get("model"), content.get("version")
        if model != cls.model or version != VERSION or isinstance(version, bool):
            raise ValueError(
                f"This is not version {VERSION} of a {cls.model}. Received: "
                f"model={shown(model)}, version={shown(version)}"
            )
        fields = {name: content[name] for name in content if name not in ("model", "version")}
        try:
            return cls(**fields)
        except TypeError as error:
            raise ValueError(f"These are not the fields of a {cls.model}: {shown(error)}") from None

    @property
    def num_columns(self) -> int:
        """Number of columns that the model computes for each node, beside the logits."""
        return 0

    @abc.abstractmethod
    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Counts the trainable weights."""

    def __str__(self) -> str:
        values = (
            (name.replace("_", " "), value) for name, value in dataclasses.asdict(self).items()
        )
        return f"{self.model}: " + ", ".join(f"{name} {_shown(value)}" for name, value in values)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
