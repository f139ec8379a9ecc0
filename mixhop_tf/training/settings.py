"""The hyper-parameters of a run, each with its rule and its help."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from mixhop_tf.errors import SettingError
from mixhop_tf.notation import is_rate
from mixhop_tf.training.selection import RULES

LASSO_KINDS = ("gradient", "proximal", "scaled")
PATIENCE_FOR = ("best", "either")
OPTIMIZERS = ("gradient_descent", "adam")
_MANY = 1_000_000


def _field(default: Any, text: str, choices: tuple[str, ...] = ()) -> Any:
    return dataclasses.field(default=default, metadata={"help": text, "choices": choices})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """The hyper-parameters of a run, except those of the architecture.

    The defaults suit graphs of many kinds; they were chosen on validation accuracy.

    Example:
    >>> from mixhop_tf import Settings
    >>> Settings(learning_rate=0.005).learning_rate
    0.005
    >>> Settings(patience=-1)
    Traceback (most recent call last):
        ...
    mixhop_tf.errors.SettingError: `patience` must lie in 0 … 1000000, not -1.
    """

    learning_rate: float = _field(0.01, "Learning rate of the first step, lr0.")
    decay_every: int = _field(40, "Steps from one drop of the learning rate to the next.")
    decay_fraction: float = _field(0.0, "Share of lr0 that each drop takes.")
    max_steps: int = _field(600, "Steps at most.")
    patience: int = _field(200, "Steps without a better one until training stops.")
    patience_for: str = _field(
        "best",
        "What must get better within the patience: best: the best step by the selection rule; "
        "either: validation loss or accuracy, whichever, as GAT's authors have it.",
        PATIENCE_FOR,
    )
    l2: float = _field(5e-5, "Penalty on squared kernel weights: l2 * sum(w^2).")
    lasso: float = _field(0.0, "Group lasso: penalty on the norms of the kernels' columns.")
    lasso_kind: str = _field(
        "gradient",
        "How the lasso acts: gradient: by its gradient, as in the original, which leaves small "
        "numbers; proximal: by steps that make columns, or groups of columns before a psum output, "
        "exactly zero; scaled: the same, each power penalised by what it contributes.",
        LASSO_KINDS,
    )
    optimizer: str = _field(
        "adam",
        "gradient_descent, as in the original, or adam, as the baselines' authors have it.",
        OPTIMIZERS,
    )
    selection: str = _field(
        "strict", f"Rule that picks the best step, one of {', '.join(RULES)}.", tuple(RULES)
    )

    def __post_init__(self) -> None:
        self._check(self.learning_rate > 0, "learning_rate", "must be positive")
        self._check(1 <= self.decay_every <= _MANY, "decay_every", f"must lie in 1 … {_MANY}")
        self._check(0 <= self.decay_fraction <= 1, "decay_fraction", "must lie between 0 and 1")
        self._check(1 <= self.max_steps <= _MANY, "max_steps", f"must lie in 1 … {_MANY}")
        self._check(0 <= self.patience <= _MANY, "patience", f"must lie in 0 … {_MANY}")
        self._check(self.l2 >= 0, "l2", "must not be negative")
        self._check(self.lasso >= 0, "lasso", "must not be negative")
        for field in dataclasses.fields(self):
            choices = field.metadata["choices"]
            valid = not choices or getattr(self, field.name) in choices
            self._check(valid, field.name, f"must be one of {', '.join(choices)}")

    def at_most(self, max_steps: int | None) -> Settings:
        """These settings with no more steps than this."""
        if max_steps is None:
            return self
        return dataclasses.replace(self, max_steps=min(max_steps, self.max_steps))

    def _check(self, valid: bool, name: str, rule: str) -> None:
        value = getattr(self, name)
        if not valid or (isinstance(value, float) and not math.isfinite(value)):
            raise SettingError(name, rule, value)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recipe:
    """The settings of a training and the dropout of the network's layers.

    Args:
        settings: Hyper-parameters of the training.
        input_dropout: Share of the feature entries that training drops.
        hidden_dropout: Share of the hidden entries that training drops.
    """

    settings: Settings = Settings()
    input_dropout: float = 0.5
    hidden_dropout: float = 0.5

    def __post_init__(self) -> None:
        for name in ("input_dropout", "hidden_dropout"):
            check_rate(name, getattr(self, name))


def check_rate(name: str, rate: float) -> None:
    """Raises a `SettingError` unless the rate leaves some entries."""
    if not is_rate(rate):
        raise SettingError(name, "must be at least 0 and less than 1", rate)
