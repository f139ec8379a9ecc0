"""Errors in settings and in training. Their messages name arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

NameOf = Callable[[str], str]


def quoted(name: str) -> str:
    """The name of an argument as a message shows it: `learning_rate`."""
    return f"`{name}`"


class ArgumentError(Exception):
    """An error that names arguments.

    `describe` writes the message with other names: a command line passes a function that turns
    `learning_rate` into `--learning_rate`.
    """

    stage: str | None = None

    def within(self, stage: str) -> Self:
        """This error, with arguments that belong to a stage: `wide.learning_rate`."""
        self.stage = stage
        return self

    def describe(self, name_of: NameOf = quoted) -> str:
        """The message in one sentence."""
        del name_of
        return " ".join(map(str, self.args))

    def __str__(self) -> str:
        return self.describe()

    def _name(self, name: str, name_of: NameOf) -> str:
        return name_of(name if self.stage is None else f"{self.stage}.{name}")


class SettingError(ArgumentError, ValueError):
    """An argument breaks a rule.

    Args:
        name: Name of the argument.
        rule: The rule, such as `must be positive`.
        value: The value that breaks it.

    >>> str(SettingError("learning_rate", "must be positive", -1.0))
    '`learning_rate` must be positive, not -1.0.'
    """

    def __init__(self, name: str, rule: str, value: Any) -> None:
        super().__init__(name, rule, value)
        self.name, self.rule, self.value = name, rule, value

    def describe(self, name_of: NameOf = quoted) -> str:
        """The message in one sentence."""
        many = isinstance(self.value, tuple | list)
        shown = ",".join(map(str, self.value)) if many else repr(self.value)
        return f"{self._name(self.name, name_of)} {self.rule}, not {shown}."


class SplitError(ArgumentError, ValueError):
    """A graph lacks the nodes to train on or to select by.

    Args:
        graph: Name of the graph.
        part: `train`, `val` or `test`.
    """

    def __init__(self, graph: str, part: str) -> None:
        super().__init__(graph, part)
        self.graph, self.part = graph, part

    def describe(self, name_of: NameOf = quoted) -> str:  # noqa: ARG002  # it names no argument
        """The message in one sentence."""
        return f"{self.graph} has no {self.part} nodes; give it a split that has some."


class DivergedError(ArgumentError, ArithmeticError):
    """The loss is no longer a number; the same run would diverge again.

    Args:
        loss: The loss.
        step: Number of updates before.
        lower: The arguments to lower, with their values.
    """

    def __init__(self, loss: float, step: int, lower: dict[str, float]) -> None:
        super().__init__(loss, step, lower)
        self.loss, self.step, self.lower = loss, step, lower

    def describe(self, name_of: NameOf = quoted) -> str:
        """The message in one sentence."""
        when = (
            f"after {self.step} steps: training diverged" if self.step else "before the first step"
        )
        remedies = " or ".join(
            f"{self._name(name, name_of)} (it is {value:g})" for name, value in self.lower.items()
        )
        return f"The loss is {self.loss} {when}; lower {remedies}."


class LassoError(ArgumentError, ValueError):
    """The lasso is too strong: fewer units survive it than the budget asks for.

    Args:
        lasso: The coefficient.
        layer: Number of the layer, from 1 on.
        alive: Number of its units that survive.
        needed: Number of units that the budget asks for.
        units: Name of the units, such as `columns`.
    """

    def __init__(self, lasso: float, layer: int, alive: int, needed: int, units: str) -> None:
        super().__init__(lasso, layer, alive, needed, units)
        self.lasso, self.layer, self.alive = lasso, layer, alive
        self.needed, self.units = needed, units

    def describe(self, name_of: NameOf = quoted) -> str:
        """The message in one sentence."""
        return (
            f"The lasso {self.lasso:g} is too strong: {self.alive} {self.units} of layer "
            f"{self.layer} survive it and the budget asks for {self.needed}; lower "
            f"{self._name('lassos', name_of)}, or ask for less with "
            f"{self._name('budget', name_of)}."
        )
