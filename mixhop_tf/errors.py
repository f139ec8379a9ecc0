"""Errors in settings and in training, with messages that name the arguments to change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from mixhop_tf.notation import shortened, shown

NameOf = Callable[[str], str]


def quoted(name: str) -> str:
    """Puts the name of an argument between backticks, as messages in Python show it."""
    return f"`{name}`"


class ArgumentError(Exception):
    """An error whose message names arguments.

    `str(error)` names them as Python does. `describe` can name them in another way: a command line
    passes a function that turns `learning_rate` into `--learning_rate`.
    """

    stage: str | None = None

    def within(self, stage: str) -> Self:
        """Marks the arguments as those of a stage, so that they become `wide.learning_rate`.

        Args:
            stage: Name of the stage, such as `wide` or `retrain`.

        Returns:
            This error.
        """
        self.stage = stage
        return self

    def describe(self, name_of: NameOf = quoted) -> str:
        """Writes the message.

        Args:
            name_of: Turns the name of an argument into the text that stands for it.

        Returns:
            The message, on one line.
        """
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
        rule: The rule that follows the name in the message, such as `must be positive`.
        value: The value that breaks the rule. It is left out of the message if it is None or if the
            rule already shows it.

    Example:
    >>> from mixhop_tf import SettingError
    >>> str(SettingError("learning_rate", "must be positive", -1.0))
    '`learning_rate` must be positive. Received: -1.0'
    >>> SettingError("powers", "must be distinct", (1, 1)).describe("--{}".format)
    '--powers must be distinct. Received: 1,1'
    """

    def __init__(self, name: str, rule: str, value: Any = None) -> None:
        super().__init__(name, rule, value)
        self.name, self.rule, self.value = name, rule, value

    def describe(self, name_of: NameOf = quoted) -> str:
        """Writes the message; see `ArgumentError.describe`."""
        message = f"{self._name(self.name, name_of)} {self.rule}."
        if self.value is None:
            return message
        # A tuple looks as it does on a command line.
        many = isinstance(self.value, tuple) and self.value
        received = shortened(",".join(map(str, self.value))) if many else shown(self.value)
        return (
            message if f"Received: {received}" in self.rule else f"{message} Received: {received}"
        )


class SplitError(ArgumentError, ValueError):
    """A graph has no nodes in a part of its split that training needs.

    Args:
        graph: Name of the graph.
        part: Name of the empty part: `train`, `val` or `test`.
    """

    def __init__(self, graph: str, part: str) -> None:
        super().__init__(graph, part)
        self.graph, self.part = graph, part

    def describe(self, name_of: NameOf = quoted) -> str:  # noqa: ARG002  # it names no argument
        """Writes the message; see `ArgumentError.describe`."""
        return f"{self.graph} has no {self.part} nodes; give it a split that has some."


class DivergedError(ArgumentError, ArithmeticError):
    """The loss has become infinite or NaN.

    A run is deterministic, so the same run would diverge again.

    Args:
        loss: The loss, which is infinite or NaN.
        step: Number of updates before the loss was computed.
        lower: The arguments that should be lowered, with their current values.
    """

    def __init__(self, loss: float, step: int, lower: dict[str, float]) -> None:
        super().__init__(loss, step, lower)
        self.loss, self.step, self.lower = loss, step, lower

    def describe(self, name_of: NameOf = quoted) -> str:
        """Writes the message; see `ArgumentError.describe`."""
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
        lasso: The coefficient of the lasso.
        layer: Number of the layer; the first one is 1.
        alive: Number of units that survive in this layer.
        needed: Number of units that the budget asks for in this layer.
        units: What a unit is called in the plural, such as `columns`.
    """

    def __init__(self, lasso: float, layer: int, alive: int, needed: int, units: str) -> None:
        super().__init__(lasso, layer, alive, needed, units)
        self.lasso, self.layer, self.alive = lasso, layer, alive
        self.needed, self.units = needed, units

    def describe(self, name_of: NameOf = quoted) -> str:
        """Writes the message; see `ArgumentError.describe`."""
        return (
            f"The lasso {self.lasso:g} is too strong: in layer {self.layer} it leaves {self.alive} "
            f"{self.units}, but the budget asks for {self.needed}; lower "
            f"{self._name('lassos', name_of)} or choose a smaller "
            f"{self._name('budget', name_of)}."
        )


class WorkerError(ArgumentError, RuntimeError):
    """One of several workers is missing, lost, or unlike the others; the message names it."""
