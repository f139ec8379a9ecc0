"""The hyper-parameters of a run, with their checks and help texts."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from mixhop_tf.errors import SettingError
from mixhop_tf.metrics import METRICS
from mixhop_tf.notation import is_rate
from mixhop_tf.training.batches.spec import Batches
from mixhop_tf.training.selection import RULES

LASSO_KINDS = ("gradient", "proximal", "scaled")
PATIENCE_FOR = ("best", "either")
OPTIMIZERS = ("gradient_descent", "adam")
AUTO, BALANCED, NONE = "auto", "balanced", "none"
# The weight of each class by name; sorted, so that the same weights are the same settings.
ClassWeight = str | tuple[tuple[str, float], ...]
_MANY = 1_000_000


def _field(default: Any, text: str, choices: tuple[str, ...] = ()) -> Any:
    return dataclasses.field(default=default, metadata={"help": text, "choices": choices})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """Holds the hyper-parameters of a run, except those of the architecture.

    The defaults suit many kinds of graphs. They were chosen by validation accuracy.

    Example:
    >>> from mixhop_tf import Settings
    >>> Settings(learning_rate=0.005).learning_rate
    0.005
    >>> Settings(patience=-1)
    Traceback (most recent call last):
        ...
    mixhop_tf.errors.SettingError: `patience` must be from 0 to 1,000,000. Received: -1
    """

    learning_rate: float = _field(0.01, "Learning rate of the first step, lr0.")
    decay_every: int = _field(40, "Number of steps between two drops of the learning rate.")
    decay_fraction: float = _field(
        0.0, "Fraction of lr0 by which each drop lowers the learning rate."
    )
    max_steps: int = _field(600, "Largest number of steps.")
    patience: int = _field(200, "Number of steps without progress after which training stops.")
    patience_for: str = _field(
        "best",
        "What counts as progress: best: a new best step by the selection rule; either: a better "
        "validation loss or a better validation accuracy, as in GAT's original code.",
        PATIENCE_FOR,
    )
    l2: float = _field(5e-5, "Coefficient of the penalty on squared kernel weights, l2 * sum(w^2).")
    lasso: float = _field(
        0.0, "Coefficient of the group lasso, a penalty on the norms of the kernels' columns."
    )
    lasso_kind: str = _field(
        "gradient",
        "How the lasso is applied: gradient: through its gradient, as in the original code, which "
        "leaves small numbers; proximal: through steps that make columns, or groups of columns "
        "before a psum output, exactly zero; scaled: as proximal, but the penalty of each power "
        "fits its effect.",
        LASSO_KINDS,
    )
    optimizer: str = _field(
        "adam",
        "Optimiser: gradient_descent, as in the original code, or adam, as in the baselines.",
        OPTIMIZERS,
    )
    selection: str = _field(
        "strict", f"Rule that selects the best step: {', '.join(RULES)}.", tuple(RULES)
    )
    select_by: str = _field(
        "accuracy",
        "Metric on validation nodes that picks the best step and the best run.",
        METRICS,
    )
    class_weight: str | tuple[tuple[str, float], ...] = _field(
        NONE,
        "Weights of the classes in the training loss. none: every node counts the same; balanced: "
        "every class counts the same; or a weight for each class.",
    )
    calibrate: bool = _field(
        False, "Fit a temperature on validation nodes, so that probabilities are honest."
    )
    threshold: str | float | None = _field(
        None,
        "Two classes: the smallest probability at which the rarer class is the answer. auto: "
        "chosen on validation nodes.",
    )
    batches: str | None = _field(
        None,
        "Train on parts of the graph, where the whole graph does not fit into memory: clusters, "
        "walks or fields, with options such as clusters:size=20000; see docs/batches.md. Training "
        "is then sampled, which can cost accuracy.",
    )

    def __post_init__(self) -> None:
        self._check(self.learning_rate > 0, "learning_rate", "must be positive")
        self._check(1 <= self.decay_every <= _MANY, "decay_every", f"must be from 1 to {_MANY:,}")
        self._check(0 <= self.decay_fraction <= 1, "decay_fraction", "must be from 0 to 1")
        self._check(1 <= self.max_steps <= _MANY, "max_steps", f"must be from 1 to {_MANY:,}")
        self._check(0 <= self.patience <= _MANY, "patience", f"must be from 0 to {_MANY:,}")
        self._check(self.l2 >= 0, "l2", "must not be negative")
        self._check(self.lasso >= 0, "lasso", "must not be negative")
        for field in dataclasses.fields(self):
            choices = field.metadata["choices"]
            valid = not choices or getattr(self, field.name) in choices
            self._check(valid, field.name, f"must be one of {', '.join(choices)}")
        if RULES[self.selection].looks_at_test and self.select_by != "accuracy":
            rule = f"must be accuracy with the selection {self.selection}"
            raise SettingError("select_by", rule, self.select_by)
        object.__setattr__(self, "class_weight", _class_weight(self.class_weight))
        _check_threshold(self.threshold)
        if self.batches is not None:
            object.__setattr__(self, "batches", str(Batches.parse(self.batches)))
            if RULES[self.selection].looks_at_test:
                raise SettingError("selection", "must be strict with batches", self.selection)

    def at_most(self, max_steps: int | None) -> Settings:
        """Returns these settings with `max_steps` lowered to this; None changes nothing."""
        if max_steps is None:
            return self
        return dataclasses.replace(self, max_steps=min(max_steps, self.max_steps))

    def _check(self, valid: bool, name: str, rule: str) -> None:
        value = getattr(self, name)
        if not valid or (isinstance(value, float) and not math.isfinite(value)):
            raise SettingError(name, rule, value)


def _class_weight(given: Any) -> ClassWeight:
    """The weights in a form that can be hashed and goes through JSON."""
    if given in (NONE, BALANCED):
        return str(given)
    rule = "must be none, balanced, or a positive weight for each class"
    try:
        pairs = list(given.items() if isinstance(given, Mapping) else given)
        weights = {str(name): float(weight) for name, weight in pairs}
    except (TypeError, ValueError):
        raise SettingError("class_weight", rule, given) from None
    usable = all(math.isfinite(weight) and weight > 0 for weight in weights.values())
    if not weights or not usable or len(weights) != len(pairs):
        raise SettingError("class_weight", rule, given)
    return tuple(sorted(weights.items()))


def _check_threshold(threshold: Any) -> None:
    is_number = isinstance(threshold, (int, float)) and not isinstance(threshold, bool)
    if threshold not in (None, AUTO) and not (is_number and 0 <= threshold <= 1):
        raise SettingError("threshold", f"must be {AUTO} or a number from 0 to 1", threshold)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recipe:
    """Holds the settings of a training and the dropout rates of the network.

    Args:
        settings: Hyper-parameters of the training.
        input_dropout: Fraction of the features that training drops.
        hidden_dropout: Fraction of the hidden units' outputs that training drops.
    """

    settings: Settings = Settings()
    input_dropout: float = 0.5
    hidden_dropout: float = 0.5

    def __post_init__(self) -> None:
        for name in ("input_dropout", "hidden_dropout"):
            check_rate(name, getattr(self, name))


def check_rate(name: str, rate: float) -> None:
    """Raises a `SettingError` if this is not a dropout rate."""
    if not is_rate(rate):
        raise SettingError(name, "must be at least 0 and less than 1", rate)
