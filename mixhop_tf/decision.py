"""From logits to an answer: calibrated probabilities, and a threshold for two classes."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import scipy.optimize
import scipy.special

from mixhop_tf.errors import SettingError

# The temperature is looked for between e^-4 and e^4.
_WIDEST = 4.0


@dataclasses.dataclass(frozen=True, kw_only=True)
class Decision:
    """How a model's logits become probabilities and a class.

    `probabilities = softmax(logits / temperature + offsets)`. With two classes and a threshold, the
    answer is the positive class where its probability is at least the threshold; otherwise the
    answer is the most probable class.

    Args:
        temperature: Temperature of the softmax; 1 leaves the probabilities alone.
        threshold: Smallest probability at which `positive` is the answer; None for the most
            probable class.
        positive: The class that the threshold is for, 0 or 1.
        offsets: A number for each class, which undoes the weights of the classes in training: with
            weights `w`, a model learns probabilities in proportion to `w · p`. None for no offsets.

    Example:
    >>> from mixhop_tf import Decision
    >>> Decision(threshold=0.3, positive=1).labels([[0.6, 0.4], [0.8, 0.2]]).tolist()
    [1, 0]
    """

    temperature: float = 1.0
    threshold: float | None = None
    positive: int | None = None
    offsets: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.offsets is not None and not all(map(math.isfinite, self.offsets)):
            raise SettingError("offsets", "must be finite numbers", self.offsets)
        if not (math.isfinite(self.temperature) and self.temperature > 0):
            raise SettingError("temperature", "must be positive", self.temperature)
        if self.threshold is not None:
            if not 0 <= self.threshold <= 1:
                raise SettingError("threshold", "must be from 0 to 1", self.threshold)
            if self.positive not in (0, 1):
                raise SettingError("positive", "must be 0 or 1 with a threshold", self.positive)

    @property
    def is_plain(self) -> bool:
        """Whether the answer is simply the largest logit."""
        return not self.is_calibrated and self.threshold is None

    @property
    def is_calibrated(self) -> bool:
        """Whether the probabilities differ from the softmax of the logits."""
        return self.temperature != 1.0 or self.offsets is not None

    def probabilities(self, logits: Any) -> np.ndarray:
        """Computes probabilities `[n, c]` from logits `[n, c]`."""
        scores = np.asarray(logits) / self.temperature
        if self.offsets is not None:
            scores = scores + np.asarray(self.offsets, scores.dtype)
        return scipy.special.softmax(scores, axis=1)

    def labels(self, probabilities: Any) -> np.ndarray:
        """Computes classes `[n]` from probabilities `[n, c]`."""
        shares = np.asarray(probabilities)
        if self.threshold is None or self.positive is None:
            return shares.argmax(axis=1)
        return np.where(
            shares[:, self.positive] >= self.threshold, self.positive, 1 - self.positive
        )

    def answers(self, logits: Any) -> np.ndarray:
        """Computes classes `[n]` from logits `[n, c]`."""
        if self.threshold is None and self.offsets is None:  # whatever the temperature
            return np.asarray(logits).argmax(axis=1)
        return self.labels(self.probabilities(logits))

    def to_dict(self) -> dict[str, Any]:
        """Returns plain containers, for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Makes the decision that `to_dict` described.

        Raises:
            SettingError: A field is unknown or has a wrong value.
        """
        fields = {field.name for field in dataclasses.fields(cls)}
        for name, value in content.items():
            many = name == "offsets" and isinstance(value, (list, tuple))
            numbers = all(map(_is_number, value if many else [value]))
            if name not in fields or not (value is None or numbers):
                raise SettingError("decision", f"must be made of {', '.join(sorted(fields))}", name)
        offsets = content.get("offsets")
        return cls(**{**content, "offsets": None if offsets is None else tuple(offsets)})


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# The most probable class, by probabilities as they are.
PLAIN = Decision()


def fit_temperature(
    logits: np.ndarray, labels: np.ndarray, offsets: tuple[float, ...] | None = None
) -> float:
    """Finds the temperature with the smallest log loss, on validation nodes.

    Args:
        logits: `[n, c]`.
        labels: True classes `[n]`.
        offsets: A number for each class, added to the scaled logits.

    Reference: Guo et al., On Calibration of Modern Neural Networks, ICML 2017.
    """
    logits = np.asarray(logits, np.float64)
    rows, added = np.arange(len(labels)), 0.0 if offsets is None else np.asarray(offsets)

    def loss(log_temperature: float) -> float:
        logs = scipy.special.log_softmax(logits / math.exp(log_temperature) + added, axis=1)
        return float(-logs[rows, labels].mean())

    found = scipy.optimize.minimize_scalar(loss, bounds=(-_WIDEST, _WIDEST), method="bounded")
    return math.exp(found.x) if found.fun < loss(0.0) else 1.0


def choose_threshold(
    labels: np.ndarray, probabilities: np.ndarray, positive: int, metric: str = "f1"
) -> float:
    """Chooses the threshold with the best metric, on validation nodes.

    Candidates lie halfway between neighbouring probabilities; of equals the largest wins.

    Args:
        labels: True classes `[n]`, 0 or 1.
        probabilities: `[n, 2]`.
        positive: The class that is looked for, 0 or 1.
        metric: `f1` (of the positive class), `accuracy`, `balanced_accuracy` or `macro_f1`.
    """
    if metric not in _RATIOS:
        raise SettingError("metric", f"must be one of {', '.join(_RATIOS)}", metric)
    truth = np.asarray(labels) == positive
    share = np.asarray(probabilities, np.float64)[:, positive]
    order = np.argsort(-share, kind="stable")
    share, truth = share[order], truth[order]
    # After the first k nodes by probability: those found, and those flagged by mistake.
    hits = np.concatenate([[0], np.cumsum(truth)])
    alarms = np.arange(len(share) + 1) - hits
    cuts = np.concatenate([[1.0], (share[:-1] + share[1:]) / 2, [0.0]])
    between = np.concatenate([[share[0] < 1.0], share[:-1] > share[1:], [True]])
    values = _RATIOS[metric](hits, alarms, int(truth.sum()), len(share))
    return float(cuts[between][np.argmax(values[between])])


def _f1(hits: Any, alarms: Any, positives: int, _: int) -> Any:
    return 2 * hits / np.maximum(hits + alarms + positives, 1)


def _accuracy(hits: Any, alarms: Any, positives: int, total: int) -> Any:
    return (hits + total - positives - alarms) / total


def _balanced_accuracy(hits: Any, alarms: Any, positives: int, total: int) -> Any:
    recall = hits / max(positives, 1)
    other = 1 - alarms / max(total - positives, 1)
    return (recall + other) / 2


def _macro_f1(hits: Any, alarms: Any, positives: int, total: int) -> Any:
    other = _f1(total - positives - alarms, positives - hits, total - positives, total)
    return (_f1(hits, alarms, positives, total) + other) / 2


_RATIOS = {
    "f1": _f1,
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "macro_f1": _macro_f1,
}
